"""Tangential contact before sliding: a spring that slips at the Coulomb limit (Cundall and Strack, 1979).

f_t = −k_t s with the elastic slip s (2,), shortened so that ‖f_t‖ ≤ μ f_n: what is cut off is dissipated for good.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

from wbc_control.contact_mechanics.checks import friction_coefficient, in_range


@dataclass(frozen=True)
class TangentialForce:
    """One update's outcome.

    Attributes:
        force: (f_x, f_y), N, on the robot.
        sliding: Whether the Coulomb limit was reached.
        dissipated: Energy lost to friction in this update, J; ≥ 0.
    """

    force: tuple[float, float]
    sliding: bool
    dissipated: float


class TangentialSpring:
    """State of one contact's tangential spring.

    Args:
        stiffness: k_t > 0, N/m; about half the normal stiffness.
        friction: μ ≥ 0.

    Raises:
        DomainError: A value outside its range.
    """

    def __init__(self, stiffness: float, friction: float) -> None:
        self.stiffness = in_range("tangential stiffness", stiffness, 0.0, open_low=True)
        self.friction = friction_coefficient(friction)
        self._slip = (0.0, 0.0)

    @property
    def energy(self) -> float:
        """½ k_t ‖s‖², J, stored."""
        return 0.5 * self.stiffness * (self._slip[0] ** 2 + self._slip[1] ** 2)

    def reset(self) -> None:
        """Forget the slip: the contact was lost."""
        self._slip = (0.0, 0.0)

    def update(self, motion: tuple[float, float], normal_force: float) -> TangentialForce:
        """Move the contact by ``motion``, m, under a normal force, N; a force ≤ 0 or not finite releases the spring."""
        if not 0.0 < normal_force < math.inf:
            lost = self.energy
            self.reset()
            return TangentialForce((0.0, 0.0), False, lost)
        x, y = self._slip[0] + motion[0], self._slip[1] + motion[1]
        length = math.hypot(x, y)
        limit = self.friction * normal_force / self.stiffness
        kept = min(1.0, limit / length) if length > 0.0 else 1.0
        stretched = 0.5 * self.stiffness * length * length
        self._slip = (x * kept, y * kept)
        force = (-self.stiffness * self._slip[0], -self.stiffness * self._slip[1])
        return TangentialForce(force, kept < 1.0, max(0.0, stretched - self.energy))
