"""Closure, grasp margins and wrench sets: textbook grasps, exercise 4.4 corrected, random-wrench properties."""
import math

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from wbc_control.contact_mechanics.closure import (
    force_closure,
    form_closure,
    planar_force_closure,
    planar_form_closure,
    positive_span,
)
from wbc_control.contact_mechanics.grasp import Grasp, centred_grasp
from wbc_control.contact_mechanics.grasp_margin import ferrari_canny_l1, ferrari_canny_linf
from wbc_control.contact_mechanics.inscribed_ball import inscribed_ball
from wbc_control.contact_mechanics.linear_program import LpStatus, solve_linear_program
from wbc_control.contact_mechanics.robust_closure import Robustness, robust_force_closure
from wbc_control.contact_mechanics.wrench_set import WrenchSet
from wbc_control.errors import DomainError, ProblemError, ShapeError


def sphere_grasp(directions, friction, length=1.0):
    points = np.array(directions, dtype=float)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return Grasp(points, -points, friction, np.zeros(3), length)


TRIPOD = [[math.cos(a), math.sin(a), 0] for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
TETRAHEDRON = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]


@pytest.mark.parametrize("seed", range(40))
def test_linear_programme_against_highs(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 6), rng.integers(2, 10)
    matrix = rng.integers(-3, 4, size=(rows, columns)).astype(float)
    right = matrix @ rng.integers(0, 3, columns) if seed % 3 else rng.integers(-3, 4, rows).astype(float)
    cost = rng.integers(-2, 5, columns).astype(float)
    found = solve_linear_program(cost, matrix, right)
    reference = linprog(cost, A_eq=matrix, b_eq=right, method="highs")
    assert found.status is {0: LpStatus.OPTIMAL, 2: LpStatus.INFEASIBLE, 3: LpStatus.UNBOUNDED}[reference.status]
    if reference.status == 0:
        assert found.value == pytest.approx(reference.fun, abs=1e-9)
        assert found.residual < 1e-9 and found.x.min() >= 0


def test_linear_programme_refuses_bad_input():
    with pytest.raises(ProblemError):
        solve_linear_program(np.zeros(2), np.eye(3), np.zeros(3))
    with pytest.raises(DomainError):
        solve_linear_program(np.zeros(2), np.array([[np.nan, 1]]), np.zeros(1))


