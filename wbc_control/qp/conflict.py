"""Names the smallest set of constraints that cannot be kept together.

U. Junker, *QuickXplain: preferred explanations and relaxations for over-constrained problems*, AAAI 2004: divide and
conquer needs about k log(n/k) feasibility tests for k culprits among n.  It runs as a generator that yields after each
small solve, so that a control loop can afford one a tick.

A test asks for the point nearest to the origin that keeps the constraints: without the tasks' costs, whose curvatures
lie many powers of ten apart, the solvers' verdicts are reliable.  Points out of reach do not count: constraints that
could be kept together only by forces of 10⁸ N are in conflict.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.reachability import can_be_kept
from wbc_control.qp.solution import QpStatus
from wbc_control.qp.workspace import QpWorkspace

Names = tuple[str, ...]
Search = Generator[None, None, Names]
Test = Generator[None, None, bool]


class ConflictSearch:
    """Looks for a minimal conflict among the named constraints of one infeasible problem.

    Args:
        problem: The infeasible problem; constraints with the same name stand or fall together.
        background: Names taken for granted and never blamed (the equation of motion).
        workspace: Solver for the feasibility tests; where it comes to no verdict, or without one, an exact method in
            small steps decides (:mod:`wbc_control.qp.reachability`).
        reach: Largest magnitude of a variable that counts as an answer.
    """

    def __init__(
        self, problem: QpProblem, background: Names, workspace: QpWorkspace | None, reach: float = 1e5
    ) -> None:
        self._reach = reach
        n = problem.variables
        self._problem = replace(problem, H=np.eye(n), g=np.zeros(n), stack=None, cost=None)
        self._background, self._workspace = frozenset(background), workspace
        self._equality = np.array(problem.equality_names, dtype=object)
        self._inequality = np.array(problem.inequality_names, dtype=object)
        self._bound = np.array(problem.bound_names, dtype=object)

    def run(self) -> Search:
        """Generator that yields after every solve and returns the conflicting names, () if there is no conflict."""
        names = [name for name in self._all_names() if name not in self._background]
        if (yield from self._feasible(names)):
            return ()
        return tuple((yield from self._explain([], False, names)))

    def _all_names(self) -> list[str]:
        """In the order equalities, rows, bounds; each once, only those that bound anything."""
        p = self._problem
        rows = self._inequality[np.isfinite(p.l) | np.isfinite(p.u)]
        bounds = self._bound[np.isfinite(p.lower) | np.isfinite(p.upper)]
        return list(dict.fromkeys([*self._equality, *rows, *bounds]))

    def _explain(self, kept: list[str], kept_changed: bool, names: list[str]) -> Generator[None, None, list[str]]:
        if kept_changed and not (yield from self._feasible(kept)):
            return []
        if len(names) == 1:
            return names
        half = len(names) // 2
        first, second = names[:half], names[half:]
        from_second = yield from self._explain(kept + first, bool(first), second)
        from_first = yield from self._explain(kept + from_second, bool(from_second), first)
        return from_first + from_second

    def _feasible(self, names: Sequence[str]) -> Test:
        """Whether the background and these constraints can be kept together."""
        subset = self._subset(names)
        if self._workspace is not None:
            self._workspace.forget()
            status = self._workspace.solve(self._in_reach(subset)).status
            yield
            if status in (QpStatus.SOLVED, QpStatus.INFEASIBLE):
                return status is QpStatus.SOLVED
        return (yield from can_be_kept(subset, self._reach))

    def _in_reach(self, subset: QpProblem) -> QpProblem:
        lower, upper = np.maximum(subset.lower, -self._reach), np.minimum(subset.upper, self._reach)
        return replace(subset, lower=lower, upper=upper)

    def _subset(self, names: Sequence[str]) -> QpProblem:
        wanted, p = self._background | set(names), self._problem
        equality = np.array([name in wanted for name in self._equality], dtype=bool)
        inequality = np.array([name in wanted for name in self._inequality], dtype=bool)
        bound = np.array([name in wanted for name in self._bound], dtype=bool)
        return replace(
            p, A=p.A[equality], b=p.b[equality], C=p.C[inequality], l=p.l[inequality], u=p.u[inequality],
            lower=np.where(bound, p.lower, -np.inf), upper=np.where(bound, p.upper, np.inf),
            equality_names=(), inequality_names=(),
        )  # fmt: skip
