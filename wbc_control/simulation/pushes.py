"""Pushes: forces at a link over a time, and the yardstick for them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.backend import Backend
from wbc_control.simulation.scenario import PushSettings
from wbc_control.spatial import GRAVITY_M_S2

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Push:
    """One push in whole control periods, so that its impulse is exact.

    Attributes:
        start_ns: First instant at which the force acts.
        end_ns: First instant at which it no longer does.
        impulse: (3,) N·s, world.
        link: Where it acts (centre of mass of that link's body).
    """

    start_ns: int
    end_ns: int
    impulse: Array
    link: str

    @property
    def force(self) -> Array:
        """(3,) N, world."""
        return self.impulse / (1e-9 * (self.end_ns - self.start_ns))


def quantised(settings: PushSettings, period_ns: int, default_link: str) -> Push:
    """The push on the grid of control periods, at least one long."""
    start = round(1e9 * settings.t / period_ns) * period_ns
    length = max(1, round(1e9 * settings.duration / period_ns)) * period_ns
    return Push(start, start + length, np.array(settings.impulse), settings.link or default_link)


class PushSchedule:
    """Applies pushes to a backend when they are due; pushes on one link add up."""

    def __init__(self, pushes: Sequence[Push]) -> None:
        self.pushes = tuple(pushes)
        self._instants = frozenset(t for push in pushes for t in (push.start_ns, push.end_ns))

    def update(self, backend: Backend, time_ns: int) -> None:
        """Set the forces that act from ``time_ns`` on; does nothing unless a push starts or ends."""
        if time_ns not in self._instants:
            return
        for link in dict.fromkeys(push.link for push in self.pushes):
            acting = [p.force for p in self.pushes if p.link == link and p.start_ns <= time_ns < p.end_ns]
            backend.apply_wrench(link, np.sum(acting, axis=0) if acting else np.zeros(3), np.zeros(3))


def lipm_zero_step_limit(
    mass: float, com: Array, ground_height: float, corners_world: Array, direction: Array
) -> float:
    """Largest impulse a standing robot can take without a step, N·s, by the linear inverted pendulum.

    A point mass at height z whose centre of pressure stays in the support comes to rest if the capture point
    com + v/ω, ω² = g/z, stays inside; from rest the limit is m·ω·d with d the distance from the centre of mass to the
    border of the support along the push (Koolen et al., "Capturability-based analysis", IJRR 2012, zero-step case).

    Args:
        mass: kg.
        com: (3,) m, world.
        ground_height: m, world.
        corners_world: (k, ≥2) corners of all soles on the ground, m.
        direction: (≥2,) direction of the push; only its horizontal part counts.
    """
    horizontal = np.asarray(direction, dtype=float)[:2]
    length = float(np.linalg.norm(horizontal))
    if length == 0.0 or len(corners_world) < 3:
        return 0.0
    omega = math.sqrt(GRAVITY_M_S2 / (com[2] - ground_height))
    return mass * omega * max(0.0, ray_to_hull_border(np.asarray(corners_world)[:, :2] - com[:2], horizontal / length))


def ray_to_hull_border(points: Array, direction: Array) -> float:
    """Distance from the origin along ``direction`` (unit) to the border of the convex hull of planar ``points``.

    Negative infinity where the ray meets no part of the hull.  Every edge of the hull is a segment between two of the
    points, and no segment reaches farther than the hull, so the farthest crossing over all pairs is the border.
    """
    normal = np.array([-direction[1], direction[0]])
    side, along = points @ normal, points @ direction
    first, second = np.triu_indices(len(points), 1)
    low, high = side[first], side[second]
    crosses = (low * high <= 0.0) & (low != high)
    if not crosses.any():
        return -math.inf
    share = low[crosses] / (low[crosses] - high[crosses])
    return float(np.max(along[first][crosses] + share * (along[second] - along[first])[crosses]))
