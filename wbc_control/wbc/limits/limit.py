"""What a limit is: bounds on joint accelerations or on joint torques, renewed every tick."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics

Array = NDArray[np.float64]


class Limit(ABC):
    """Bounds on n joint quantities; several limits of a kind are intersected by the formulation.

    Attributes:
        key: Kind of the limit, in the parameter ``limits.soft``.
        name: Kind of the limit, in the user's words ("torque limit").
        hard: Whether it is kept even when the QP must be relaxed.
    """

    key: str
    name: str
    hard: bool = True

    @abstractmethod
    def narrow(self, terms: Kinodynamics, lower: Array, upper: Array) -> None:
        """Raise ``lower`` and lower ``upper``, (n,) each, to this limit's bounds."""


class AccelerationLimit(Limit):
    """Bounds joint accelerations, rad/s²."""


class TorqueLimit(Limit):
    """Bounds joint torques, N·m."""
