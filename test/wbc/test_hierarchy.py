"""Strict priorities: upper levels untouched, the closed-form law where no inequality acts, constraints
kept at each level."""

from __future__ import annotations

import numpy as np
import pytest
from wbc_scene import (
    HUMANOIDS,
    ObedientWorld,
    controller_parameters,
    estimate,
    moved,
    robot,
    standing_reference,
    terms_at,
)

from wbc_control.parameters.controller import SolverParameters
from wbc_control.qp import QpProblem, QpStatus, create_workspace
from wbc_control.wbc import WholeBodyController
from wbc_control.wbc.hierarchy import HierarchySolver, Level
from wbc_control.wbc.null_space import null_space_acceleration

PRECISE = SolverParameters(backend="daqp", tolerance=1e-9, max_iterations=2000, time_budget=0.0)
BACKENDS = ["daqp", "proxqp"]


def solver(backend: str = "daqp") -> HierarchySolver:
    tolerance = 1e-9 if backend == "daqp" else 1e-7
    parameters = SolverParameters(backend=backend, tolerance=tolerance, max_iterations=2000, time_budget=0.0)
    return HierarchySolver(lambda: create_workspace(parameters))


def random_problem(rng: np.random.Generator, n: int, equalities: int, rows: int, bound: float) -> QpProblem:
    """Feasible at a random point, inequalities close by."""
    problem = QpProblem.zeros(("",) * equalities, ("",) * rows, ("",) * n)
    point = 0.1 * rng.standard_normal(n)
    problem.A[:], problem.C[:] = rng.standard_normal((equalities, n)), rng.standard_normal((rows, n))
    problem.b[:] = problem.A @ point
    problem.l[:], problem.u[:] = problem.C @ point - bound, problem.C @ point + bound
    problem.lower[:], problem.upper[:] = point - 2.0 * bound, point + 2.0 * bound
    return problem


def random_levels(rng: np.random.Generator, n: int, depth: int) -> list[Level]:
    sizes = rng.integers(1, 5, depth)
    return [Level(rng.standard_normal((r, n)), 2.0 * rng.standard_normal(r), rng.uniform(0.5, 5.0, r)) for r in sizes]


def error(level: Level, x: np.ndarray) -> float:
    return float(np.linalg.norm(np.sqrt(level.weights) * (level.A @ x - level.b)))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", range(12))
