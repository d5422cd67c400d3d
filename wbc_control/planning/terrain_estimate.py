"""Ground felt by the feet: a plane fitted to the last footholds, so that steps on slopes and stairs know where to
land."""
from __future__ import annotations

import math
from collections import deque

import numpy as np

from wbc_control.spatial import Array, exp_so3

_SLOPE_PRIOR_M2 = 0.02
"""How much spread of the footholds (m², summed) counts as much as the prior "level"."""


class TerrainEstimate:
    """Plane z = z₀ + a (x − x₀) + b (y − y₀) through the newest footholds, by ridge regression towards level.

    Args:
        memory: Number of footholds remembered.
        steepest: Largest slope believed, rise over run.

    Attributes:
        origin: (3,) a point of the plane, m.
        slope: (2,) a and b.
        normal_rotation: (3, 3) smallest rotation that takes world z to the plane's normal.
    """

    def __init__(self, memory: int, steepest: float = 0.6) -> None:
        self._points: deque[Array] = deque(maxlen=memory)
        self._steepest = steepest
        self.origin = np.zeros(3)
        self.slope = np.zeros(2)
        self.normal_rotation = np.eye(3)

    def reset(self, points: Array) -> None:
        """Start from feet (n, 3) that stand."""
        self._points.clear()
        for point in points:
            self.add(point)

    def add(self, point: Array) -> None:
        """A foot came to stand at ground point (3,), m."""
        self._points.append(np.array(point, dtype=np.float64))
        points = np.array(self._points)
        self.origin = points.mean(axis=0)
        arm, rise = points[:, :2] - self.origin[:2], points[:, 2] - self.origin[2]
        slope = np.linalg.solve(arm.T @ arm + _SLOPE_PRIOR_M2 * np.eye(2), arm.T @ rise)
        self.slope = np.clip(slope, -self._steepest, self._steepest)
        self.normal_rotation = tilt_rotation(*self.slope.tolist())

    def height(self, x: float, y: float) -> float:
        """Ground height at (x, y), m."""
        return float(self.origin[2] + self.slope[0] * (x - self.origin[0]) + self.slope[1] * (y - self.origin[1]))


def tilt_rotation(a: float, b: float) -> Array:
    """(3, 3) smallest rotation that takes world z to the normal of the plane z = a x + b y."""
    steepness = math.hypot(a, b)
    if steepness < 1e-9:
        return np.eye(3)
    angle = math.atan(steepness)
    return exp_so3(np.array([b, -a, 0.0]) * (angle / steepness))
