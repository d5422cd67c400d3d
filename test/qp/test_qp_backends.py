"""Every QP back end against the optimality conditions, and the search for conflicting constraints."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from wbc_control.errors import ParameterError, ProblemError
from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import QpProblem, QpSolution, QpStatus, QpWorkspace, create_workspace
from wbc_control.qp.backends import available_backends
from wbc_control.qp.conflict import ConflictSearch
from wbc_control.qp.softness import Softness

MODULES = {"proxqp": "proxsuite", "daqp": "daqp", "piqp": "piqp", "quadprog": "quadprog"}
BACKENDS = [
    pytest.param(name, marks=pytest.mark.skipif(name not in available_backends(), reason=f"{module} is not installed"))
    for name, module in MODULES.items()
]


def workspace(name: str, **values: Any) -> QpWorkspace:
    """Without a time budget: results must not depend on load."""
    return create_workspace(dataclasses.replace(SolverParameters(backend=name), **{"time_budget": 0.0, **values}))


def random_problem(seed: int, n: int = 12, m: int = 4, k: int = 15) -> QpProblem:
    """Feasible by construction: every constraint holds, some just so, at a random point."""
    rng = np.random.default_rng(seed)
    problem = QpProblem.zeros(("e",) * m, tuple(f"row {i}" for i in range(k)), tuple(f"bound {i}" for i in range(n)))
    root = rng.normal(size=(n, n))
    problem.H[:] = root @ root.T + 0.1 * np.eye(n)
    problem.g[:] = 5.0 * rng.normal(size=n)
    problem.A[:], problem.C[:] = rng.normal(size=(m, n)), rng.normal(size=(k, n))
    point = rng.normal(size=n)
    problem.b[:] = problem.A @ point
    slack = rng.choice([0.0, 1.0], size=(2, k)) * rng.random((2, k))
    problem.l[:], problem.u[:] = problem.C @ point - slack[0], problem.C @ point + slack[1] + 0.1
    problem.u[::3] = np.inf
    problem.lower[:], problem.upper[:] = point - 0.5, point + 0.5
    problem.lower[::2] = -np.inf
    return problem


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", range(6))
def test_solutions_are_optimal(backend: str, seed: int) -> None:
    problem = random_problem(seed)
    solution = workspace(backend).solve(problem)
    assert solution.solved
    assert solution.primal_residual(problem) < 1e-5
    assert solution.dual_residual(problem) < 1e-4
    assert solution.duality_gap(problem) < 1e-3


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_workspace_serves_changing_data_and_sizes(backend: str) -> None:
    solver = workspace(backend)
    for seed, size in ((0, 12), (1, 12), (2, 15), (3, 12)):
        problem = random_problem(seed, n=size)
        reference = workspace("proxqp", tolerance=1e-9, max_iterations=1000).solve(problem)
        np.testing.assert_allclose(solver.solve(problem).x, reference.x, atol=1e-4)


@pytest.mark.parametrize("backend", BACKENDS)
def test_contradictions_are_infeasible(backend: str) -> None:
    problem = random_problem(0)
    problem.C[1] = problem.C[0]
    problem.l[0], problem.u[0] = 3.0, np.inf
    problem.l[1], problem.u[1] = -np.inf, 2.0
    solution = workspace(backend).solve(problem)
    assert solution.status in (QpStatus.INFEASIBLE, QpStatus.NOT_CONVERGED) and not solution.solved
    if backend != "proxqp":  # which may end without a certificate
        assert solution.status is QpStatus.INFEASIBLE


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("field", ["H", "g", "A", "b", "C", "l", "u", "lower", "upper"])
def test_nan_never_reaches_a_solver(backend: str, field: str) -> None:
    problem = random_problem(0)
    getattr(problem, field).flat[1] = np.nan
    solution = workspace(backend).solve(problem)
    assert solution.status is QpStatus.NOT_FINITE
    assert np.isfinite(solution.x).all()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", range(6))
def test_out_of_iterations_is_never_solved_unless_it_is(backend: str, seed: int) -> None:
    """quadprog cannot be stopped early: it may say solved, and then it must be."""
    problem = random_problem(seed)
    solution = workspace(backend, max_iterations=1).solve(problem)
    if backend != "quadprog":
        assert solution.status is QpStatus.NOT_CONVERGED
    elif solution.solved:
        assert max(solution.primal_residual(problem), solution.dual_residual(problem)) < 1e-8


@pytest.mark.parametrize("backend", BACKENDS)
def test_elastic_solves_violate_only_what_is_soft(backend: str) -> None:
    problem = random_problem(0)
    problem.C[1] = problem.C[0]
    problem.l[0], problem.u[0] = 3.0, np.inf
    problem.l[1], problem.u[1] = -np.inf, 2.0
    rows = np.zeros(problem.inequalities, dtype=bool)
    rows[:2] = True
    softness = Softness(np.zeros(problem.variables, dtype=bool), rows, 1e4)
    solution = workspace(backend, max_iterations=2000).solve_elastic(problem, softness)
    reference = workspace("proxqp", max_iterations=5000, tolerance=1e-8).solve(softness.augmented(problem))
    assert solution.solved and reference.solved
    values = problem.C @ solution.x
    assert values[0] < 3.0 - 1e-3 or values[0] > 2.0 + 1e-3
    assert (values[2:] >= problem.l[2:] - 1e-5).all() and (values[2:] <= problem.u[2:] + 1e-5).all()
    np.testing.assert_allclose(problem.A @ solution.x, problem.b, atol=1e-5)
    np.testing.assert_allclose(solution.x, reference.x[: problem.variables], atol=1e-3)


def softened(seed: int) -> tuple[QpProblem, Softness]:
    """Two rows that contradict each other, and soft bounds and rows that include them."""
    problem, rng = random_problem(seed), np.random.default_rng(seed)
    problem.C[1] = problem.C[0]
    problem.l[0], problem.u[0] = 3.0, np.inf
    problem.l[1], problem.u[1] = -np.inf, 2.0
    rows = rng.random(problem.inequalities) < 0.5
    rows[:2] = True
    return problem, Softness(rng.random(problem.variables) < 0.5, rows, 1e2)


@pytest.mark.parametrize("backend", [p for p in BACKENDS if p.values[0] not in ("daqp", "quadprog")])
@pytest.mark.parametrize("seed", range(4))
def test_augmented_elastic_solves_agree(backend: str, seed: int) -> None:
    pytest.importorskip("quadprog", reason="quadprog is the exact reference")
    problem, softness = softened(seed)
    reference = workspace("quadprog").solve_elastic(problem, softness)
    solution = workspace(backend, tolerance=1e-9, max_iterations=5000).solve_elastic(problem, softness)
    assert solution.solved and reference.solved
    np.testing.assert_allclose(solution.x, reference.x, atol=1e-5)
    for one in (solution, reference):
        assert one.dual_residual(problem) < 1e-5  # the multipliers are those of the problem itself


@pytest.mark.parametrize("seed", range(8))
def test_slacks_inside_daqp_are_priced_by_row_length(seed: int) -> None:
    """DAQP divides each constraint by its length in the metric of H⁻¹; the price is per such unit."""
    for module in ("daqp", "quadprog"):
        pytest.importorskip(module, reason="compares DAQP with quadprog")
    problem, softness = softened(seed)
    bounds, rows = np.flatnonzero(softness.bounds), np.flatnonzero(softness.rows)
    normals = np.vstack([np.eye(problem.variables)[bounds], problem.C[rows]])
    squared = np.einsum("ij,ij->i", normals, np.linalg.solve(problem.H, normals.T).T)
    augmented = softness.augmented(problem)
    slacks = np.arange(problem.variables, augmented.variables)
    augmented.H[slacks, slacks] /= squared
    reference = workspace("quadprog").solve(augmented)
    solution = workspace("daqp").solve_elastic(problem, softness)
    assert solution.solved and reference.solved
    np.testing.assert_allclose(solution.x, reference.x[: problem.variables], atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", range(4))
def test_exactly_the_planted_conflict_is_named(backend: str, seed: int) -> None:
    problem = random_problem(seed)
    rng = np.random.default_rng(100 + seed)
    first, second, third = rng.choice(problem.inequalities, size=3, replace=False)
    # x ≥ 1, y ≥ 1, x + y ≤ 1 along random directions: any two can be kept, all three cannot.
    problem.l[:], problem.u[:], problem.lower[:], problem.upper[:] = -50.0, 50.0, -50.0, 50.0
    problem.C[third] = problem.C[first] + problem.C[second]
    problem.l[first] = problem.l[second] = 1.0
    problem.u[third] = 1.0
    named = finish(ConflictSearch(problem, ("e",), workspace(backend)))
    assert sorted(named) == sorted(f"row {i}" for i in (first, second, third))


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_conflict_no_names(backend: str) -> None:
    assert finish(ConflictSearch(random_problem(0), ("e",), workspace(backend))) == ()


def finish(search: ConflictSearch) -> tuple[str, ...]:
    steps = search.run()
    for _ in range(500):
        try:
            next(steps)
        except StopIteration as done:
            return done.value
    raise AssertionError("the search does not end")


def test_crossed_sizes_and_unknown_solvers_are_refused() -> None:
    good = random_problem(0)
    with pytest.raises(ProblemError, match=r"QpProblem\.A: has shape"):
        dataclasses.replace(good, A=good.A[:, 1:])
    with pytest.raises(ParameterError, match="no QP solver 'simplex': choose auto"):
        create_workspace(SolverParameters(backend="simplex"))


class Fussy(QpWorkspace):
    """Solves only what is curved enough in every direction; keeps the budgets it was given."""

    def __init__(self, least: float) -> None:
        super().__init__(1e-6, 10, 5.0)
        self._least, self._inner = least, workspace("proxqp")
        self.budgets: list[float] = []

    def solve(self, problem: QpProblem) -> QpSolution:
        self.budgets.append(self.time_budget)
        if np.linalg.eigvalsh(problem.H)[0] < self._least:
            return QpSolution.without_point(problem, QpStatus.INFEASIBLE)
        return self._inner.solve(problem)

    def forget(self) -> None:
        self._inner.forget()


def test_an_elastic_solve_that_fails_is_tried_calmed_within_the_same_budget() -> None:
    problem, softness = softened(0)
    problem.H[:] = np.diag(np.linspace(1e-5, 1.0, problem.variables))
    fussy = Fussy(0.05)
    assert fussy.solve_elastic(problem, softness).solved
    assert len(fussy.budgets) == 2 and fussy.budgets[0] == 5.0 and 0.0 < fussy.budgets[1] < 5.0
    assert fussy.time_budget == 5.0
    assert not Fussy(10.0).solve_elastic(problem, softness).solved


@pytest.mark.parametrize("backend", BACKENDS)
def test_rows_that_bound_nothing_are_silent(backend: str, capfd: pytest.CaptureFixture[str]) -> None:
    problem = random_problem(0)
    problem.l[3], problem.u[3] = -np.inf, np.inf
    solution = workspace(backend).solve(problem)
    said = capfd.readouterr()
    assert solution.solved and said.out == said.err == ""
    assert solution.dual_residual(problem) < 1e-4 and abs(solution.z[3]) < 1e-6
