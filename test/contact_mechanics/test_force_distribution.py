"""Force distribution and its QP: exercise 4.6, KKT against an independent solver, infeasible wrenches, smoothness."""

import numpy as np
import pytest
from scipy.optimize import linprog

from wbc_control.contact_mechanics.contact_frame import sum_wrenches
from wbc_control.contact_mechanics.cop import cop_of_forces
from wbc_control.contact_mechanics.force_distribution import ForceDistributor, pseudo_inverse_distribution
from wbc_control.contact_mechanics.friction_cone import in_cone
from wbc_control.contact_mechanics.grasp_matrix import grasp_matrix
from wbc_control.contact_mechanics.quadratic_program import solve_quadratic_program
from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.contact_mechanics.support_polygon import convex_hull, signed_distance
from wbc_control.errors import DomainError, ShapeError

CORNERS = np.array([[x, y, 0.0] for y in (0.14, 0.06, -0.06, -0.14) for x in (0.12, -0.08)])
COM = np.array([0.01, 0.0, 0.8])
WEIGHT = 35.0 * 9.81


def random_qp(seed):
    rng = np.random.default_rng(seed)
    n, p, m = 6, rng.integers(0, 3), rng.integers(1, 12)
    root = rng.normal(size=(n, n))
    inside = rng.normal(size=n)
    equality, inequality = rng.normal(size=(p, n)), rng.normal(size=(m, n))
    value = inequality @ inside - rng.uniform(0, 1, m) if seed % 4 else rng.normal(size=m)
    return root @ root.T + 0.1 * np.eye(n), rng.normal(size=n), equality, equality @ inside, inequality, value


@pytest.mark.parametrize("seed", range(40))
def test_quadratic_programme_against_proxqp(seed):
    proxsuite = pytest.importorskip("proxsuite")
    hessian, gradient, equality, right, inequality, value = random_qp(seed)
    found = solve_quadratic_program(hessian, gradient, equality, right, inequality, value)
    feasible = linprog(
        np.zeros(6), A_ub=-inequality, b_ub=-value, bounds=(None, None), method="highs",
        **({"A_eq": equality, "b_eq": right} if len(right) else {}),
    ).status == 0
    assert found.status.ok == feasible
    if feasible:
        reference = proxsuite.proxqp.dense.solve(
            hessian, gradient, equality, right, inequality, value, np.full(len(value), 1e20), eps_abs=1e-10
        )
        np.testing.assert_allclose(found.x, reference.x, atol=1e-6)
        assert found.residual < 1e-7


def test_quadratic_programme_statuses():
    nothing = np.zeros((0, 2)), np.zeros(0)
    crossed = np.array([[1.0, 0], [-1.0, 0]]), np.array([1.0, 0.0])
    impossible = solve_quadratic_program(np.eye(2), np.zeros(2), *nothing, *crossed)
    assert impossible.status is SolverStatus.INFEASIBLE and impossible.residual > 0
    boxed = np.eye(2), np.ones(2)
    limited = solve_quadratic_program(np.eye(2), np.zeros(2), *nothing, *boxed, max_iterations=1)
    assert limited.status is SolverStatus.ITERATION_LIMIT
    assert solve_quadratic_program(np.eye(2), np.zeros(2), *nothing, *boxed).active == (0, 1)
    with pytest.raises(DomainError):
        solve_quadratic_program(-np.eye(2), np.zeros(2), *nothing, *boxed)


def test_exercise_4_6_distribution_over_both_feet():
    """Eight corners: balance, Coulomb's cone at each corner, and with it the ZMP in the support polygon."""
    distributor = ForceDistributor(0.6, 8)
    matrix = grasp_matrix(CORNERS, COM)
    wrench = np.array([20.0, -10.0, WEIGHT, 2.0, -3.0, 1.0])
    found = distributor.distribute(matrix, wrench)
    assert found.status.ok
    np.testing.assert_allclose(sum_wrenches(found.forces, CORNERS, COM), wrench, atol=1e-6)
    assert in_cone(found.forces, 0.6, 1e-7).all()
    zmp = cop_of_forces(CORNERS, found.forces[:, 2])
    assert signed_distance(convex_hull(map(tuple, CORNERS[:, :2].tolist())), tuple(zmp[:2])) > 0
    rivals, _ = pseudo_inverse_distribution(matrix, wrench, np.random.default_rng(0).normal(size=24))
    assert np.linalg.norm(found.forces) <= np.linalg.norm(rivals) + 1e-9


