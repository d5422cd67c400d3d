"""Predicted active sets: the minimiser or nothing, whatever set is predicted and however the problem changes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import FactoredCost, QpProblem, QpSolution, QpStatus, QpWorkspace, create_workspace
from wbc_control.qp.backends import available_backends
from wbc_control.qp.predicting_workspace import PredictingWorkspace

BACKEND = "daqp" if "daqp" in available_backends() else "proxqp"
PARAMETERS = SolverParameters(backend=BACKEND, time_budget=0.0, tolerance=1e-8, max_iterations=1000)
FEW_ACTIVE = (16, 24, 26, 33, 46, 56)
"""Seeds of problems with few enough active constraints for a prediction, and room for one more."""


class CountingSolver(QpWorkspace):
    """The real one, counted."""

    def __init__(self) -> None:
        super().__init__(PARAMETERS.tolerance, PARAMETERS.max_iterations)
        self._solver, self.calls = create_workspace(PARAMETERS), 0

    def solve(self, problem: QpProblem) -> QpSolution:
        self.calls += 1
        return self._solver.solve(problem)

    def forget(self) -> None:
        self._solver.forget()


def factored_problem(seed: int, n: int = 20, m: int = 4, k: int = 15, tasks: int = 5, columns: int = 14) -> QpProblem:
    """Feasible, with up to a dozen constraints active; H and g pending, to be had from the factors."""
    rng = np.random.default_rng(seed)
    problem = QpProblem.zeros(("e",) * m, ("row",) * k, ("bound",) * n)
    rows, targets = rng.normal(size=(tasks, columns)), 3.0 * rng.normal(size=tasks)
    cost = FactoredCost(10.0 ** rng.uniform(-4, 0, n), rows, targets, 10.0 ** rng.uniform(-1, 3, (tasks, 1)))
    cost.gradient[:] = rng.normal(size=n) * cost.diagonal
    problem.A[:], problem.C[:] = rng.normal(size=(m, n)), rng.normal(size=(k, n))
    point = rng.normal(size=n)
    problem.b[:] = problem.A @ point
    problem.l[:], problem.u[:] = problem.C @ point - 1.0, problem.C @ point + rng.choice([1.0, 8.0, np.inf], size=k)
    problem.lower[:], problem.upper[:] = point - 2.0, point + 20.0
    problem.lower[::2] = -np.inf
    return dataclasses.replace(problem, cost=cost)


def moved(problem: QpProblem, rng: np.random.Generator, size: float) -> None:
    """A little further on: other targets, right-hand sides and rows, as from tick to tick."""
    assert problem.cost is not None
    for buffer in (problem.cost.targets, problem.cost.gradient, problem.cost.rows, problem.b, problem.A, problem.C):
        buffer += size * rng.normal(size=buffer.shape) * np.abs(buffer)
    problem.cost.pending = True


def assert_optimal(solution: QpSolution, problem: QpProblem) -> None:
    assert solution.solved
    scale = max(1.0, float(np.abs(problem.g).max()))
    assert solution.primal_residual(problem) < 1e-7
    assert solution.dual_residual(problem) < 1e-6 * scale
    assert solution.duality_gap(problem) < 1e-5 * max(1.0, abs(float(problem.g @ solution.x)))


def test_factors_make_hessian_and_gradient() -> None:
    problem = factored_problem(0)
    cost, columns = problem.cost, 14
    assert cost is not None and cost.pending
    cost.weights[2] = 0.0
    cost.reweigh()
    problem.complete()
    R = np.zeros((5, 20))
    R[:, :columns] = cost.rows
    np.testing.assert_allclose(problem.H, np.diag(cost.diagonal) + R.T @ (cost.weights * R), atol=1e-12)
    np.testing.assert_allclose(problem.g, cost.gradient - R.T @ (cost.weights[:, 0] * cost.targets), atol=1e-12)
    np.testing.assert_allclose(cost.scale, np.sqrt(cost.weights) / np.sqrt(cost.diagonal[:columns]))
    assert not cost.pending


@pytest.mark.parametrize("seed", range(12))
def test_predictions_are_the_minimiser(seed: int) -> None:
    """A slow motion: nearly all predicted, bounds and rows active, each as optimal as what the solver itself finds."""
    problem, solver, rng = factored_problem(seed), CountingSolver(), np.random.default_rng(seed)
    workspace, active = PredictingWorkspace(solver), 0
    for _ in range(40):
        moved(problem, rng, 1e-4)
        solution = workspace.solve(problem)
        assert_optimal(solution, problem)
        exact = create_workspace(PARAMETERS).solve(problem)
        np.testing.assert_allclose(solution.x, exact.x, atol=1e-6)
        np.testing.assert_allclose(solution.z, exact.z, atol=1e-4 * max(1.0, np.abs(exact.z).max()))
        active = max(active, np.count_nonzero(solution.z) + np.count_nonzero(solution.w))
    assert solver.calls <= (20 if active <= 8 else 40)
    assert active > 0


@pytest.mark.parametrize("seed", range(12))
def test_wild_changes_cost_no_correctness(seed: int) -> None:
    problem, solver, rng = factored_problem(seed), CountingSolver(), np.random.default_rng(seed)
    workspace = PredictingWorkspace(solver)
    solved = 0
    for step in range(30):
        moved(problem, rng, 0.3 if step % 5 == 0 else 0.0)
        solution, exact = workspace.solve(problem), create_workspace(PARAMETERS).solve(problem)
        assert solution.status is exact.status
        if exact.solved:
            assert_optimal(solution, problem)
            solved += 1
    assert solved > 0


@pytest.mark.parametrize("seed", FEW_ACTIVE)
def test_no_wrong_set_is_believed(seed: int) -> None:
    """Every single constraint on either side, added to or taken from the right set."""
    problem, solver = factored_problem(seed), CountingSolver()
    workspace = PredictingWorkspace(solver)
    workspace.solve(problem)
    workspace.solve(problem)
    assert workspace._is_steady
    active, sides = workspace._active.copy(), workspace._sides.copy()
    m, n = problem.equalities, problem.variables
    for index in [i for i in range(problem.constraints) if not n <= i < n + m]:
        for side in (-1.0, 1.0):
            keep = active != index
            wrong, other = active[keep], sides[keep]
            if keep.all() and len(active) < 8:
                wrong, other = np.append(wrong, index), np.append(other, side)
            workspace._active, workspace._sides, workspace._is_steady = wrong, other, True
            solution = workspace.solve(problem)
            assert_optimal(solution, problem)


def test_what_cannot_be_predicted_goes_to_the_solver() -> None:
    problem, solver = factored_problem(FEW_ACTIVE[0]), CountingSolver()
    workspace = PredictingWorkspace(solver)
    for _ in range(3):
        workspace.solve(problem)
    assert solver.calls == 2
    workspace.solve(dataclasses.replace(problem, cost=None))
    assert solver.calls == 3
    workspace.solve(problem.first_rows(10))
    assert solver.calls == 4
    workspace.forget()
    workspace.solve(problem)
    assert solver.calls == 5


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("buffer", ["rows", "targets", "gradient", "A", "b", "C"])
def test_nothing_non_finite_comes_out(buffer: str, bad: float) -> None:
    problem, workspace = factored_problem(FEW_ACTIVE[1]), PredictingWorkspace(CountingSolver())
    for _ in range(3):
        assert workspace.solve(problem).solved
    owner = problem if buffer in ("A", "b", "C") else problem.cost
    getattr(owner, buffer).reshape(-1)[1] = bad
    assert problem.cost is not None
    problem.cost.pending = True
    with np.errstate(invalid="ignore", over="ignore"):
        solution = workspace.solve(problem)
    assert solution.status is QpStatus.NOT_FINITE and not solution.x.any()


def test_a_contradiction_is_not_predicted_away() -> None:
    problem, workspace = factored_problem(FEW_ACTIVE[2]), PredictingWorkspace(CountingSolver())
    for _ in range(3):
        assert workspace.solve(problem).solved
    problem.A[1], problem.b[1] = problem.A[0], problem.b[0] + 1.0
    assert not workspace.solve(problem).solved
    assert not workspace._is_steady
