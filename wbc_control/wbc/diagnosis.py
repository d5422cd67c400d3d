"""Says why the QP had no solution, a small solve a tick, at most once a second."""

from __future__ import annotations

from dataclasses import replace

from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import QpProblem, QpStatus, QpWorkspace, create_workspace
from wbc_control.qp.backends import available_backends
from wbc_control.qp.conflict import ConflictSearch, Search

INTERVAL_NS = 1_000_000_000
"""Shortest time between two searches, ns."""
DIAGNOSED = (QpStatus.INFEASIBLE, QpStatus.NOT_CONVERGED)
"""Ends of a solve that start a search; ProxQP often meets a contradiction without a certificate."""
_JUDGE = "daqp"
"""The solver whose verdicts on contradictions are quick and reliable, where installed; ProxQP, made for problems that have
a solution, takes ten times as long to find that there is none, and now and then says so of one that has."""
_PATIENCE = 1000
"""Least number of iterations of a feasibility test: it has no warm start and may meet any mixture of constraints."""


class InfeasibilityDiagnosis:
    """Runs a conflict search in small steps beside the control loop.

    Attributes:
        conflict: Names of the last conflict found, in the user's words; () before the first.
        found: Number of conflicts named so far.
    """

    def __init__(self, parameters: SolverParameters) -> None:
        self._workspace = _judge(parameters)
        self._search: Search | None = None
        self._started_ns: int | None = None
        self.conflict: tuple[str, ...] = ()
        self.found = 0

    def wants(self, time_ns: int) -> bool:
        """Whether a problem without solution met now should be handed to :meth:`start`."""
        rested = self._started_ns is None or not 0 <= time_ns - self._started_ns < INTERVAL_NS
        return self._search is None and rested

    def start(self, time_ns: int, problem: QpProblem, background: tuple[str, ...]) -> None:
        """Begin a search on a problem that nobody else writes to."""
        self._started_ns = time_ns
        self._search = ConflictSearch(problem, background, self._workspace).run()

    def step(self) -> None:
        """One small solve, if a search is under way."""
        if self._search is None:
            return
        try:
            next(self._search)
        except StopIteration as done:
            self._search = None
            if done.value:
                self.conflict, self.found = done.value, self.found + 1


def _judge(parameters: SolverParameters) -> QpWorkspace | None:
    """The solver for feasibility tests, whatever solver the controller uses."""
    if _JUDGE not in available_backends():
        return None
    patience = max(parameters.max_iterations, _PATIENCE)
    return create_workspace(replace(parameters, backend=_JUDGE, max_iterations=patience))
