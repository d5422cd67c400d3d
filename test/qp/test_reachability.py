"""The solver-free judge of constraints: right on feasible and contradictory sets, and on ones that only giants could keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wbc_control.qp import QpProblem, QpSolution, QpStatus, QpWorkspace
from wbc_control.qp.conflict import ConflictSearch
from wbc_control.qp.reachability import can_be_kept


def verdict(problem: QpProblem, reach: float = 1e5) -> bool:
    steps = can_be_kept(problem, reach)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def around(seed: int, n: int = 15, m: int = 4, k: int = 30) -> tuple[QpProblem, np.ndarray]:
    """Constraints that a random point keeps, a third of them just so."""
    rng = np.random.default_rng(seed)
    problem = QpProblem.zeros(("e",) * m, tuple(f"row {i}" for i in range(k)), tuple(f"bound {i}" for i in range(n)))
    point = 200.0 * rng.normal(size=n)
    problem.A[:], problem.C[:] = rng.normal(size=(m, n)), rng.normal(size=(k, n))
    problem.b[:] = problem.A @ point
    room = 50.0 * rng.random(k) * (rng.random(k) > 0.3)
    problem.l[:], problem.u[::2] = problem.C @ point - room, (problem.C @ point + room)[::2]
    problem.lower[::3] = point[::3] - 10.0
    return problem, point


@pytest.mark.parametrize("seed", range(20))
def test_what_a_point_keeps_can_be_kept(seed: int) -> None:
    assert verdict(around(seed)[0])


@pytest.mark.parametrize("seed", range(20))
def test_a_combination_that_adds_up_to_nonsense_cannot(seed: int) -> None:
    """Farkas: one row is minus a positive combination of others, its bound a little too high."""
    problem, point = around(seed)
    rng = np.random.default_rng(1000 + seed)
    chosen = rng.choice(29, size=4, replace=False)
    share = rng.uniform(0.2, 2.0, 4)
    problem.l[chosen] = problem.C[chosen] @ point
    problem.u[29], problem.C[29] = np.inf, -share @ problem.C[chosen] + rng.normal(size=4) @ problem.A
    # It can be at most this, with every chosen row at its lower bound, as it is at the point.
    most = -share @ problem.l[chosen] + (problem.C[29] + share @ problem.C[chosen]) @ point
    problem.l[29] = most - 1e-3
    assert verdict(problem)
    problem.l[29] = most + 1e-3
    assert not verdict(problem)


def test_points_out_of_reach_do_not_count() -> None:
    problem = QpProblem.zeros((), ("row",), ("x", "y"))
    problem.C[:], problem.l[:] = [[1e-3, 0.0]], 1.0  # x ≥ 1000
    assert verdict(problem, 1100.0) and not verdict(problem, 900.0)


def test_nothing_to_keep_and_contradictory_equalities() -> None:
    assert verdict(QpProblem.zeros((), (), ("x",)))
    twice = QpProblem.zeros(("a", "b"), (), ("x", "y"))
    twice.A[:], twice.b[:] = [[1.0, 1.0], [2.0, 2.0]], [1.0, 2.0]
    assert verdict(twice)
    twice.b[1] = 3.0
    assert not verdict(twice)


class Undecided(QpWorkspace):
    """Never comes to a verdict."""

    asked = 0

    def solve(self, problem: QpProblem) -> QpSolution:
        self.asked += 1
        return QpSolution.without_point(problem, QpStatus.NOT_CONVERGED)

    def forget(self) -> None:
        pass


@pytest.mark.parametrize("workspace", [None, Undecided(1e-6, 10)], ids=["alone", "behind an undecided solver"])
@pytest.mark.parametrize("seed", range(3))
def test_the_smallest_conflict_is_named_without_any_solver(seed: int, workspace: Any) -> None:
    problem, _ = around(seed)
    problem.C[7], problem.l[7], problem.u[7] = -problem.C[3] - problem.C[5], 1.0, np.inf
    problem.l[7] -= problem.l[3] + problem.l[5]
    steps = ConflictSearch(problem, ("e",), workspace).run()
    for count in range(5000):
        try:
            next(steps)
        except StopIteration as done:
            assert sorted(done.value) == ["row 3", "row 5", "row 7"] and count > 10
            break
    assert workspace is None or workspace.asked > 0
