"""A small dense linear programme solver for start-up and offline questions: two-phase simplex, Bland's rule.

Bland, *New finite pivoting rules for the simplex method* (1977): no cycling, so it always ends; an iteration limit is
kept all the same.  Tens of variables, a handful of equations: not for the control loop.
"""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array
from wbc_control.errors import ProblemError

Array = NDArray[np.float64]

TOLERANCE = 1e-10


class LpStatus(Enum):
    """How the simplex method ended."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    ITERATION_LIMIT = "iteration limit"


@dataclass(frozen=True, eq=False)
class LpSolution:
    """Result of :func:`solve_linear_program`.

    Attributes:
        x: (n,) the best point found; zeros unless OPTIMAL.
        value: cᵀx; −inf when UNBOUNDED, +inf when INFEASIBLE.
        status: How it ended.
        residual: Largest violation of A x = b at ``x``.
    """

    x: Array
    value: float
    status: LpStatus
    residual: float


def solve_linear_program(cost: Array, matrix: Array, right: Array, max_pivots: int = 10_000) -> LpSolution:
    """Minimise cᵀx subject to A x = b, x ≥ 0.

    Args:
        cost: c (n,).
        matrix: A (m, n); rows may be dependent.
        right: b (m,).
        max_pivots: Limit of both phases together.

    Raises:
        ProblemError: Sizes disagree.
        DomainError: A value is not finite.
    """
    a = finite_array("LP matrix", matrix, (-1, -1))
    b = finite_array("LP right-hand side", right, (-1,))
    c = finite_array("LP cost", cost, (-1,))
    if a.shape != (len(b), len(c)):
        raise ProblemError("sizes disagree", where="LP", value=(a.shape, b.shape, c.shape), bound="(m, n), (m,), (n,)")
    # Rows of unit size make one tolerance serve all; b ≥ 0 makes the artificial basis feasible.
    size = np.maximum(np.abs(a).max(axis=1, initial=0.0), 1e-300)
    sign = np.where(b < 0.0, -1.0, 1.0) / size
    tableau = _Simplex(a * sign[:, None], b * sign)
    status = tableau.minimise(np.concatenate([np.zeros(len(c)), np.ones(len(b))]), max_pivots)
    feasible = 1e-9 * max(1.0, float(np.abs(b * sign).max(initial=0.0)))
    if status is LpStatus.OPTIMAL and tableau.artificial_level() > feasible:
        status = LpStatus.INFEASIBLE
    if status is LpStatus.OPTIMAL:
        tableau.forbid_artificials()
        status = tableau.minimise(np.concatenate([c, np.zeros(len(b))]), max_pivots)
    if status is not LpStatus.OPTIMAL:
        value = {LpStatus.UNBOUNDED: -np.inf, LpStatus.INFEASIBLE: np.inf}.get(status, np.nan)
        return LpSolution(np.zeros(len(c)), value, status, float(np.abs(b).max(initial=0.0)))
    x = tableau.point()[: len(c)]
    return LpSolution(x, float(c @ x), status, float(np.abs(a @ x - b).max(initial=0.0)))


class _Simplex:
    """Tableau [A | I | b] with the artificial variables last."""

    def __init__(self, matrix: Array, right: Array) -> None:
        rows, self.columns = matrix.shape
        self.rows = np.hstack([matrix, np.eye(rows), right[:, None]])
        self.basis = list(range(self.columns, self.columns + rows))
        self.allowed = np.ones(self.columns + rows, dtype=bool)

    def minimise(self, cost: Array, max_pivots: int) -> LpStatus:
        """Pivot to the optimum of ``cost`` over the columns allowed; Bland's rule on both choices."""
        for _ in range(max_pivots):
            reduced = cost - cost[self.basis] @ self.rows[:, :-1]
            entering = np.flatnonzero((reduced < -TOLERANCE * max(1.0, float(np.abs(cost).max()))) & self.allowed)
            if not len(entering):
                return LpStatus.OPTIMAL
            row = self._leaving(int(entering[0]))
            if row is None:
                return LpStatus.UNBOUNDED
            self._pivot(row, int(entering[0]))
        return LpStatus.ITERATION_LIMIT

    def artificial_level(self) -> float:
        """Sum of the artificial variables: 0 at a feasible point."""
        return float(self.point()[self.columns :].sum())

    def forbid_artificials(self) -> None:
        """Pivot artificial variables out of the basis where a real column can replace them, and bar them all."""
        self.allowed[self.columns :] = False
        for row, variable in enumerate(self.basis):
            if variable >= self.columns:
                real = np.flatnonzero(np.abs(self.rows[row, : self.columns]) > 1e-9)
                if len(real):
                    self._pivot(row, int(real[0]))

    def point(self) -> Array:
        """Values of all variables."""
        values = np.zeros(self.rows.shape[1] - 1)
        values[self.basis] = np.maximum(self.rows[:, -1], 0.0)
        return values

    def _leaving(self, entering: int) -> int | None:
        column = self.rows[:, entering]
        candidates = np.flatnonzero(column > TOLERANCE)
        if not len(candidates):
            return None
        ratios = self.rows[candidates, -1] / column[candidates]
        ties = candidates[ratios <= ratios.min() + 1e-12]
        return int(min(ties, key=lambda row: self.basis[row]))

    def _pivot(self, row: int, entering: int) -> None:
        self.rows[row] /= self.rows[row, entering]
        factors = self.rows[:, entering].copy()
        factors[row] = 0.0
        self.rows -= np.outer(factors, self.rows[row])
        self.basis[row] = entering
