"""Wrench cones, frames, grasp matrix: closed form against generators, frame invariance, exercise 4.3, case C9."""
import math

import numpy as np
import pytest
from scipy.optimize import linprog

from wbc_control.contact_mechanics.contact_frame import (
    frame_from_normal,
    sum_wrenches,
    wrench_to_child,
    wrench_to_parent,
    wrench_transform,
)
from wbc_control.contact_mechanics.contact_pair import (
    LoadSign,
    check_load_at_rest,
    force_on_robot,
    normal_first_to_last,
)
from wbc_control.contact_mechanics.double_description import cone_half_spaces, extreme_rays
from wbc_control.contact_mechanics.grasp_matrix import grasp_matrix, planar_grasp_matrix
from wbc_control.contact_mechanics.wrench_cone import (
    corner_generators,
    in_wrench_cone,
    point_wrench_cone,
    rectangle_wrench_cone,
    sole_wrench_cone,
)
from wbc_control.errors import DomainError, ShapeError
from wbc_control.spatial import exp_so3

X, Y, MU = 0.11, 0.05, 0.8
RECTANGLE = np.array([[X, Y, 0], [X, -Y, 0], [-X, -Y, 0], [-X, Y, 0]])


def makeable(generators, wrench):
    return linprog(np.zeros(len(generators)), A_eq=generators.T, b_eq=wrench, method="highs").status == 0


def sorted_unit_rows(rows):
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit[np.lexsort(np.round(unit, 8).T)]


@pytest.mark.parametrize("approximation", ["inscribed", "circumscribed"])
def test_rectangle_closed_form_equals_double_description(approximation):
    closed = rectangle_wrench_cone(X, Y, MU, approximation=approximation)
    computed = sole_wrench_cone(RECTANGLE, MU, 4, approximation=approximation)
    assert closed.shape == (16, 6)
    np.testing.assert_allclose(sorted_unit_rows(closed), sorted_unit_rows(computed), atol=1e-9)


@pytest.mark.parametrize(
    ("corners", "facets"),
    [
        (RECTANGLE + [0.02, 0.0, -0.04], 4),
        (RECTANGLE, 6),
        (np.array([[0.1, 0, 0], [-0.05, 0.06, 0], [-0.05, -0.06, 0]]), 4),
        (np.array([[0.1 * math.cos(t), 0.05 * math.sin(t), -0.03] for t in np.arange(6) * math.pi / 3]), 4),
    ],
)
def test_sole_cone_is_what_the_corners_can_make(corners, facets):
    """Membership by half-spaces agrees with an independent LP over corner forces, inside and out."""
    generators = corner_generators(corners, MU, facets)
    rows = sole_wrench_cone(corners, MU, facets)
    rng = np.random.default_rng(3)
    made = rng.exponential(size=(300, len(generators))) @ generators
    assert (made @ rows.T).max() < 1e-9
    made *= 1.0 / made[:, 2:3]
    agree = [0, 0]
    for wrench in made[:60] + rng.normal(size=(60, 6)) * [0.3, 0.3, 0, 0.03, 0.06, 0.05]:
        slack = (rows @ wrench).max()
        if abs(slack) > 1e-6:
            assert makeable(generators, wrench) == in_wrench_cone(rows, wrench)
            agree[int(slack < 0)] += 1
    assert min(agree) > 3


def test_inscribed_sole_cone_stays_inside_coulomb():
    """C12: on the diagonal the inscribed pyramid reaches μ f_z and no more."""
    cone = rectangle_wrench_cone(X, Y, MU)
    bound = MU / math.sqrt(2)
    assert in_wrench_cone(cone, np.array([bound, bound, 1, 0, 0, 0]), 1e-12)
    assert not in_wrench_cone(cone, np.array([bound * 1.001, 0, 1, 0, 0, 0]))
    wide = rectangle_wrench_cone(X, Y, MU, approximation="circumscribed")
    assert in_wrench_cone(wide, np.array([MU, MU, 1, 0, 0, 0]) * [1, 1, 1, 1, 1, 1], 1e-12)


def test_wrench_cone_bounds_the_cop_and_the_yaw_torque():
    cone = rectangle_wrench_cone(X, Y, MU)
    assert in_wrench_cone(cone, np.array([0, 0, 1, 0.99 * Y, -0.99 * X, 0]))
    assert not in_wrench_cone(cone, np.array([0, 0, 1, 1.01 * Y, 0, 0]))
    yaw = MU / math.sqrt(2) * (X + Y)
    assert in_wrench_cone(cone, np.array([0, 0, 1, 0, 0, 0.999 * yaw]))
    assert not in_wrench_cone(cone, np.array([0, 0, 1, 0, 0, 1.001 * yaw]))
    assert not in_wrench_cone(cone, np.full(6, math.nan))


def test_line_foot_and_point_foot_get_equalities_or_no_rows():
    line = sole_wrench_cone(RECTANGLE[:2], MU)
    assert not in_wrench_cone(line, np.array([0, 0, 1.0, 0, 0, 0]), 1e-6)
    assert in_wrench_cone(line, np.array([0, 0, 1.0, 0, -X, 0]), 1e-9)
    assert point_wrench_cone(MU).shape == (4, 6)


