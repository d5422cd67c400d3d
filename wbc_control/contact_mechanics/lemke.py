"""Lemke's complementary pivoting for LCPs, with the lexicographic rule that rules out cycling.

Cottle, Pang and Stone, *The Linear Complementarity Problem* (1992), algorithm 4.4.5 and §4.9 (lexicographic ratio
test).  Ends in at most 2ⁿ distinct bases; a limit of ``50 (n + 1)`` pivots, far above what contacts need, stops it
before.  For a copositive-plus A (every positive semidefinite one) a secondary ray proves the LCP infeasible.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.lcp import Lcp, LcpSolution
from wbc_control.contact_mechanics.solver_status import SolverStatus

Array = NDArray[np.float64]

PIVOT_TOLERANCE = 1e-11
"""Entries of the (row-scaled) entering column at or below this cannot be pivoted on."""


def solve_lemke(problem: Lcp, *, tolerance: float = 1e-9, max_pivots: int | None = None) -> LcpSolution:
    """Solve an LCP by pivoting.

    Args:
        problem: The LCP; A need not be symmetric.
        tolerance: Natural-map residual, relative to max(1, max|b|), for CONVERGED.
        max_pivots: Default 50 (n + 1).

    Returns:
        CONVERGED; INFEASIBLE (secondary ray, A positive semidefinite); FAILED (ray for another A, or a residual above
        the tolerance); ITERATION_LIMIT.  The residual is measured on the problem in every case.
    """
    size = problem.size
    if size == 0 or problem.vector.min() >= 0.0:
        return problem.solution(np.zeros(size), SolverStatus.CONVERGED, 0)
    tableau = _Tableau(problem)
    limit = 50 * (size + 1) if max_pivots is None else max_pivots
    ended = tableau.run(limit)
    z = _refined(problem, tableau.z())
    status = SolverStatus.CONVERGED if problem.residual(z) <= problem.tolerance(tolerance) else SolverStatus.FAILED
    if not status.ok and ended is _End.RAY and _is_semidefinite(problem.matrix):
        status = SolverStatus.INFEASIBLE
    if not status.ok and ended is _End.LIMIT:
        status = SolverStatus.ITERATION_LIMIT
    return problem.solution(z, status, tableau.pivots)


class _End:
    """Why pivoting stopped."""

    SOLVED = "solved"
    RAY = "ray"
    LIMIT = "limit"


class _Tableau:
    """Columns w (n), z (n), artificial z₀, right-hand side: w − A z − e z₀ = b in the current basis.

    The columns of w hold the inverse basis, which the lexicographic rule compares.
    """

    def __init__(self, problem: Lcp) -> None:
        n = problem.size
        self.size = n
        self.artificial = 2 * n
        self.rows = np.hstack(
            [np.eye(n), -problem.matrix, -np.ones((n, 1)), problem.vector[:, None]], dtype=np.float64
        )
        self.basis = list(range(n))
        self.pivots = 0

    def run(self, limit: int) -> str:
        """Pivot until z₀ leaves the basis, a ray shows up or ``limit`` is reached."""
        first = self._lexicographic_minimum(np.arange(self.size), np.ones(self.size))
        entering = self._pivot(first, self.artificial)
        while self.pivots < limit:
            column = self.rows[:, entering]
            candidates = np.flatnonzero(column > PIVOT_TOLERANCE * max(1.0, float(np.abs(column).max())))
            if not len(candidates):
                return _End.RAY
            row = self._leaving_row(candidates, column)
            leaving = self.basis[row]
            complement = self._pivot(row, entering)
            if leaving == self.artificial:
                return _End.SOLVED
            entering = complement
        return _End.LIMIT

    def z(self) -> Array:
        """The z part of the current basic solution, clamped at 0."""
        values = np.zeros(2 * self.size + 1)
        values[self.basis] = self.rows[:, -1]
        return np.maximum(values[self.size : 2 * self.size], 0.0)

    def _leaving_row(self, candidates: NDArray[np.intp], column: Array) -> int:
        """Lexicographic minimum ratio; z₀ leaves whenever it ties, which ends the run."""
        ratios = self.rows[candidates, -1] / column[candidates]
        ties = candidates[ratios <= ratios.min() + 1e-12 * (1.0 + abs(ratios.min()))]
        for row in ties:
            if self.basis[row] == self.artificial:
                return int(row)
        return self._lexicographic_minimum(candidates, column)

    def _lexicographic_minimum(self, candidates: NDArray[np.intp], column: Array) -> int:
        """The candidate whose row [right-hand side, inverse basis] over its pivot is lexicographically least."""
        order = [self.rows.shape[1] - 1, *range(self.size)]
        for index in order:
            ratios = self.rows[candidates, index] / column[candidates]
            candidates = candidates[ratios <= ratios.min() + 1e-12 * (1.0 + abs(float(ratios.min())))]
            if len(candidates) == 1:
                break
        return int(candidates[0])

    def _pivot(self, row: int, entering: int) -> int:
        """Bring ``entering`` into the basis at ``row``; returns the complement of what left."""
        self.rows[row] /= self.rows[row, entering]
        factors = self.rows[:, entering].copy()
        factors[row] = 0.0
        self.rows -= np.outer(factors, self.rows[row])
        leaving = self.basis[row]
        self.basis[row] = entering
        self.pivots += 1
        return leaving + self.size if leaving < self.size else leaving - self.size


def _refined(problem: Lcp, z: Array) -> Array:
    """Re-solve the active set's equations, which removes the pivots' rounding; the better of both is returned."""
    active = np.flatnonzero(z > 0.0)
    if not len(active):
        return z
    block = problem.matrix[np.ix_(active, active)]
    polished = np.zeros_like(z)
    polished[active] = np.maximum(np.linalg.lstsq(block, -problem.vector[active], rcond=None)[0], 0.0)
    return polished if problem.residual(polished) < problem.residual(z) else z


def _is_semidefinite(matrix: Array) -> bool:
    """Whether the symmetric part has no eigenvalue below rounding."""
    eigenvalues = np.linalg.eigvalsh(0.5 * (matrix + matrix.T))
    return bool(eigenvalues[0] >= -1e-10 * max(1.0, float(eigenvalues[-1])))
