"""Second-order cone arithmetic for the interior-point method: Nesterov–Todd scaling, step to the boundary.

Vectors x = [x_0, x̄] of the cone L = {x_0 ≥ ‖x̄‖}, many at once: (n, 3).  Vandenberghe, *The CVXOPT linear and
quadratic cone program solvers* (2010), §4.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

REFLECTION = np.array([1.0, -1.0, -1.0])
"""Diagonal of J: x ᵀJ x is the cone's "determinant"."""


def determinant(x: Array) -> Array:
    """x_0² − ‖x̄‖² (n,), computed as a product to keep it positive near the boundary."""
    length = np.hypot(x[:, 1], x[:, 2])
    return np.asarray((x[:, 0] - length) * (x[:, 0] + length))


def scaling(x: Array, s: Array) -> tuple[Array, Array]:
    """W and W⁻¹ (n, 3, 3), symmetric, with W s = W⁻¹ x, for x and s inside the cone."""
    det_x, det_s = np.sqrt(determinant(x)), np.sqrt(determinant(s))
    unit_x, unit_s = x / det_x[:, None], s / det_s[:, None]
    gamma = np.sqrt(0.5 * (1.0 + (unit_x * unit_s).sum(axis=1)))
    point = (unit_x + REFLECTION * unit_s) / (2.0 * gamma[:, None])
    axis = point + np.array([1.0, 0.0, 0.0])
    axis /= np.sqrt(2.0 * (point[:, 0] + 1.0))[:, None]
    eta = np.sqrt(det_x / det_s)[:, None, None]
    mirror = np.diag(REFLECTION)
    forward = eta * (2.0 * axis[:, :, None] * axis[:, None, :] - mirror)
    turned = REFLECTION * axis
    backward = (2.0 * turned[:, :, None] * turned[:, None, :] - mirror) / eta
    return forward, backward


def jordan_product(x: Array, y: Array) -> Array:
    """x ∘ y = [x·y, x_0 ȳ + y_0 x̄]."""
    product = np.asarray(x[:, :1] * y + y[:, :1] * x)
    product[:, 0] = (x * y).sum(axis=1)
    return product


def jordan_divide(x: Array, y: Array) -> Array:
    """The u with x ∘ u = y, for x inside the cone."""
    first = (x * REFLECTION * y).sum(axis=1) / determinant(x)
    quotient = np.asarray((y - first[:, None] * x) / x[:, :1])
    quotient[:, 0] = first
    return quotient


def step_to_boundary(x: Array, direction: Array) -> float:
    """Largest α ≤ 1 with x + α d in the cone for every row; x inside."""
    a = direction[:, 0] ** 2 - direction[:, 1] ** 2 - direction[:, 2] ** 2
    b = (x * REFLECTION * direction).sum(axis=1)
    c = determinant(x)
    # Smallest positive root of a α² + 2 b α + c, in the form that does not cancel: c / (−b + √(b² − a c)).
    discriminant = b * b - a * c
    root = -b + np.sqrt(np.maximum(discriminant, 0.0))
    blocking = (discriminant >= 0.0) & (root > 0.0)
    alpha = np.where(blocking, c / np.where(blocking, root, 1.0), np.inf)
    # The quadratic misses a direction through the apex into −L; x_0 must stay positive too.
    falling = direction[:, 0] < 0.0
    alpha = np.minimum(alpha, np.where(falling, x[:, 0] / np.where(falling, -direction[:, 0], 1.0), np.inf))
    return min(1.0, float(alpha.min(initial=1.0)))
