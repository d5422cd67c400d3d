"""PIQP (Schwan, Jiang, Kuhn, Jones, *PIQP: a proximal interior-point QP solver*, CDC 2023), dense."""

from __future__ import annotations

import numpy as np
import piqp

from wbc_control.qp.problem import Array, QpProblem
from wbc_control.qp.solution import QpSolution, QpStatus
from wbc_control.qp.workspace import QpWorkspace

_STATUS = {
    piqp.PIQP_SOLVED: QpStatus.SOLVED,
    piqp.PIQP_PRIMAL_INFEASIBLE: QpStatus.INFEASIBLE,
    piqp.PIQP_DUAL_INFEASIBLE: QpStatus.INFEASIBLE,
}


class PiqpWorkspace(QpWorkspace):
    """An interior-point solver: no warm start, an iteration count that hardly varies."""

    def __init__(self, tolerance: float, max_iterations: int, time_budget: float) -> None:
        super().__init__(tolerance, max_iterations, time_budget)
        self._solver = piqp.DenseSolver()
        self.forget()

    def solve(self, problem: QpProblem) -> QpSolution:
        """See :class:`QpWorkspace`."""
        if not problem.is_finite():
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE)
        self._load(problem)
        status = _STATUS.get(self._solver.solve(), QpStatus.NOT_CONVERGED)
        result, iterations = self._solver.result, int(self._solver.result.info.iter)
        x = np.array(result.x).ravel()
        if status is not QpStatus.SOLVED or not np.isfinite(x.sum()):
            self.forget()
            return QpSolution.without_point(problem, status, iterations)
        z = np.array(result.z_u).ravel() - np.array(result.z_l).ravel()
        w = np.array(result.z_bu).ravel() - np.array(result.z_bl).ravel()
        return QpSolution(x, np.array(result.y).ravel(), z, w, status, iterations)

    def forget(self) -> None:
        """Set up anew at the next solve."""
        self._size = (-1, -1, -1)

    def _load(self, p: QpProblem) -> None:
        size = (p.variables, p.equalities, p.inequalities)
        C, lower, upper = _without_open_rows(p)
        data = (
            np.asfortranarray(p.H),
            p.g,
            np.asfortranarray(p.A),
            p.b,
            np.asfortranarray(C),
            lower,
            upper,
            p.lower,
            p.upper,
        )
        if size == self._size:
            self._solver.update(*data)
            return
        self._solver = piqp.DenseSolver()
        settings = self._solver.settings
        settings.eps_abs, settings.eps_rel, settings.max_iter = self.tolerance, 0.0, self.max_iterations
        self._solver.setup(*data)
        self._size = size


def _without_open_rows(p: QpProblem) -> tuple[Array, Array, Array]:
    """C, l, u with −1 ≤ 0 ≤ 1 in place of rows that bound nothing: PIQP prints a warning about those at every solve."""
    is_open = np.isneginf(p.l) & np.isposinf(p.u)
    if not is_open.any():
        return p.C, p.l, p.u
    return np.where(is_open[:, None], 0.0, p.C), np.where(is_open, -1.0, p.l), np.where(is_open, 1.0, p.u)
