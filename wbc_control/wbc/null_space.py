"""Closed-form task priorities by null-space projection: the reference the QP hierarchy is checked against.

With N_k the projector onto the null space of all levels up to k, and q̈_k the acceleration they ask for,

    q̈_{k+1} = q̈_k + (J_{k+1} N_k)⁺ (ẍ_{k+1} − J̇_{k+1} q̇ − J_{k+1} q̈_k)
    N_{k+1} = N_k (1 − (J_{k+1} N_k)⁺ J_{k+1} N_k)

(Siciliano and Slotine, ICAR 1991).  The term J_{k+1} q̈_k is the coupling without which a lower task misses its aim.
In the metric M the inverse is the dynamically consistent one, J̄ = M⁻¹Jᵀ(J M⁻¹ Jᵀ)⁻¹ (Khatib 1987).
No inequality is known here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.wbc.task import Array

_RANK_TOLERANCE = 1e-9


def null_space_acceleration(levels: Sequence[tuple[Array, Array]], metric: Array | None = None) -> Array:
    """Acceleration (n,) of strictly prioritised levels.

    Args:
        levels: (J (r, n), b (r,)) with b = ẍ − J̇ q̇, the most important first.
        metric: (n, n) positive definite, e.g. the joint-space inertia; among equals the acceleration of
            least q̈ᵀ metric q̈ is
            taken, the least squares by default.
    """
    size = levels[0][0].shape[1]
    # In coordinates y = Lᵀ q̈ with metric = L Lᵀ the weighted inverse is the ordinary one.
    back = np.eye(size) if metric is None else np.linalg.inv(np.linalg.cholesky(metric).T)
    y, projector = np.zeros(size), np.eye(size)
    for J, b in levels:
        in_metric = J @ back
        free = in_metric @ projector
        inverse = _inverse(free, _RANK_TOLERANCE * float(np.linalg.norm(in_metric)))
        y = y + inverse @ (b - in_metric @ y)
        projector = projector - inverse @ free
    acceleration: Array = back @ y
    return acceleration


def _inverse(matrix: Array, least: float) -> Array:
    """Pseudo-inverse with singular values below ``least`` taken for zero: a level without freedom left
    asks for nothing."""
    left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
    kept = sizes > least
    inverse: Array = (right[kept].T / sizes[kept]) @ left[:, kept].T
    return inverse
