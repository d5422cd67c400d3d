"""Many rotations at once: stacks of matrices ↔ stacks of quaternions ``[x, y, z, w]``."""

from __future__ import annotations

import numpy as np

from wbc_control.ros.conversions.buffers import Array
from wbc_control.spatial import matrix_to_quaternion


def rotations_of(xyzw: Array) -> Array:
    """(..., 3, 3) matrices of (..., 4) quaternions; a quaternion that is not of unit length is scaled to it."""
    x, y, z, w = np.moveaxis(xyzw / np.linalg.norm(xyzw, axis=-1, keepdims=True), -1, 0)
    matrix = np.empty((*xyzw.shape[:-1], 3, 3))
    matrix[..., 0, 0] = 1 - 2 * (y * y + z * z)
    matrix[..., 0, 1] = 2 * (x * y - z * w)
    matrix[..., 0, 2] = 2 * (x * z + y * w)
    matrix[..., 1, 0] = 2 * (x * y + z * w)
    matrix[..., 1, 1] = 1 - 2 * (x * x + z * z)
    matrix[..., 1, 2] = 2 * (y * z - x * w)
    matrix[..., 2, 0] = 2 * (x * z - y * w)
    matrix[..., 2, 1] = 2 * (y * z + x * w)
    matrix[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return matrix


def quaternions_of(matrices: Array) -> Array:
    """(..., 4) quaternions of (..., 3, 3) matrices."""
    flat = matrices.reshape(-1, 3, 3)
    return np.array([matrix_to_quaternion(matrix) for matrix in flat]).reshape(*matrices.shape[:-2], 4)
