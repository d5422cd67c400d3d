"""Says why the QP was infeasible, a feasibility test a tick, at most once a second."""

from __future__ import annotations

from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import QpProblem, create_workspace
from wbc_control.qp.conflict import ConflictSearch, Search

INTERVAL_NS = 1_000_000_000
"""Shortest time between two searches, ns."""


class InfeasibilityDiagnosis:
    """Runs a conflict search in small steps beside the control loop.

    Attributes:
        conflict: Names of the last conflict found, in the user's words; () before the first.
        found: Number of conflicts named so far.
    """

    def __init__(self, parameters: SolverParameters) -> None:
        self._parameters = parameters
        self._search: Search | None = None
        self._started_ns: int | None = None
        self.conflict: tuple[str, ...] = ()
        self.found = 0

    def wants(self, time_ns: int) -> bool:
        """Whether an infeasible problem met now should be handed to :meth:`start`."""
        rested = self._started_ns is None or not 0 <= time_ns - self._started_ns < INTERVAL_NS
        return self._search is None and rested

    def start(self, time_ns: int, problem: QpProblem, background: tuple[str, ...]) -> None:
        """Begin a search on a problem that nobody else writes to."""
        self._started_ns = time_ns
        self._search = ConflictSearch(problem, background, create_workspace(self._parameters)).run()

    def step(self) -> None:
        """One feasibility test, if a search is under way."""
        if self._search is None:
            return
        try:
            next(self._search)
        except StopIteration as done:
            self._search = None
            if done.value:
                self.conflict, self.found = done.value, self.found + 1
