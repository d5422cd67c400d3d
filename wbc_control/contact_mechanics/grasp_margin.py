"""Ferrari–Canny margins: the largest wrench a grasp resists in every direction, with bounded contact forces.

Ferrari and Canny, *Planning optimal grasps* (1992).  L1: the normal forces sum to at most 1 N (one power source);
L∞: each is at most 1 N (independent ones).  Round friction cones, no linearisation.  Moments are over ``grasp.length``.
Without a bound on the forces the margin of a closed grasp is infinite, which is why the bound is part of the question.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.grasp import Grasp
from wbc_control.contact_mechanics.inscribed_ball import InscribedBall, SupportPoint, inscribed_ball

Array = NDArray[np.float64]


def ferrari_canny_l1(grasp: Grasp, *, relative: float = 0.01, max_points: int = 100) -> InscribedBall:
    """Margin with Σ f_n ≤ 1 N, N; ``lower > 0`` proves force closure."""

    def support(direction: Array) -> Array:
        points = grasp.support_points(direction)
        values = points @ direction
        best = int(np.argmax(values))
        return points[best] if values[best] > 0.0 else np.zeros(6)

    return _margin(grasp, support, relative, max_points)


def ferrari_canny_linf(grasp: Grasp, *, relative: float = 0.01, max_points: int = 100) -> InscribedBall:
    """Margin with each f_n ≤ 1 N, N."""

    def support(direction: Array) -> Array:
        points = grasp.support_points(direction)
        return np.asarray(points[points @ direction > 0.0].sum(axis=0))

    return _margin(grasp, support, relative, max_points)


def _margin(grasp: Grasp, support: SupportPoint, relative: float, max_points: int) -> InscribedBall:
    if grasp.contacts == 0:
        return InscribedBall(0.0, 0.0, np.eye(6)[0], True, 0)
    return inscribed_ball(support, np.zeros(6), tolerance=1e-6, relative=relative, max_points=max_points)
