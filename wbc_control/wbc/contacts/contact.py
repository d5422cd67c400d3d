"""What a contact is: motion it forbids, forces it transmits, and the cone those forces stay in."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics

Array = NDArray[np.float64]

AIR, RAMP, FULL = 0, 1, 2
"""Mode of a foot in a tick: no contact; contact coming or going, its motion a wish; contact, its motion a
constraint."""
Modes = tuple[int, ...]


def contact_modes(weights: Array) -> Modes:
    """Mode of every foot from its (n_feet,) contact weight, 0..1."""
    return tuple(AIR if w <= 0.0 else RAMP if w < 1.0 else FULL for w in weights.tolist())


class Contact(ABC):
    """One foot's contact; forces and motion are in the contact frame, z along the surface normal into the robot.

    Attributes:
        name: Name of the foot.
        size: Number of force variables.
        cone: (k, size) rows of ``cone @ force ≤ 0``.
        cone_names: Name of each row, in the user's words.
        force_weights: (size,) relative weight of each component in the cost.
        motion_map: (rows, size) of the motion rows ``motion_map @ jacobian``; None where each force has its own.
        force_lower: (size,) least value of each force variable where the normal force is a sum of several.
        normal_row: (size,) of the total normal force ``normal_row @ force``.
        turning: Whether the cone changes from tick to tick (:meth:`write_cone`, :meth:`observe`).
    """

    name: str
    size: int
    cone: Array
    cone_names: tuple[str, ...]
    force_weights: Array
    motion_map: Array | None = None
    force_lower: Array
    normal_row: Array
    turning: bool = False

    @abstractmethod
    def write(self, terms: Kinodynamics, jacobian: Array, acceleration: Array) -> None:
        """Write the Jacobian (size, nv) of the forces and the acceleration (motion_size,) that keeps the contact.

        The acceleration cancels the drift and lets a remaining velocity decay (Baumgarte 1972).
        """

    @property
    @abstractmethod
    def normal(self) -> int | None:
        """Index of the normal force among the force variables; None where it is a sum of several."""

    @property
    def motion_size(self) -> int:
        """Number of motion rows."""
        return self.size if self.motion_map is None else len(self.motion_map)

    @property
    def normal_share(self) -> Array:
        """(size,) force variables of one newton of normal force, evenly shared."""
        share: Array = self.normal_row / self.normal_row.sum()
        return share

    @property
    def wrench_map(self) -> Array:
        """(6, size) wrench in the contact frame, about the contact frame's origin, of the force variables."""
        return np.eye(6)[:, : self.size]

    def write_wrench(self, force: Array, wrench: Array) -> None:
        """Write the wrench (6,) of the force variables (size,)."""
        wrench[: self.size] = force

    def write_cone(self, rows: Array) -> None:
        """Write this tick's cone (k, size); only called of a turning contact."""

    def observe(self, force: Array) -> None:
        """Take note of the forces (size,) of a solution; only called of a turning contact."""
