"""Soft normal contact: Hertz, Hunt–Crossley and linear spring–damper; forces from penetration, and the inverse.

Penetration δ ≥ 0 in m, its rate δ̇ > 0 while compressing, force f ≥ 0 in N on the robot: no law here ever pulls, and
none gives back more energy than it took.  Hertz's stiffness has the unit N/m^1.5; 10⁶ N/m is a linearised one.
Scalars: called for a few contacts at 1 kHz.  A penetration that is not finite gives force 0.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from wbc_control.contact_mechanics.checks import in_range


class SoftContact(Protocol):
    """A normal force law and its inverse."""

    def force(self, penetration: float, rate: float = 0.0, impact_speed: float = 0.0) -> float:
        """f, N."""

    def penetration(self, force: float, rate: float = 0.0, impact_speed: float = 0.0) -> float:
        """δ ≥ 0, m, at which :meth:`force` is ``force``; 0 for a force that is not positive."""

    def energy(self, penetration: float) -> float:
        """Elastic energy stored at δ, J."""


def hertz_stiffness(radius: float, modulus_1: float, poisson_1: float, modulus_2: float, poisson_2: float) -> float:
    """k = 4/3 E* √R, N/m^1.5, of a sphere on a plane; 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂.

    Johnson, *Contact Mechanics* (1985), eq. 4.23.

    Args:
        radius: R, m; for two spheres 1/R = 1/R₁ + 1/R₂.
        modulus_1, modulus_2: Young's moduli, Pa.
        poisson_1, poisson_2: Poisson's ratios in [0, 0.5].

    Raises:
        DomainError: A size or modulus ≤ 0, or a ratio outside [0, 0.5].
    """
    compliance = 0.0
    for modulus, poisson in ((modulus_1, poisson_1), (modulus_2, poisson_2)):
        in_range("Young's modulus", modulus, 0.0, open_low=True)
        compliance += (1.0 - in_range("Poisson's ratio", poisson, 0.0, 0.5) ** 2) / modulus
    return 4.0 / 3.0 / compliance * math.sqrt(in_range("radius", radius, 0.0, open_low=True))


@dataclass(frozen=True)
class HuntCrossley:
    """f = k δ^1.5 (1 + 3(1 − e²)/4 · δ̇/δ̇⁻), δ̇⁻ the impact speed; e = 1 is Hertz's elastic contact.

    Hunt and Crossley (1975) with the damping of Lankarani and Nikravesh (1990), eq. 14: a first-order formula about
    e = 1.  It loses too little below: e = 0.9 rebounds with 0.91, 0.8 with 0.85.

    Attributes:
        stiffness: k > 0, N/m^1.5.
        restitution: e in [0, 1].

    Raises:
        DomainError: A value outside its range.
    """

    stiffness: float
    restitution: float = 1.0

    def __post_init__(self) -> None:
        in_range("stiffness", self.stiffness, 0.0, open_low=True)
        in_range("restitution", self.restitution, 0.0, 1.0)

    def force(self, penetration: float, rate: float = 0.0, impact_speed: float = 0.0) -> float:
        """f, N; without an impact speed > 0 the contact is elastic."""
        if not 0.0 < penetration < math.inf:
            return 0.0
        return self.stiffness * math.pow(penetration, 1.5) * self._damping(rate, impact_speed)

    def penetration(self, force: float, rate: float = 0.0, impact_speed: float = 0.0) -> float:
        """δ, m; 0 where the damping factor has gone to 0 (separating faster than the law can follow)."""
        damping = self._damping(rate, impact_speed)
        if not 0.0 < force < math.inf or damping <= 0.0:
            return 0.0
        return math.pow(force / (self.stiffness * damping), 2.0 / 3.0)

    def energy(self, penetration: float) -> float:
        """2/5 k δ^2.5, J."""
        return 0.4 * self.stiffness * math.pow(max(penetration, 0.0), 2.5)

    def linear_stiffness(self, force: float) -> float:
        """Tangent stiffness df/dδ = 1.5 k δ^0.5 under a static load, N/m."""
        return 1.5 * self.stiffness * math.sqrt(self.penetration(force))

    def _damping(self, rate: float, impact_speed: float) -> float:
        if not impact_speed > 0.0:
            return 1.0
        factor = 1.0 + 0.75 * (1.0 - self.restitution**2) * rate / impact_speed
        return factor if factor > 0.0 else 0.0


@dataclass(frozen=True)
class LinearContact:
    """f = max(0, k δ + d δ̇) in contact.

    Attributes:
        stiffness: k > 0, N/m.
        damping: d ≥ 0, N·s/m.

    Raises:
        DomainError: A value outside its range.
    """

    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        in_range("stiffness", self.stiffness, 0.0, open_low=True)
        in_range("damping", self.damping, 0.0)

    def force(self, penetration: float, rate: float = 0.0, impact_speed: float = 0.0) -> float:
        """f, N; ``impact_speed`` plays no part."""
        if not 0.0 < penetration < math.inf:
            return 0.0
        value = self.stiffness * penetration + self.damping * rate
        return value if value > 0.0 else 0.0

    def penetration(self, force: float, rate: float = 0.0, impact_speed: float = 0.0) -> float:
        """δ = (f − d δ̇)/k, m, not below 0; 0 for a force that is not positive or not finite."""
        if not 0.0 < force < math.inf:
            return 0.0
        return max(0.0, (force - self.damping * rate) / self.stiffness)

    def energy(self, penetration: float) -> float:
        """½ k δ², J."""
        return 0.5 * self.stiffness * max(penetration, 0.0) ** 2

    def damping_ratio(self, mass: float) -> float:
        """ζ = d / (2 √(k m)) of a mass, kg, on this contact."""
        return self.damping / (2.0 * math.sqrt(self.stiffness * in_range("mass", mass, 0.0, open_low=True)))


def damped_contact(stiffness: float, damping_ratio: float, mass: float) -> LinearContact:
    """The linear contact, N/m, that gives ``mass``, kg, the damping ratio ζ (0.1–0.3 is usual)."""
    in_range("damping ratio", damping_ratio, 0.0)
    product = in_range("stiffness", stiffness, 0.0, open_low=True) * in_range("mass", mass, 0.0, open_low=True)
    return LinearContact(stiffness, 2.0 * damping_ratio * math.sqrt(product))