@pytest.mark.parametrize(
    ("grasp", "closed"),
    [
        (sphere_grasp([[1, 0, 0], [-1, 0, 0]], 0.5), False),  # two hard fingers cannot resist spin about their line
        (sphere_grasp(TRIPOD, 0.5), True),
        (sphere_grasp(TRIPOD, 0.0), False),
        (sphere_grasp(TRIPOD[:2], 2.0), False),
        (sphere_grasp(TETRAHEDRON, 0.3), True),
        (sphere_grasp([[1, 0, 0.2], [0, 1, 0.2], [-1, -1, 0.2]], 0.1), False),  # all push downwards
        (sphere_grasp([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 0.3), False),  # all from one octant
    ],
)
def test_known_grasps(grasp, closed):
    verdict = force_closure(grasp)
    assert verdict.closed is closed
    assert (ferrari_canny_l1(grasp).lower > 1e-6) is closed
    assert (ferrari_canny_linf(grasp).lower > 1e-6) is closed


def can_balance(grasp, wrench, facets=16):
    generators = grasp.generators(facets)
    return linprog(np.zeros(len(generators)), A_eq=generators.T, b_eq=-wrench, method="highs").status == 0


@pytest.mark.parametrize("seed", range(25))
def test_force_closure_iff_every_random_wrench_is_balanced(seed):
    rng = np.random.default_rng(seed)
    grasp = sphere_grasp(rng.normal(size=(rng.integers(3, 6), 3)), rng.uniform(0.1, 0.9))
    verdict = force_closure(grasp)
    wrenches = rng.normal(size=(40, 6))
    if verdict.closed:
        assert all(can_balance(grasp, w, verdict.facets) for w in wrenches)
    elif verdict.closed is False:
        margin = ferrari_canny_l1(grasp)
        assert margin.lower == 0.0
        # The direction no contact reaches: a wrench along it cannot be balanced by the round cones.
        assert not can_balance(grasp, -margin.direction)


def test_exercise_4_4_three_frictionless_planar_contacts_do_not_close():
    """Corrected answer: unilateral contacts need four in the plane, for force and for form closure alike."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        angles = rng.uniform(0, 2 * math.pi, 3)
        points = rng.normal(size=(3, 2))
        assert planar_form_closure(points, np.column_stack([np.cos(angles), np.sin(angles)])).closed is False
    four = np.array([[-1, 0.5], [1, -0.5], [0.5, -1], [-0.5, 1.0]])
    inward = np.array([[1, 0], [-1, 0], [0, 1], [0, -1.0]])
    assert planar_form_closure(four, inward).closed
    through_one_point = np.array([[-1, 0], [1, 0], [0, -1], [0, 1.0]])
    assert planar_form_closure(through_one_point, inward).closed is False
    assert planar_form_closure(four[:3], inward[:3]).closed is False


def test_planar_friction_closes_with_two_fingers():
    facing = np.array([[-1, 0], [1, 0.0]])
    inward = np.array([[1, 0], [-1, 0.0]])
    assert planar_force_closure(facing, inward, 0.3).closed
    assert planar_force_closure(facing, inward, 0.0).closed is False
    offset = np.array([[-1, 0], [1, 0.9]])
    assert planar_force_closure(offset, inward, 0.4).closed is False
    assert planar_force_closure(offset, inward, 0.5).closed


def test_spanning_without_positive_span_is_not_closure():
    """±x and +y: full rank, zero is a combination, but nothing pushes towards −y."""
    verdict = positive_span(np.array([[1.0, 0], [-1, 0], [0, 1]]))
    assert verdict.closed is False and verdict.rank == 2 and verdict.coefficient == pytest.approx(0.0, abs=1e-12)


def cube_fixture(seed, count):
    """Random frictionless contacts on the faces of a cube."""
    rng = np.random.default_rng(seed)
    points, normals = [], []
    for i in range(count):
        axis, sign = (i // 2) % 3, 1 - 2 * (i % 2)
        normal = np.zeros(3)
        normal[axis] = -sign
        point = rng.uniform(-1, 1, 3)
        point[axis] = sign
        points.append(point)
        normals.append(normal)
    return centred_grasp(np.array(points), np.array(normals), 0.0)


def test_form_closure_needs_seven_contacts():
    assert not any(form_closure(cube_fixture(seed, 6)).closed for seed in range(40))
    assert any(form_closure(cube_fixture(seed, 12)).closed for seed in range(40))
    closed = next(cube_fixture(s, 12) for s in range(40) if form_closure(cube_fixture(s, 12)).closed)
    verdict = form_closure(closed)
    assert verdict.rank == 6 and verdict.coefficient > 0
    assert force_closure(closed).closed  # form closure implies force closure, even without friction


def test_closure_does_not_depend_on_the_frame():
    from wbc_control.spatial import exp_so3

    rng = np.random.default_rng(1)
    rotation, shift = exp_so3(rng.normal(size=3)), rng.normal(size=3)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        grasp = sphere_grasp(rng.normal(size=(4, 3)), 0.4)
        moved = Grasp(
            grasp.points @ rotation.T + shift, grasp.normals @ rotation.T, 0.4, rotation @ grasp.origin + shift
        )
        assert force_closure(grasp).closed is force_closure(moved).closed
        margins = [ferrari_canny_l1(g) for g in (grasp, moved)]
        assert margins[0].lower <= 1.001 * margins[1].upper and margins[1].lower <= 1.001 * margins[0].upper


def hull_margin(grasp, facets, approximation):
    """Ferrari–Canny L1 of the linearised cones by Qhull: an independent bound of the round one."""
    points = np.vstack([grasp.generators(facets, approximation), np.zeros(6)])
    return max(0.0, float((-ConvexHull(points).equations[:, -1]).min()))


@pytest.mark.parametrize("grasp", [sphere_grasp(TRIPOD, 0.5), sphere_grasp(TETRAHEDRON, 0.3)])
def test_l1_margin_lies_between_the_polyhedral_ones(grasp):
    margin = ferrari_canny_l1(grasp, relative=0.02)
    assert margin.converged and margin.upper <= 1.021 * margin.lower
    inner, outer = hull_margin(grasp, 12, "inscribed"), hull_margin(grasp, 12, "circumscribed")
    assert inner - 1e-4 <= margin.upper and margin.lower <= outer + 1e-4
    assert outer - inner < 0.1 * outer


def test_linf_margin_is_at_least_l1_and_linear_in_contacts():
    grasp = sphere_grasp(TETRAHEDRON, 0.3)
    l1, linf = ferrari_canny_l1(grasp), ferrari_canny_linf(grasp)
    assert linf.lower > l1.upper
    doubled = sphere_grasp(TETRAHEDRON * 2, 0.3)
    assert ferrari_canny_l1(doubled).lower == pytest.approx(l1.lower, rel=0.01)
    assert ferrari_canny_linf(doubled).lower == pytest.approx(2 * linf.lower, rel=0.01)


def test_inscribed_ball_of_known_bodies():
    rng = np.random.default_rng(0)

    def cube(direction):
        return np.sign(direction)

    for dimension in (2, 3, 5):
        ball = inscribed_ball(cube, np.zeros(dimension))
        assert ball.lower == pytest.approx(1.0, abs=1e-6) and ball.converged
        shifted = inscribed_ball(cube, np.full(dimension, 0.25))
        assert shifted.lower == pytest.approx(0.75, abs=1e-6)
        outside = inscribed_ball(cube, np.full(dimension, 1.5))
        assert outside.upper == 0.0 and outside.lower == 0.0
    points = rng.normal(size=(30, 4))
    ball = inscribed_ball(lambda d: points[np.argmax(points @ d)], points.mean(axis=0))
    equations = ConvexHull(points).equations
    expected = (-(equations[:, :-1] @ points.mean(axis=0) + equations[:, -1])).min()
    assert ball.lower == pytest.approx(expected, abs=1e-6)
    flat = inscribed_ball(lambda d: np.append(np.sign(d[:2]), 0.0), np.zeros(3))
    assert flat.upper == 0.0 and abs(flat.direction[2]) == pytest.approx(1.0)
    limited = inscribed_ball(lambda d: d / np.linalg.norm(d), np.zeros(5), relative=1e-6, max_points=30)
    assert not limited.converged and limited.lower < 1.0 <= limited.upper + 1e-9


def test_robust_closure_proves_refutes_and_admits_doubt():
    grasp = sphere_grasp(TETRAHEDRON, 0.5)
    proven = robust_force_closure(grasp, (0.4, 0.8), position_error=0.01)
    assert proven.verdict is Robustness.PROVEN and proven.margin > proven.loss > 0
    refuted = robust_force_closure(sphere_grasp(TRIPOD, 0.5), (0.0, 0.5))
    assert refuted.verdict is Robustness.REFUTED and refuted.counterexample is not None
    assert force_closure(refuted.counterexample).closed is False
    turned = robust_force_closure(grasp, (0.05, 0.5), normal_error=0.5, samples=300)
    assert turned.verdict is Robustness.REFUTED
    doubtful = robust_force_closure(grasp, (0.4, 0.8), position_error=0.35, samples=5)
    assert doubtful.verdict is not Robustness.PROVEN
    for bad in ({"friction_range": (0.5, 0.4)}, {"friction_range": (-0.1, 0.4)},
                {"friction_range": (0.1, 0.4), "position_error": -1.0}):
        with pytest.raises(DomainError):
            robust_force_closure(grasp, **bad)


def test_bad_grasps_are_refused():
    with pytest.raises(DomainError):
        sphere_grasp(TRIPOD, -0.1)
    with pytest.raises(ShapeError):
        Grasp(np.zeros((2, 3)), np.zeros((3, 3)), 0.5, np.zeros(3))
    with pytest.raises(DomainError):
        Grasp(np.zeros((1, 3)), np.zeros((1, 3)), 0.5, np.zeros(3))
    with pytest.raises(DomainError):
        Grasp(np.zeros((1, 3)), np.ones((1, 3)), 0.5, np.zeros(3), length=0.0)
    assert positive_span(np.zeros((0, 6))).closed is False
    assert ferrari_canny_l1(centred_grasp(np.zeros((0, 3)), np.zeros((0, 3)), 0.5)).upper == 0.0


FEET = np.array([[x, y, 0.0] for x in (0.1, -0.1) for y in (0.2, 0.1, -0.1, -0.2)])


def standing(limit=np.inf):
    return WrenchSet(Grasp(FEET, np.tile([0, 0, 1.0], (8, 1)), 0.6, np.zeros(3), 0.5), limit)


def test_wrench_set_membership_and_margin_of_a_stance():
    stance = standing()
    weight = stance.wrench(np.array([0, 0, 300.0]), np.zeros(3))
    assert stance.contains(weight).inside
    assert stance.contains(weight).loads.sum() == pytest.approx(300.0)
    assert not stance.contains(-weight).inside
    assert not stance.contains(stance.wrench(np.array([200.0, 0, 300]), np.zeros(3))).inside
    margin = stance.margin(weight)
    rng = np.random.default_rng(0)
    for direction in rng.normal(size=(20, 6)):
        direction /= np.linalg.norm(direction)
        assert stance.contains(weight + 0.99 * margin.lower * direction).inside
    assert not stance.contains(weight + 1.01 * margin.upper * margin.direction).inside
    assert stance.margin(-weight).upper == 0.0


def test_wrench_set_with_force_limits():
    stance = standing(50.0)
    assert stance.bounded
    up = np.array([0, 0, 1.0, 0, 0, 0])
    assert stance.support(up) == pytest.approx(400.0)
    assert stance.support(-up) == 0.0
    assert stance.contains(up * 399).inside and not stance.contains(up * 401).inside
    margin = stance.margin(up * 200.0)
    rng = np.random.default_rng(1)
    for direction in rng.normal(size=(10, 6)):
        direction /= np.linalg.norm(direction)
        at = stance.support_point(direction)
        assert direction @ at == pytest.approx(stance.support(direction))
        assert direction @ (200 * up) + margin.lower <= stance.support(direction) + 1e-6
        assert stance.contains(200 * up + 0.95 * margin.lower * direction, facets=16).inside
    assert standing().support(up) == np.inf and standing().support(-up) == 0.0
    with pytest.raises(DomainError):
        standing().support_point(up)
    with pytest.raises(DomainError):
        standing(-1.0)
    closed = WrenchSet(sphere_grasp(TETRAHEDRON, 0.3))
    assert closed.margin(np.zeros(6)).lower == np.inf
