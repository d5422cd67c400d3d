"""One contract for every QP solver: allocated once for a size, warm-started from the solve before where that helps."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.softness import Softness
from wbc_control.qp.solution import QpSolution, QpStatus

CALMING = 0.1
"""Curvature added to every variable where an elastic solve failed: a calmer answer, and a well-conditioned problem."""


class QpWorkspace(ABC):
    """A solver's memory for problems of one size; nothing here ever raises: what goes wrong is a status.

    Args:
        tolerance: Absolute residual at which to stop.
        max_iterations: Iterations before the problem counts as not converged.
        time_budget: Time after which the solver gives up, s, where it can watch the clock; 0 for no budget.
    """

    def __init__(self, tolerance: float, max_iterations: int, time_budget: float = 0.0) -> None:
        self.tolerance, self.max_iterations, self.time_budget = tolerance, max_iterations, time_budget

    @abstractmethod
    def solve(self, problem: QpProblem) -> QpSolution:
        """Solve ``problem``."""

    @abstractmethod
    def forget(self) -> None:
        """Make the next solve a cold one."""

    def solve_elastic(self, problem: QpProblem, softness: Softness) -> QpSolution:
        """Solve with some constraints soft; the multipliers belong to ``problem``'s own constraints.

        With curvatures eight powers of ten apart and states far from anything planned a solver may fail on a problem
        that has an answer: then once more, within the same time budget, with :data:`CALMING` and ten times the
        tolerance, which settles for less than the cheapest answer, and whose multipliers are those of the calmed problem.
        """
        started, budget, tolerance = time.perf_counter(), self.time_budget, self.tolerance
        solution = self._solve_elastic(problem, softness)
        if solution.solved or solution.status is QpStatus.NOT_FINITE:
            return solution
        left = budget - (time.perf_counter() - started)
        if budget > 0.0 and left <= 0.0:
            return solution
        problem.complete()
        calmed = replace(problem, H=problem.H + CALMING * np.eye(problem.variables), cost=None)
        try:
            self.time_budget, self.tolerance = (left if budget > 0.0 else 0.0), 10.0 * tolerance
            return self._solve_elastic(calmed, softness)
        finally:
            self.time_budget, self.tolerance = budget, tolerance

    def _solve_elastic(self, problem: QpProblem, softness: Softness) -> QpSolution:
        """One attempt; by slack variables where the solver has no slacks of its own."""
        solution = self.solve(softness.augmented(problem))
        n, k = problem.variables, problem.inequalities
        w = np.array(solution.w[:n])
        w[softness.bounds] = solution.z[k:]
        return QpSolution(solution.x[:n], solution.y, solution.z[:k], w, solution.status, solution.iterations)
