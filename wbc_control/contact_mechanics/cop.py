"""Centre of pressure: of a measured sole wrench, and of a set of normal forces.  Undefined is ``None``, never a number.

Under about the weight of the foot itself the quotient m/f_z is noise, so a least normal force is part of the question
and no division happens below it.  A CoP exists only for a force that pushes.
"""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MINIMUM_NORMAL_FORCE_N = 1.0
"""Below this normal force a centre of pressure is not defined, N."""


def cop_of_wrench(
    wrench: Array, minimum_force: float = MINIMUM_NORMAL_FORCE_N, depth: float = 0.0
) -> tuple[float, float] | None:
    """CoP (x, y), m, in the sole frame, of a wrench (6,) = [f; m] on the robot about the sole frame's origin.

    The point of the plane z = −depth where the horizontal moment vanishes: x = (−m_y + z f_x)/f_z,
    y = (m_x + z f_y)/f_z with z = −depth.

    Args:
        wrench: (6,), N and N·m; z along the sole's normal, into the robot.
        minimum_force: Least f_z, N, for which the CoP is defined; > 0.
        depth: How far the contact surface lies under the frame's origin, m (a force sensor above the sole).

    Returns:
        None when f_z < ``minimum_force`` or a number is not finite.
    """
    fx, fy, fz, mx, my, _ = wrench.tolist()
    if not fz >= minimum_force or fz <= 0.0:
        return None
    x = (-my - depth * fx) / fz
    y = (mx - depth * fy) / fz
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def cop_of_forces(points: Array, normal_forces: Array, minimum_force: float = MINIMUM_NORMAL_FORCE_N) -> Array | None:
    """CoP Σ f_i p_i / Σ f_i of normal forces at points; source text §4.4.2.

    Args:
        points: (n, 3) or (n, 2), m, in any one frame; the CoP is in it too.
        normal_forces: (n,) N, each ≥ 0 up to rounding.
        minimum_force: Least total, N, for which the CoP is defined; > 0.

    Returns:
        (3,) or (2,); None when the total is below ``minimum_force``, a force pulls by more than it, or is not finite.
    """
    total = float(normal_forces.sum())
    if not total >= minimum_force or total <= 0.0 or float(normal_forces.min()) < -minimum_force:
        return None
    point = normal_forces @ points / total
    return point if np.isfinite(point).all() else None


class HeldPoint:
    """Last defined value of a point, until it is older than ``hold_s``; then undefined again.

    Args:
        hold_s: How long a value may be used after it was measured, s.
    """

    def __init__(self, hold_s: float) -> None:
        self._hold_ns = round(hold_s * 1e9)
        self._time_ns = 0
        self._point: tuple[float, float] | None = None

    def update(self, time_ns: int, point: tuple[float, float] | None) -> tuple[float, float] | None:
        """Feed this tick's point (or None) and get the one to use; a clock that jumps back drops the held value."""
        if point is not None:
            self._time_ns, self._point = time_ns, point
        elif not 0 <= time_ns - self._time_ns <= self._hold_ns:
            self._point = None
        return self._point
