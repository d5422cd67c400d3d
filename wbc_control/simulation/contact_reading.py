"""Ground contacts of one physics step, as every backend reports them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactReading:
    """Ground contacts of one physics step.

    Attributes:
        foot_force: (n_feet, 3) N, world, on the feet.
        points: (k, 3) m, world, contacts of feet.
        forces: (k, 3) N, world, on the robot at each point.
        in_contact: (n_feet,) whether the foot touches anything.
        others: Names of hulls (joints) other than feet that touch the ground.
    """

    foot_force: Array
    points: Array
    forces: Array
    in_contact: NDArray[np.bool_]
    others: tuple[str, ...]