@pytest.mark.parametrize("bad", [(-0.1, Y, MU), (X, 0.0, MU), (X, Y, -1.0), (X, Y, math.nan)])
def test_bad_patches_are_refused(bad):
    with pytest.raises(DomainError):
        rectangle_wrench_cone(*bad)
    with pytest.raises(ShapeError):
        sole_wrench_cone(np.zeros((0, 3)), MU)
    with pytest.raises(ShapeError):
        sole_wrench_cone(np.zeros((4, 2)), MU)


def test_double_description_of_random_cones():
    """Every generator inside, every facet held by d−1 independent generators, interior points strictly inside."""
    rng = np.random.default_rng(4)
    for dimension in (2, 3, 5):
        generators = np.column_stack([rng.normal(size=(14, dimension - 1)), np.full(14, 1.0)])
        rows = cone_half_spaces(generators)
        slack = rows @ generators.T
        assert slack.max() < 1e-9
        for facet in slack:
            assert np.linalg.matrix_rank(generators[np.abs(facet) < 1e-8], tol=1e-7) == dimension - 1
    with pytest.raises(DomainError):
        cone_half_spaces(np.vstack([np.eye(3), -np.eye(3)]))
    with pytest.raises(DomainError):
        extreme_rays(np.array([[1.0, 0, 0], [0, 1.0, 0]]))


def test_frame_from_normal_is_a_rotation():
    rng = np.random.default_rng(5)
    for normal in rng.normal(size=(50, 3)):
        frame = frame_from_normal(normal)
        np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-12)
        assert np.linalg.det(frame) == pytest.approx(1.0)
        np.testing.assert_allclose(frame[:, 2], normal / np.linalg.norm(normal))
    np.testing.assert_allclose(frame_from_normal(np.array([0, 0, 2.0])), np.eye(3))
    for normal, forward in (([0, 0, 0], None), ([0, 0, 1], [0, 0, 3]), ([math.nan, 0, 1], None)):
        with pytest.raises(DomainError):
            frame_from_normal(np.array(normal, dtype=float), forward)


def test_wrench_transform_keeps_power_and_inverts():
    rng = np.random.default_rng(6)
    rotation, origin = exp_so3(rng.normal(size=3)), rng.normal(size=3)
    wrench, twist = rng.normal(size=6), rng.normal(size=6)
    transform = wrench_transform(rotation, origin)
    parent = wrench_to_parent(wrench, rotation, origin)
    np.testing.assert_allclose(transform @ wrench, parent)
    np.testing.assert_allclose(wrench_to_child(parent, rotation, origin), wrench)
    child_twist = transform.T @ twist
    assert parent @ twist == pytest.approx(wrench @ child_twist)


def test_grasp_matrix_matches_summing_and_moves_with_the_frame():
    rng = np.random.default_rng(7)
    points, forces, origin = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.normal(size=3)
    np.testing.assert_allclose(grasp_matrix(points, origin) @ forces.ravel(), sum_wrenches(forces, points, origin))
    frames = np.array([exp_so3(v) for v in rng.normal(size=(5, 3))])
    local = np.einsum("nji,nj->ni", frames, forces)
    np.testing.assert_allclose(
        grasp_matrix(points, origin, frames) @ local.ravel(), sum_wrenches(forces, points, origin)
    )
    rotation, shift = exp_so3(rng.normal(size=3)), rng.normal(size=3)
    moved = sum_wrenches(forces @ rotation.T, points @ rotation.T + shift, shift)
    np.testing.assert_allclose(moved, wrench_to_parent(sum_wrenches(forces, points, np.zeros(3)), rotation, shift * 0))
    planar = planar_grasp_matrix(points[:, :2], forces[:, :2])
    np.testing.assert_allclose(planar.sum(axis=1), sum_wrenches(forces, points, np.zeros(3))[[0, 1, 5]])


def test_exercise_4_3_wrench_of_a_point_force():
    wrench = sum_wrenches(np.array([[0, 0, 10.0]]), np.array([[1.0, 0, 0]]), np.zeros(3))
    np.testing.assert_allclose(wrench, [0, 0, 10, 0, -10, 0])


def test_c9_body_order_does_not_matter():
    """Robot standing on the ground, listed either way round, normal first: +m·g in world both times."""
    up_rows = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])
    force = np.array([100.0, 3.0, -2.0])
    ground_first = force_on_robot(force, up_rows, robot_is_second=True)
    down_rows = up_rows * np.array([[-1.0], [-1.0], [1.0]])
    robot_first = force_on_robot(down_rows @ -ground_first, down_rows, robot_is_second=False)
    np.testing.assert_allclose(ground_first, [3, -2, 100])
    np.testing.assert_allclose(robot_first, ground_first)
    np.testing.assert_allclose(normal_first_to_last(force), [3, -2, 100])


def test_c9_a_wrong_convention_is_named_at_rest():
    weight = 30.0 * 9.81
    assert check_load_at_rest(np.array([0, 0, weight]), 30.0) is LoadSign.CORRECT
    assert check_load_at_rest(np.array([0, 0, -weight]), 30.0) is LoadSign.FLIPPED
    assert check_load_at_rest(np.array([weight, 0, 0]), 30.0) is LoadSign.WRONG_AXIS
    assert check_load_at_rest(np.zeros(3), 30.0) is LoadSign.UNLOADED
    assert check_load_at_rest(np.full(3, math.nan), 30.0) is LoadSign.UNLOADED
