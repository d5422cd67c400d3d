"""Names the smallest set of constraints that cannot be kept together.

U. Junker, *QuickXplain: preferred explanations and relaxations for over-constrained problems*, AAAI 2004: divide and
conquer needs about k log(n/k) feasibility tests for k culprits among n.  It runs as a generator that yields after each
test, so that a control loop can afford one test a tick.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.workspace import QpWorkspace

Names = tuple[str, ...]
Search = Generator[None, None, Names]


class ConflictSearch:
    """Looks for a minimal conflict among the named constraints of one infeasible problem.

    Args:
        problem: The infeasible problem; constraints with the same name stand or fall together.
        background: Names taken for granted and never blamed (the equation of motion).
        workspace: Solver for the feasibility tests.
    """

    def __init__(self, problem: QpProblem, background: Names, workspace: QpWorkspace) -> None:
        self._problem, self._background, self._workspace = problem, frozenset(background), workspace
        self._equality = np.array(problem.equality_names, dtype=object)
        self._inequality = np.array(problem.inequality_names, dtype=object)
        self._bound = np.array(problem.bound_names, dtype=object)

    def run(self) -> Search:
        """Generator that yields after every feasibility test and returns the conflicting names, () if there is no conflict."""
        names = [name for name in self._all_names() if name not in self._background]
        feasible = self._feasible(names)
        yield
        if feasible:
            return ()
        return tuple((yield from self._explain([], False, names)))

    def _all_names(self) -> list[str]:
        """In the order equalities, rows, bounds; each once, only those that bound anything."""
        p = self._problem
        rows = self._inequality[np.isfinite(p.l) | np.isfinite(p.u)]
        bounds = self._bound[np.isfinite(p.lower) | np.isfinite(p.upper)]
        return list(dict.fromkeys([*self._equality, *rows, *bounds]))

    def _explain(self, kept: list[str], kept_changed: bool, names: list[str]) -> Generator[None, None, list[str]]:
        if kept_changed:
            feasible = self._feasible(kept)
            yield
            if not feasible:
                return []
        if len(names) == 1:
            return names
        half = len(names) // 2
        first, second = names[:half], names[half:]
        from_second = yield from self._explain(kept + first, bool(first), second)
        from_first = yield from self._explain(kept + from_second, bool(from_second), first)
        return from_first + from_second

    def _feasible(self, names: Sequence[str]) -> bool:
        """Whether the background and these constraints can be kept together.

        ProxQP often ends without a certificate on a contradiction, so that only a solution proves anything.
        """
        wanted = self._background | set(names)
        p = self._problem
        equality = np.array([name in wanted for name in self._equality], dtype=bool)
        inequality = np.array([name in wanted for name in self._inequality], dtype=bool)
        bound = np.array([name in wanted for name in self._bound], dtype=bool)
        subset = replace(
            p, A=p.A[equality], b=p.b[equality], C=p.C[inequality], l=p.l[inequality], u=p.u[inequality],
            lower=np.where(bound, p.lower, -np.inf), upper=np.where(bound, p.upper, np.inf),
            equality_names=(), inequality_names=(), stack=None,
        )  # fmt: skip
        self._workspace.forget()
        return self._workspace.solve(subset).solved
