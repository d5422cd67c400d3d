"""ProxQP (Bambade, El-Kazdadi, Taylor, Carpentier, *PROX-QP*, RSS 2022), dense, warm-started."""

from __future__ import annotations

import numpy as np
from proxsuite import proxqp

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.solution import QpSolution, QpStatus
from wbc_control.qp.workspace import QpWorkspace

_STATUS = {
    proxqp.QPSolverOutput.PROXQP_SOLVED: QpStatus.SOLVED,
    proxqp.QPSolverOutput.PROXQP_PRIMAL_INFEASIBLE: QpStatus.INFEASIBLE,
    proxqp.QPSolverOutput.PROXQP_DUAL_INFEASIBLE: QpStatus.INFEASIBLE,
}
_UNBOUNDED = 1e20
"""ProxQP reads anything at least this large as an open bound."""


class ProxQpWorkspace(QpWorkspace):
    """A ProxQP object that keeps its memory, its preconditioner and its last solution between solves."""

    def __init__(self, tolerance: float, max_iterations: int, time_budget: float = 0.0) -> None:
        super().__init__(tolerance, max_iterations, time_budget)
        self._solver: proxqp.dense.QP | None = None
        self._size = (0, 0, 0)

    def solve(self, problem: QpProblem) -> QpSolution:
        """Solve from the last solution; a warm solve that fails is tried once more from scratch."""
        if not problem.is_finite():
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE)
        warm = self._load(problem)
        assert self._solver is not None
        self._solver.solve()
        solution = self._read(problem)
        # A warm start now and then makes ProxQP report infeasibility or stall where a cold solve succeeds.
        if warm and not solution.solved:
            self.forget()
            self._load(problem)
            self._solver.solve()
            solution = self._read(problem)
        if not solution.solved:
            self.forget()
        return solution

    def forget(self) -> None:
        """Make the next solve a cold one."""
        self._solver = None

    def _load(self, problem: QpProblem) -> bool:
        """Hand the data over; True when the solver starts from an earlier solution."""
        size = (problem.variables, problem.equalities, problem.inequalities)
        boxes = (np.maximum(problem.lower, -_UNBOUNDED), np.minimum(problem.upper, _UNBOUNDED))
        rows = (np.maximum(problem.l, -_UNBOUNDED), np.minimum(problem.u, _UNBOUNDED))
        data = (problem.H, problem.g, problem.A, problem.b, problem.C, *rows, *boxes)
        if self._solver is not None and size == self._size:
            self._solver.settings.initial_guess = proxqp.InitialGuess.WARM_START_WITH_PREVIOUS_RESULT
            self._solver.update(*data)
            return True
        self._size = size
        self._solver = self._new_solver(size)
        self._solver.init(*data)
        return False

    def _new_solver(self, size: tuple[int, int, int]) -> proxqp.dense.QP:
        solver = proxqp.dense.QP(*size, True)
        settings = solver.settings
        settings.eps_abs, settings.eps_rel = self.tolerance, 0.0
        settings.max_iter = self.max_iterations
        # From zeros ProxQP took a solvable problem of a walking robot for infeasible.
        settings.initial_guess = proxqp.InitialGuess.EQUALITY_CONSTRAINED_INITIAL_GUESS
        settings.check_duality_gap = False
        return solver

    def _read(self, problem: QpProblem) -> QpSolution:
        assert self._solver is not None
        results, k = self._solver.results, problem.inequalities
        x = np.array(results.x)
        if not np.isfinite(x).all():
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE)
        status = _STATUS.get(results.info.status, QpStatus.NOT_CONVERGED)
        z = np.array(results.z)
        return QpSolution(x, np.array(results.y), z[:k], z[k:], status, int(results.info.iter))
