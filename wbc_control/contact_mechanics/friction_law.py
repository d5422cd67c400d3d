"""Friction coefficient as a function of sliding speed: static/dynamic and Stribeck; and the force of a sliding contact.

Theory: Stribeck (1902); Armstrong-Hélouvry, Dupont and Canudas de Wit, *Automatica* 30(7), 1994.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import friction_coefficient, in_range
from wbc_control.errors import DomainError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FrictionLaw:
    """μ(‖v_t‖) = μ_d + (μ_s − μ_d) exp(−‖v_t‖/v_s).

    Attributes:
        static: μ_s ≥ μ_d.
        dynamic: μ_d ≥ 0.
        stribeck_speed: v_s > 0, m/s; typically 0.001–0.01.

    Raises:
        DomainError: μ_s < μ_d, a negative coefficient, or v_s ≤ 0.
    """

    static: float
    dynamic: float
    stribeck_speed: float = 0.005

    def __post_init__(self) -> None:
        friction_coefficient(self.dynamic)
        if friction_coefficient(self.static) < self.dynamic:
            raise DomainError("must not be below the dynamic one", where="μ_s", value=self.static, bound=self.dynamic)
        in_range("Stribeck speed", self.stribeck_speed, 0.0, open_low=True)

    def coefficient(self, speed: float) -> float:
        """μ at a sliding speed ≥ 0, m/s: μ_s at rest, μ_d when fast."""
        return self.dynamic + (self.static - self.dynamic) * math.exp(-speed / self.stribeck_speed)

    def sliding_force(self, normal_force: float, velocity: Array) -> Array:
        """Force (2,) = −μ f_n v/‖v‖, N, on a contact sliding with ``velocity`` (2,), m/s; zero at rest.

        At rest friction is whatever balances the load, up to μ_s f_n: that is a contact problem, not a law.
        """
        speed = math.hypot(float(velocity[0]), float(velocity[1]))
        if speed == 0.0:
            return np.zeros(2)
        return np.asarray(-self.coefficient(speed) * max(normal_force, 0.0) / speed * velocity)

    def holds(self, normal_force: float, tangential_force: Array) -> bool:
        """Whether a contact at rest can carry ``tangential_force`` (2,), N: ‖f_t‖ ≤ μ_s f_n."""
        load = math.hypot(float(tangential_force[0]), float(tangential_force[1]))
        return load <= self.static * max(normal_force, 0.0)