def test_lower_levels_leave_upper_optima_untouched(seed: int, backend: str) -> None:
    rng = np.random.default_rng(seed)
    problem, levels = random_problem(rng, 20, 4, 15, (0.3, 1.0, 3.0)[seed % 3]), random_levels(rng, 20, 5)
    hierarchy, errors = solver(backend), []
    for depth in range(1, 6):
        solution = hierarchy.solve(levels[:depth], problem)
        assert solution.status is QpStatus.SOLVED
        assert solution.primal_residual(problem) < 1e-6
        errors.append([error(level, solution.x) for level in levels[:depth]])
    for k in range(5):
        np.testing.assert_allclose([e[k] for e in errors[k:]], errors[k][k], atol=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_each_level_is_optimal_given_those_above(seed: int) -> None:
    """Against one plain QP a level, with the errors above held by equalities."""
    rng = np.random.default_rng(100 + seed)
    base, levels = random_problem(rng, 20, 4, 15, (0.3, 1.0, 3.0)[seed % 3]), random_levels(rng, 20, 4)
    for depth in range(1, 5):
        x = solver().solve(levels[:depth], base).x
        above = [level.A for level in levels[: depth - 1]]
        held = QpProblem.zeros(("",) * (4 + sum(map(len, above))), ("",) * 15, ("",) * 20)
        held.A[:] = np.vstack([base.A, *above])
        held.b[:] = held.A @ x
        for name in ("C", "l", "u", "lower", "upper"):
            getattr(held, name)[:] = getattr(base, name)
        own = levels[depth - 1]
        scale = np.linalg.norm(own.A) ** 2
        held.H[:] = (own.A.T * own.weights) @ own.A / scale + 1e-9 * np.eye(20)
        held.g[:] = -(own.weights * own.b) @ own.A / scale
        held.l[:], held.u[:], held.lower[:], held.upper[:] = (
            held.l - 1e-9,
            held.u + 1e-9,
            held.lower - 1e-9,
            held.upper + 1e-9,
        )
        best = create_workspace(PRECISE).solve(held)
        if best.solved:  # a pinched feasible set may defeat a plain QP; most are not
            assert error(own, x) == pytest.approx(error(own, best.x), abs=1e-5)
        else:
            assert depth > 1


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_the_null_space_law_without_inequalities(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    levels = random_levels(rng, 30, 4)
    free = QpProblem.zeros((), (), ("",) * 30)
    least = np.eye(30) * 1e-3, np.zeros(30)
    x = solver().solve(levels, free, least).x
    law = null_space_acceleration([(level.A, level.b) for level in levels])
    np.testing.assert_allclose(x, law, atol=1e-5)


def test_null_space_law_in_the_inertia_metric_is_dynamically_consistent() -> None:
    """With one task q̈ = J̄ b with J̄ = M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹; lower tasks cost the upper ones nothing, also in conflict."""
    model, rng = robot("humanoid"), np.random.default_rng(5)
    terms = terms_at(model, model.standing_configuration(), np.zeros(model.nv))
    J, b = terms.J_com, rng.standard_normal(3)
    inverse = np.linalg.solve(terms.M, J.T)
    np.testing.assert_allclose(
        null_space_acceleration([(J, b)], terms.M), inverse @ np.linalg.solve(J @ inverse, b), atol=1e-8
    )
    foot, c = terms.J_foot[0], rng.standard_normal(6)
    both = null_space_acceleration([(J, b), (foot, c), (J, -b)], terms.M)
    np.testing.assert_allclose(J @ both, b, atol=1e-8)
    np.testing.assert_allclose(foot @ both, c, atol=1e-8)


def test_coupling_is_what_the_naive_law_forgets() -> None:
    """Erratum 15: without J₂ q̈₁ the second task misses, with it both are met."""
    J1, J2 = np.array([[1.0, 1.0, 0.0]]), np.array([[1.0, 0.0, 1.0]])
    q = null_space_acceleration([(J1, np.array([1.0])), (J2, np.array([2.0]))])
    np.testing.assert_allclose([J1 @ q, J2 @ q], [[1.0], [2.0]], atol=1e-12)


def test_the_controller_obeys_strict_priorities() -> None:
    """A posture of any weight cannot move the centre of mass; weighted, it can."""
    model = robot("humanoid")
    still = standing_reference(model)
    wanted = moved(still, com_acceleration=np.array([0.2, 0.1, -0.1]))
    q = model.standing_configuration()
    q[7:10] += 0.05  # off the standing posture, so that posture and centre of mass disagree
    q[2] -= model.lowest_sole_height(q)
    wanted = moved(wanted, com_position=terms_at(model, q, np.zeros(model.nv)).com.copy())
    misses = {}
    for priorities in ("weighted", "strict"):
        parameters = controller_parameters(
            "humanoid", priorities=priorities, posture__weight=1e3, solver__backend="daqp"
        )
        controller = WholeBodyController(model, parameters)
        output = controller.update(estimate(model, q, np.zeros(model.nv)), wanted)
        assert output.status.value == "solved"
        got = controller.terms.J_com @ output.telemetry.acceleration + controller.terms.com_drift
        misses[priorities] = float(np.abs(got - wanted.com_acceleration).max())
    assert misses["strict"] < 1e-4
    assert misses["weighted"] > 1e-2


def test_an_infeasible_hierarchy_says_so() -> None:
    problem = QpProblem.zeros(("", ""), (), ("",) * 3)
    problem.A[:, 0], problem.b[:] = 1.0, (0.0, 1.0)
    level = Level(np.ones((1, 3)), np.ones(1), np.ones(1))
    assert solver().solve([level], problem).status is QpStatus.INFEASIBLE


@pytest.mark.slow
@pytest.mark.parametrize("name", HUMANOIDS)
def test_strict_priorities_keep_the_posture_over_time(name: str) -> None:
    """Angular momentum shares the last level with the posture: as a level of its own it would let the body drift off."""
    rng = np.random.default_rng(1)
    model = robot(name)
    v = np.zeros(model.nv)
    v[model.v_index] = 0.2 * rng.standard_normal(model.n)
    world = ObedientWorld(name, v=v, priorities="strict", solver__backend="daqp")
    reference = standing_reference(model)
    for _ in range(1500):
        assert world.step(reference).status.value == "solved"
    standing = model.joint_positions(model.standing_configuration())
    assert np.abs(world.joints - standing).max() < 0.05
    assert np.abs(world.joint_velocity).max() < 0.05
