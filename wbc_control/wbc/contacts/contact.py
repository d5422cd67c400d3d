"""What a contact is: motion it forbids, forces it transmits, and the cone those forces stay in."""
from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics

Array = NDArray[np.float64]


class Contact(ABC):
    """One foot's contact; forces and motion are in the contact frame, z along the surface normal into the robot.

    Attributes:
        name: Name of the foot.
        size: Number of force variables, equal to the number of motion rows.
        cone: (k, size) rows of ``cone @ force ≤ 0``.
        cone_names: Name of each row, in the user's words.
        force_weights: (size,) relative weight of each component in the cost.
    """

    name: str
    size: int
    cone: Array
    cone_names: tuple[str, ...]
    force_weights: Array

    @abstractmethod
    def write(self, terms: Kinodynamics, jacobian: Array, acceleration: Array) -> None:
        """Write the Jacobian (size, nv) and the acceleration (size,) that keeps the contact: J q̈ = acceleration.

        The acceleration cancels the drift and lets a remaining velocity decay (Baumgarte 1972).
        """

    @property
    @abstractmethod
    def normal(self) -> int:
        """Index of the normal force among the force variables."""
