"""Friction cone linearised to m facets: inside or outside Coulomb's cone, as generators and as half-spaces.

The cross-section f_z = 1 of K is a disc of radius μ.  An inscribed polygon has its corners on the circle and loses
1 − cos(π/m) of the tangential force in the directions of its edge middles (29.3 %, 7.6 %, 1.9 % for m = 4, 8, 16).
A circumscribed one has its edges on the circle and overshoots by 1/cos(π/m) at its corners (√2, 1.082, 1.020).
Corners are at angles ``rotation + 2πi/m`` from the contact frame's x axis.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import facet_count, friction_coefficient
from wbc_control.errors import DomainError

Array = NDArray[np.float64]

INSCRIBED = "inscribed"
CIRCUMSCRIBED = "circumscribed"


@dataclass(frozen=True)
class PolyhedralCone:
    """An m-facet friction cone in the contact frame (z normal, into the robot).

    Attributes:
        generators: (m, 3) unit edge directions; a force is admissible iff it is ``generators.T @ λ`` with λ ≥ 0.
        half_spaces: (m, 3) rows of A; a force is admissible iff ``A @ f <= 0`` (implies f_z ≥ 0).
        friction: μ of the Coulomb cone that is approximated.
        approximation: ``"inscribed"`` or ``"circumscribed"``.
        worst_ratio: Extreme tangential capacity over μ f_z: cos(π/m) inscribed, 1/cos(π/m) circumscribed.
    """

    generators: Array
    half_spaces: Array
    friction: float
    approximation: str
    worst_ratio: float

    @property
    def relative_error(self) -> float:
        """|1 − worst_ratio|: the share of tangential capacity lost (inscribed) or given too much (circumscribed)."""
        return abs(1.0 - self.worst_ratio)

    def contains(self, force: Array, tolerance: float = 0.0) -> bool:
        """Whether ``force`` (3,) satisfies every half-space up to ``tolerance``, N."""
        return bool((self.half_spaces @ force <= tolerance).all())


def polyhedral_cone(
    friction: float, facets: int = 4, *, approximation: str = INSCRIBED, rotation: float = 0.0
) -> PolyhedralCone:
    """Linearise K(μ) with m facets.

    Args:
        friction: μ ≥ 0.
        facets: m ≥ 3.
        approximation: ``"inscribed"`` (every solution obeys ‖f_t‖ ≤ μ f_n) or ``"circumscribed"`` (may overshoot by
            1/cos(π/m)).
        rotation: Angle of the first corner from the x axis, rad.  For m = 4, π/4 turns the faces onto the axes:
            |f_x|, |f_y| ≤ c f_z.

    Raises:
        DomainError: μ < 0, m < 3, a value that is not finite, or an unknown approximation.
    """
    mu = friction_coefficient(friction)
    count = facet_count(facets)
    shrink = math.cos(math.pi / count)
    if approximation not in (INSCRIBED, CIRCUMSCRIBED):
        raise DomainError(
            "unknown", where="approximation", value=approximation, bound=(INSCRIBED, CIRCUMSCRIBED)
        )
    if not math.isfinite(rotation):
        raise DomainError("is not finite", where="rotation", value=rotation, bound="finite")
    inscribed = approximation == INSCRIBED
    corner_radius = mu if inscribed else mu / shrink
    edge_radius = corner_radius * shrink
    corners = rotation + 2.0 * math.pi * np.arange(count) / count
    edges = corners + math.pi / count
    generators = np.column_stack([corner_radius * np.cos(corners), corner_radius * np.sin(corners), np.ones(count)])
    generators /= math.hypot(1.0, corner_radius)
    half_spaces = np.column_stack([np.cos(edges), np.sin(edges), np.full(count, -edge_radius)])
    ratio = shrink if inscribed else 1.0 / shrink
    return PolyhedralCone(generators, half_spaces, mu, approximation, ratio)
