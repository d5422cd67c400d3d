"""Ground that is known beforehand: heights along one direction, steps included; where on it a sole stands whole.

A profile is a polyline (distance, height) along a heading in the odometry frame, the same across its width; a riser is
a distance given twice.  Between two risers lies a tread: a sole is put wholly on one, away from its edges.
"""

from __future__ import annotations

import math

import numpy as np

from wbc_control.parameters.planner import GroundParameters
from wbc_control.spatial import Array

_SAME_TREAD_M = 0.06
"""How much further than the nearest place a foot in flight stays with the tread it flies to, m."""


class GroundProfile:
    """Heights along one direction.

    Args:
        distance: (k,) m from the odometry frame's origin along the heading, never falling.
        height: (k,) m; level before the first and after the last point.
        heading: Direction of the profile in the odometry frame, rad.
        margin: Least distance of a sole from an edge, m.
    """

    def __init__(self, distance: Array, height: Array, heading: float, margin: float) -> None:
        self._distance, self._height, self._margin = distance, height, margin
        self.direction = np.array([math.cos(heading), math.sin(heading)])
        risers = np.flatnonzero(np.diff(distance) < 1e-9)
        self._edges = np.array([-math.inf, *distance[risers], math.inf])

    @classmethod
    def from_parameters(cls, parameters: GroundParameters) -> GroundProfile | None:
        """The profile of the parameters; None where the ground is to be felt."""
        points = np.array(parameters.profile, dtype=np.float64)
        if len(points) == 0:
            return None
        return cls(points[::2], points[1::2], parameters.heading, parameters.edge_margin)

    def along(self, x: float, y: float) -> float:
        """Distance of (x, y) along the profile, m."""
        return float(self.direction[0] * x + self.direction[1] * y)

    def height(self, x: float, y: float) -> float:
        """Height at (x, y), m; the upper one at a riser."""
        at = self.along(x, y)
        return max(self._height_at(at - 1e-9), self._height_at(at + 1e-9))

    def gradient(self, x: float, y: float) -> Array:
        """(2,) rise over run towards x and y at (x, y)."""
        at = self.along(x, y)
        right = int(np.searchsorted(self._distance, at, side="right"))
        if right in (0, len(self._distance)):
            return np.zeros(2)
        run = self._distance[right] - self._distance[right - 1]
        return self.direction * ((self._height[right] - self._height[right - 1]) / max(run, 1e-9))

    def shift_onto_tread(self, x: float, y: float, behind: float, ahead: float, flying_to: float | None) -> Array:
        """(2,) shortest way, m, that takes a sole at (x, y) wholly onto one tread.

        Args:
            x: Support centre, m.
            y: Likewise.
            behind: How far the sole reaches back from there along the profile, m, ≥ 0.
            ahead: How far forward, m, ≥ 0.
            flying_to: Distance along the profile of the place the foot flies to; None when it stands.
        """
        at = self.along(x, y)
        places = [self._inside(k, at, behind + self._margin, ahead + self._margin) for k in range(len(self._edges) - 1)]
        costs = [abs(place - at) for place in places]
        if flying_to is not None:
            costs[int(np.searchsorted(self._edges, flying_to, side="right")) - 1] -= _SAME_TREAD_M
        return self.direction * (places[int(np.argmin(costs))] - at)

    def _inside(self, tread: int, at: float, behind: float, ahead: float) -> float:
        """The place nearest to ``at`` from which a sole stays within a tread; its middle where the tread is too short."""
        low, high = float(self._edges[tread]) + behind, float(self._edges[tread + 1]) - ahead
        return min(max(at, low), high) if low <= high else 0.5 * (low + high)

    def _height_at(self, distance: float) -> float:
        return float(np.interp(distance, self._distance, self._height))
