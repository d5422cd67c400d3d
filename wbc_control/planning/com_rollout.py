"""The pendulum driven ahead under DCM feedback: the CoM reference of a stepping robot.

p = p_ref + k (ξ − ξ_ref), kept inside the support polygon of each instant (and inside the friction cone), then the
closed form of c̈ = ω² (c − p).  The acceleration handed on thus carries the feedback, clipped to what the feet can
do.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wbc_control.planning.divergent import pendulum_step
from wbc_control.planning.preview import Preview
from wbc_control.planning.support import Point, nearest_point
from wbc_control.spatial import GRAVITY_M_S2, Array


@dataclass(frozen=True)
class Feedback:
    """Feedback law.

    Attributes:
        gain: k, metres of ZMP per metre of DCM error.
        hip_reach: How far beyond the polygon the force may be aimed (centroidal moment pivot), m; 0 off.
        friction: Usable Coulomb coefficient.
    """

    gain: float
    hip_reach: float
    friction: float


@dataclass(frozen=True, eq=False)
class LevelMotion:
    """Horizontal CoM over the horizon: position, velocity, acceleration and ZMP, each (k, 2)."""

    position: Array
    velocity: Array
    acceleration: Array
    zmp: Array


def roll_out(
    com: Array,
    velocity: Array,
    preview: Preview,
    polygon_at: Callable[[int], list[Point]],
    feedback: Feedback,
    omega: float,
    count: int,
) -> LevelMotion:
    """The pendulum over ``count`` steps of ``preview.dt``.

    Args:
        com: (2,) now, m.
        velocity: (2,) m/s.
        preview: References; its grid is the horizon's.
        polygon_at: Support polygon (already inset) at a grid index.
        feedback: Law.
        omega: √(g/h), 1/s.
        count: Number of samples.
    """
    out = np.empty((4, count, 2))
    (x, y), (vx, vy) = com.tolist(), velocity.tolist()
    furthest = feedback.friction * GRAVITY_M_S2 / omega**2
    zmp, dcm = preview.zmp[:count].tolist(), preview.dcm[:count].tolist()
    for k in range(count):
        ex, ey = x + vx / omega - dcm[k][0], y + vy / omega - dcm[k][1]
        px, py = zmp[k][0] + feedback.gain * ex, zmp[k][1] + feedback.gain * ey
        polygon = polygon_at(k)
        pivot = _within(nearest_point(polygon, px, py, feedback.hip_reach), x, y, furthest)
        inside = nearest_point(polygon, *pivot)
        out[0, k], out[1, k] = (x, y), (vx, vy)
        out[2, k] = omega**2 * (x - pivot[0]), omega**2 * (y - pivot[1])
        out[3, k] = inside
        x, vx = pendulum_step(x, vx, pivot[0], omega, preview.dt)
        y, vy = pendulum_step(y, vy, pivot[1], omega, preview.dt)
    return LevelMotion(out[0], out[1], out[2], out[3])


def _within(point: Point, x: float, y: float, furthest: float) -> Point:
    """The point drawn towards (x, y) until it is no further than ``furthest``: the friction cone of the pendulum."""
    dx, dy = point[0] - x, point[1] - y
    distance = float(np.hypot(dx, dy))
    if distance <= furthest:
        return point
    return x + dx * furthest / distance, y + dy * furthest / distance
