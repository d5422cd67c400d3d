"""A friction pyramid of four facets with one of them turned to where the force last pointed.

Its cross-section is a trapezoid with all four corners on Coulomb's circle, so it never allows more than Coulomb does.
The front facet reaches from −8° to +8° around the last tangential direction and keeps cos 8° = 0.990 of μ there; the
other facets lie at 0.54 μ.  A force that wants elsewhere slides along the front facet by up to 8° a tick, and the pyramid
turns after it: at rest it ends up within 1 % of the exact cone, whatever the direction.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


FRONT_HALF_ANGLE = math.radians(8.0)
FACETS = 4
_IDLE_SHARE = 0.05
"""Tangential force, share of μ f_n, below which its direction says nothing."""


def trapezoid_facets(friction: float) -> Array:
    """(4, 3) half-spaces ``A @ f ≤ 0`` with the front facet towards +x."""
    # Equal distance of side and back facets: (back − front)/2 = π − back.
    back = (2.0 * math.pi + FRONT_HALF_ANGLE) / 3.0
    corners = np.array([-FRONT_HALF_ANGLE, FRONT_HALF_ANGLE, back, 2.0 * math.pi - back])
    following = np.array([FRONT_HALF_ANGLE, back, 2.0 * math.pi - back, 2.0 * math.pi - FRONT_HALF_ANGLE])
    middle, half = 0.5 * (corners + following), 0.5 * (following - corners)
    return np.column_stack([np.cos(middle), np.sin(middle), -friction * np.cos(half)])


class AlignedPyramids:
    """One pyramid for each of ``count`` point forces, each turned on its own.

    Attributes:
        facets: (4, 3) the pyramid towards +x.
        direction: (count, 2) unit vectors the front facets look along.
    """

    def __init__(self, count: int, friction: float) -> None:
        self.facets, self._friction = trapezoid_facets(friction), friction
        self.direction = np.tile([1.0, 0.0], (count, 1))

    def observe(self, forces: Array) -> None:
        """Turn towards the tangential parts of ``forces`` (count, 3)."""
        for direction, (x, y, normal) in zip(self.direction, forces.tolist()):
            size = math.hypot(x, y)
            if size > _IDLE_SHARE * self._friction * max(normal, 0.0) and size > 1e-9:
                direction[:] = x / size, y / size

    def write(self, rows: Array) -> None:
        """Write the tangential columns of the block-diagonal (4·count, 3·count) cone; the normal ones never change."""
        x, y = self.facets[:, 0], self.facets[:, 1]
        for i, (c, s) in enumerate(self.direction.tolist()):
            block = rows[FACETS * i : FACETS * (i + 1), 3 * i : 3 * i + 2]
            block[:, 0], block[:, 1] = c * x - s * y, s * x + c * y

    def cone(self) -> Array:
        """(4·count, 3·count) the present cone."""
        cone: Array = np.asarray(np.kron(np.eye(len(self.direction)), self.facets), dtype=np.float64)
        self.write(cone)
        return cone