@pytest.mark.parametrize("corners", [4, 8, 12])
def test_single_support_is_redundant_too(corners):
    rng = np.random.default_rng(0)
    points = np.column_stack([rng.uniform(-0.1, 0.1, (corners, 2)), np.zeros(corners)])
    matrix = grasp_matrix(points)
    assert 3 * corners - np.linalg.matrix_rank(matrix) == 3 * corners - 6  # dimension of the internal forces
    wrench = sum_wrenches(np.tile([1.0, 0, 30.0], (corners, 1)), points, np.zeros(3))
    found = ForceDistributor(0.5, corners, facets=8, minimum_force=1.0).distribute(matrix, wrench)
    assert found.status.ok and found.forces[:, 2].min() > 1.0 - 1e-6


@pytest.mark.parametrize("wrench", [
    [0.9 * WEIGHT, 0, WEIGHT, 0, 0, 0],   # beyond friction
    [0, 0, WEIGHT, 200.0, 0, 0],          # ZMP outside
    [0, 0, -WEIGHT, 0, 0, 0],             # pulling
])
def test_infeasible_wrench_is_named_and_the_forces_stay_admissible(wrench):
    found = ForceDistributor(0.6, 8).distribute(grasp_matrix(CORNERS, COM * [1, 1, 0]), np.array(wrench))
    assert found.status is SolverStatus.INFEASIBLE
    assert np.abs(found.wrench_error).max() > 1.0
    assert in_cone(found.forces, 0.6, 1e-5).all()


def test_smoothness_keeps_forces_near_the_last_ones():
    matrix = grasp_matrix(CORNERS, COM)
    wrench = np.array([0, 0, WEIGHT, 0, 0, 0])
    squeeze = np.zeros((8, 3))
    squeeze[:, 1] = 10.0 * np.sign(CORNERS[:, 1])  # the feet push each other apart: internal, no wrench
    last = ForceDistributor(0.6, 8).distribute(matrix, wrench + [15, 5, 0, 4, 0, 0]).forces + squeeze
    jumps = [
        np.linalg.norm(ForceDistributor(0.6, 8, smoothness=s).distribute(matrix, wrench, last).forces - last)
        for s in (0.0, 1.0, 10.0, 100.0)
    ]
    assert jumps[0] > jumps[1] > jumps[2] > jumps[3]


def test_pseudo_inverse_and_its_null_space():
    """Frictionless flat foot: load and two moments are made, horizontal force is left over; f₀ makes no wrench."""
    normals = grasp_matrix(CORNERS[:4])[:, 2::3]
    wrench = np.array([5.0, 0, 100.0, 9.0, -1.0, 0])
    forces, left = pseudo_inverse_distribution(normals, wrench)
    np.testing.assert_allclose(left, [5, 0, 0, 0, 0, 0], atol=1e-9)
    shifted, _ = pseudo_inverse_distribution(normals, wrench, np.array([10.0, -10, -10, 10]))
    np.testing.assert_allclose(normals @ shifted, normals @ forces, atol=1e-9)
    assert np.linalg.norm(shifted) > np.linalg.norm(forces)


def test_bad_distributions_are_refused():
    with pytest.raises(DomainError):
        ForceDistributor(-0.1, 4)
    with pytest.raises(DomainError):
        ForceDistributor(0.5, 4, smoothness=-1.0)
    distributor = ForceDistributor(0.5, 8)
    with pytest.raises(ShapeError):
        distributor.distribute(np.zeros((6, 12)), np.zeros(6))
    with pytest.raises(DomainError):
        distributor.distribute(grasp_matrix(CORNERS), np.full(6, np.nan))
    with pytest.raises(ShapeError):
        pseudo_inverse_distribution(grasp_matrix(CORNERS), np.zeros(6), np.zeros(3))
