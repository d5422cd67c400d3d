"""Grasp matrix G: stacked contact forces to one wrench, w = G f; Murray, Li and Sastry (1994), ch. 5."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.spatial import skew

Array = NDArray[np.float64]


def grasp_matrix(points: Array, origin: Array | None = None, rotations: Array | None = None) -> Array:
    """G (6, 3n) with [Σ f; Σ (p_i − o) × f_i] = G [f_1; …; f_n].

    Args:
        points: (n, 3) contact points in the frame of the wrench, m.
        origin: (3,) point the moment is taken about; the frame's origin by default.
        rotations: (n, 3, 3) contact frames; forces are then in contact coordinates.  Identity by default.
    """
    levers = np.asarray(points, dtype=np.float64) - (0.0 if origin is None else origin)
    matrix = np.zeros((6, 3 * len(levers)))
    for i, lever in enumerate(levers):
        rotation = np.eye(3) if rotations is None else rotations[i]
        matrix[:3, 3 * i : 3 * i + 3] = rotation
        matrix[3:, 3 * i : 3 * i + 3] = skew(lever) @ rotation
    return matrix


def planar_grasp_matrix(points: Array, directions: Array) -> Array:
    """G (3, n) of forces along ``directions`` (n, 2) at ``points`` (n, 2): rows f_x, f_y, moment about the origin."""
    return np.vstack([directions.T, points[:, 0] * directions[:, 1] - points[:, 1] * directions[:, 0]])
