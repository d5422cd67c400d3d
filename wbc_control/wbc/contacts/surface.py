"""The surface a foot stands on: its normal, and how it moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.contact_mechanics.contact_frame import frame_from_normal
from wbc_control.errors import ParameterError
from wbc_control.spatial import cross
from wbc_control.wbc.contacts.contact import Array


class ContactSurface:
    """A plane that may move as a rigid body; a surface set once serves until it is set again.

    Args:
        normal: (3,) out of the ground, world axes; any length but zero.

    Attributes:
        rotation: (3, 3) columns: first tangent (world x laid onto the plane), second tangent, unit normal; world axes.
        is_level: Whether the contact frame has world axes.
        is_still: Whether the surface is at rest.

    Raises:
        ParameterError: A normal without length.
    """

    def __init__(self, normal: Sequence[float] = (0.0, 0.0, 1.0)) -> None:
        direction = np.array(normal, dtype=float)
        length = float(np.linalg.norm(direction)) if direction.shape == (3,) else np.nan
        if not length > 1e-9:
            raise ParameterError(
                "a surface normal is 3 numbers, not all zero", where="contact.feet.normal", value=normal
            )
        self.rotation = frame_from_normal(direction)
        self.is_level = bool(np.abs(self.rotation - np.eye(3)).max() < 1e-12)
        self.rest()

    def rest(self) -> None:
        """The surface does not move."""
        self._origin, self._velocity, self._acceleration = np.zeros(3), np.zeros(6), np.zeros(6)
        self.is_still = True

    def move(self, origin: Array, velocity: Array, acceleration: Array) -> None:
        """The surface moves: twist and classical acceleration, (6,) linear first, of its point ``origin``;
        world axes."""
        self._origin, self._velocity, self._acceleration = origin.copy(), velocity.copy(), acceleration.copy()
        self.is_still = False

    def velocity_at(self, point: Array) -> Array:
        """(6,) twist of the surface's material point at ``point``, m/s and rad/s."""
        velocity = self._velocity.copy()
        velocity[:3] += cross(velocity[3:], point - self._origin)
        return velocity

    def acceleration_at(self, point: Array) -> Array:
        """(6,) classical acceleration of the surface's material point at ``point``, m/s² and rad/s²."""
        acceleration, omega, lever = self._acceleration.copy(), self._velocity[3:], point - self._origin
        acceleration[:3] += cross(acceleration[3:], lever) + cross(omega, cross(omega, lever))
        return acceleration
