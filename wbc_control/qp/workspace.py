"""One contract for every QP solver: allocated once for a size, warm-started from the solve before where that helps."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.softness import Softness
from wbc_control.qp.solution import QpSolution


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
        """Solve with some constraints soft; the multipliers belong to ``problem``'s own constraints."""
        solution = self.solve(softness.augmented(problem))
        n, k = problem.variables, problem.inequalities
        w = np.array(solution.w[:n])
        w[softness.bounds] = solution.z[k:]
        return QpSolution(solution.x[:n], solution.y, solution.z[:k], w, solution.status, solution.iterations)
