"""Orthonormal bases of null spaces, and points that satisfy equations: by QR, and by SVD where rows depend on each other."""

from __future__ import annotations

import numpy as np

from wbc_control.wbc.task import Array

_RANK_TOLERANCE = 1e-9
"""Singular values, relative to the largest, below which a direction counts as free."""
_DOUBTFUL = 1e-5
"""Diagonal of R, relative to the largest, below which QR, which does not pivot, is not trusted with the rank."""


def null_basis(matrix: Array) -> Array:
    """Orthonormal basis (n, k) of the null space of ``matrix`` (rows, n)."""
    rows, n = matrix.shape
    if 0 < rows <= n:
        Q, R = np.linalg.qr(matrix.T, mode="complete")
        if _is_full_rank(R, rows):
            free: Array = Q[:, rows:]
            return free
    _, sizes, right = np.linalg.svd(matrix)
    rank = int((sizes > _RANK_TOLERANCE * max(float(sizes[0]), 1e-12)).sum()) if sizes.size else 0
    basis: Array = right[rank:].T
    return basis


def particular(A: Array, b: Array) -> tuple[Array | None, Array]:
    """A point with A x = b, None where there is none, and a basis of the directions that keep it so."""
    rows, n = A.shape
    if not rows:
        return np.zeros(n), np.eye(n)
    if rows <= n:
        Q, R = np.linalg.qr(A.T, mode="complete")
        if _is_full_rank(R, rows):
            return Q[:, :rows] @ np.linalg.solve(R[:rows].T, b), Q[:, rows:]
    left, sizes, right = np.linalg.svd(A)
    rank = int((sizes > _RANK_TOLERANCE * sizes[0]).sum())
    x = right[:rank].T @ ((left[:, :rank].T @ b) / sizes[:rank])
    consistent = np.abs(A @ x - b).max() <= 1e-6 * max(1.0, float(np.abs(b).max()))
    return (x if consistent else None), right[rank:].T


def _is_full_rank(R: Array, rows: int) -> bool:
    diagonal = np.abs(R.reshape(-1)[: rows * R.shape[1] : R.shape[1] + 1])
    return bool(diagonal.min() > _DOUBTFUL * diagonal.max())
