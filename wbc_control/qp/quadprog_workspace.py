"""quadprog: the dual active-set method of D. Goldfarb and A. Idnani (Mathematical Programming 27, 1983)."""

from __future__ import annotations

import numpy as np
import quadprog

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.solution import QpSolution, QpStatus
from wbc_control.qp.workspace import QpWorkspace


class QuadprogWorkspace(QpWorkspace):
    """Equalities and one-sided rows only: every finite bound becomes a row of its own."""

    def solve(self, problem: QpProblem) -> QpSolution:
        """See :class:`QpWorkspace`."""
        if not problem.is_finite():
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE)
        lows, highs = np.concatenate([problem.lower, problem.l]), np.concatenate([problem.upper, problem.u])
        low, high = np.flatnonzero(np.isfinite(lows)), np.flatnonzero(np.isfinite(highs))
        rows = np.vstack([np.eye(problem.variables), problem.C])
        normals = np.vstack([problem.A, rows[low], -rows[high]])
        offsets = np.concatenate([problem.b, lows[low], -highs[high]])
        try:
            x, _, _, iterations, multipliers, _ = quadprog.solve_qp(
                problem.H, -problem.g, normals.T, offsets, problem.equalities
            )
        except ValueError as error:
            inconsistent = "inconsistent" in str(error)
            return QpSolution.without_point(problem, QpStatus.INFEASIBLE if inconsistent else QpStatus.NOT_CONVERGED)
        return self._solution(problem, x, multipliers, low, high, int(iterations[0]))

    def forget(self) -> None:
        """Nothing to forget."""

    def _solution(
        self,
        problem: QpProblem,
        x: np.ndarray,
        multipliers: np.ndarray,
        low: np.ndarray,
        high: np.ndarray,
        iterations: int,
    ) -> QpSolution:
        m, n = problem.equalities, problem.variables
        both = np.zeros(n + problem.inequalities)
        both[low] -= multipliers[m : m + len(low)]
        both[high] += multipliers[m + len(low) :]
        if not np.isfinite(x.sum()):
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE, iterations)
        return QpSolution(x, -multipliers[:m], both[n:], both[:n], QpStatus.SOLVED, iterations)
