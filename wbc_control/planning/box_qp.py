"""A convex quadratic programme with box bounds in a handful of variables, by cyclic coordinate descent.

min ½ xᵀHx + gᵀx, lower ≤ x ≤ upper, H symmetric positive definite.  Each sweep minimises exactly over one variable at a
time, which converges for boxes (Bertsekas, *Nonlinear Programming*, section 3.7); three variables need a few dozen
sweeps.
"""
from __future__ import annotations

import numpy as np

from wbc_control.spatial import Array


def solve_box_qp(
    hessian: Array, gradient: Array, lower: Array, upper: Array, sweeps: int = 200, tolerance: float = 1e-9
) -> Array:
    """The minimiser (n,); bounds that cross are met at their middle."""
    h, g = hessian.tolist(), gradient.tolist()
    low = np.minimum(lower, 0.5 * (lower + upper)).tolist()
    high = np.maximum(upper, 0.5 * (lower + upper)).tolist()
    for i, (a, b) in enumerate(zip(lower.tolist(), upper.tolist())):
        if a > b:
            low[i] = high[i] = 0.5 * (a + b)
    x = [min(max(0.0, a), b) for a, b in zip(low, high)]
    n = len(x)
    for _ in range(sweeps):
        largest = 0.0
        for i in range(n):
            slope = g[i] + sum(h[i][j] * x[j] for j in range(n))
            moved = min(max(x[i] - slope / h[i][i], low[i]), high[i])
            largest = max(largest, abs(moved - x[i]))
            x[i] = moved
        if largest < tolerance:
            break
    return np.array(x)
