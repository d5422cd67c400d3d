"""One contract for every QP solver: allocated once for a size, warm-started from the solve before."""
from __future__ import annotations

from abc import ABC, abstractmethod

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.solution import QpSolution


class QpWorkspace(ABC):
    """A solver's memory for problems of one size.

    ``solve`` never raises: what goes wrong is a status.
    """

    def __init__(self, tolerance: float, max_iterations: int) -> None:
        self.tolerance, self.max_iterations = tolerance, max_iterations

    @abstractmethod
    def solve(self, problem: QpProblem) -> QpSolution:
        """Solve, starting from the last solution."""

    @abstractmethod
    def forget(self) -> None:
        """Make the next solve a cold one."""
