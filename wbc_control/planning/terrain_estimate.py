"""Ground under the coming footsteps: a plane fitted to the last footholds, or a known profile set right by them."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from wbc_control.planning.ground_profile import GroundProfile
from wbc_control.spatial import Array, exp_so3

_SLOPE_PRIOR_M2 = 0.02
"""How much spread of the footholds (m², summed) counts as much as the prior "level"."""

_LARGEST_CORRECTION_M = 0.05
"""Difference between a known and the felt height that is believed, m: what odometry drifts, less than a step."""


class TerrainEstimate:
    """Plane z = z₀ + a (x − x₀) + b (y − y₀) through the newest footholds, by ridge regression towards level.

    Args:
        memory: Number of footholds remembered.
        steepest: Largest slope believed, rise over run.
        profile: The ground where it is known; None where it is felt.

    Attributes:
        origin: (3,) a point of the plane, m.
        slope: (2,) a and b.
    """

    def __init__(self, memory: int, steepest: float = 0.6, profile: GroundProfile | None = None) -> None:
        self._points: deque[Array] = deque(maxlen=memory)
        self._steepest = steepest
        self._profile = profile
        self._correction = 0.0
        self.origin = np.zeros(3)
        self.slope = np.zeros(2)

    @property
    def known(self) -> bool:
        """Whether the ground is known beforehand."""
        return self._profile is not None

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
        if self._profile is not None:
            gaps = [z - self._profile.height(x, y) for x, y, z in points.tolist()]
            self._correction = float(np.clip(np.median(gaps), -_LARGEST_CORRECTION_M, _LARGEST_CORRECTION_M))

    def plane_height(self, x: float, y: float) -> float:
        """Height of the fitted plane at (x, y), m."""
        return float(self.origin[2] + self.slope[0] * (x - self.origin[0]) + self.slope[1] * (y - self.origin[1]))

    def height(self, x: float, y: float) -> float:
        """Ground height at (x, y), m."""
        if self._profile is None:
            return self.plane_height(x, y)
        return self._profile.height(x, y) + self._correction

    def sole_rotation(self, x: float, y: float) -> Array:
        """(3, 3) smallest rotation that takes world z to the ground's normal at (x, y)."""
        slope = self.slope if self._profile is None else self._profile.gradient(x, y)
        return tilt_rotation(*slope.tolist())

    def shift_onto_ground(self, centre: Array, points: Array, flying_to: Array | None) -> Array:
        """(2,) shortest way, m, that takes a sole off the edges of known ground; zero on felt ground.

        Args:
            centre: (2,) support centre, m.
            points: (k, 2) outline of the sole about it, world axes, m.
            flying_to: (2,) support centre of the foothold a foot in flight already has; None when it stands.
        """
        if self._profile is None:
            return np.zeros(2)
        reach = points @ self._profile.direction
        goal = None if flying_to is None else self._profile.along(*flying_to.tolist())
        x, y = centre.tolist()
        return self._profile.shift_onto_tread(x, y, -min(reach.min(), 0.0), max(reach.max(), 0.0), goal)


def tilt_rotation(a: float, b: float) -> Array:
    """(3, 3) smallest rotation that takes world z to the normal of the plane z = a x + b y."""
    steepness = math.hypot(a, b)
    if steepness < 1e-9:
        return np.eye(3)
    angle = math.atan(steepness)
    return exp_so3(np.array([b, -a, 0.0]) * (angle / steepness))
