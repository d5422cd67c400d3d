"""All inequalities of a QP seen from a point x* along a basis Z of directions: lower ≤ C (x* + Z z) ≤ upper."""

from __future__ import annotations

import numpy as np

from wbc_control.qp import QpProblem
from wbc_control.wbc.task import Array

_WITHOUT_INFLUENCE = 1e-18
"""Squared length of a row along Z below which nothing can move it."""
_ROUNDING = 1e-8
"""Distance by which every level may overstep a constraint that the level before reached."""


class ReducedConstraints:
    """Rows of C and bounds of variables in one stack; follows the hierarchy's steps without being built anew.

    Args:
        problem: Whose constraints.
        x: (n,) point.
        Z: (n, k) directions.
    """

    def __init__(self, problem: QpProblem, x: Array, Z: Array) -> None:
        lower, upper = np.concatenate([problem.l, problem.lower]), np.concatenate([problem.u, problem.upper])
        bounded = np.isfinite(lower) | np.isfinite(upper)
        inside, at = np.concatenate([problem.C @ Z, Z]), np.concatenate([problem.C @ x, x])
        self._inside: Array = inside[bounded]
        self._lower: Array = lower[bounded] - at[bounded]
        self._upper: Array = upper[bounded] - at[bounded]

    def rows(self, feasible: bool) -> tuple[Array, Array, Array]:
        """Rows, lower and upper bounds in z, those left out that no z can move once the point is feasible.

        A feasible point that the level before left in a corner of its constraints leaves the next no room but rounding: it
        gets that much.
        """
        if not feasible:
            return self._inside, self._lower, self._upper
        matters = np.einsum("ij,ij->i", self._inside, self._inside) > _WITHOUT_INFLUENCE
        inside, lower, upper = self._inside, self._lower, self._upper
        if not matters.all():
            inside, lower, upper = inside[matters], lower[matters], upper[matters]
        return inside, np.minimum(lower, -_ROUNDING), np.maximum(upper, _ROUNDING)

    def move(self, z: Array) -> None:
        """x* ← x* + Z z."""
        step = self._inside @ z
        self._lower = self._lower - step
        self._upper = self._upper - step

    def narrow(self, basis: Array) -> None:
        """Z ← Z basis."""
        self._inside = self._inside @ basis

    def violation(self) -> float:
        """Largest violation at x*."""
        return max(float(self._lower.max(initial=0.0)), float(-self._upper.min(initial=0.0)), 0.0)
