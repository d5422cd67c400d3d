"""CoP, ZMP, support polygon and margins: three ways to one ZMP, frame invariance, undefined cases C11 and C16."""
import math

import numpy as np
import pytest

from wbc_control.contact_mechanics.contact_frame import sum_wrenches
from wbc_control.contact_mechanics.cop import HeldPoint, cop_of_forces, cop_of_wrench
from wbc_control.contact_mechanics.margins import (
    capture_margin,
    capture_point,
    check_norm_distance,
    point_margin,
    zmp_margin,
    zmp_margins,
)
from wbc_control.contact_mechanics.support_plane import (
    horizontal_plane,
    plane_from_normal,
    virtual_horizontal_plane,
)
from wbc_control.contact_mechanics.support_polygon import (
    SupportPolygon,
    convex_hull,
    inset_polygon,
    signed_distance,
    sole_corners_world,
    support_polygon,
)
from wbc_control.contact_mechanics.zmp import (
    BodyMotion,
    Zmp,
    gravito_inertial_wrench,
    zmp_of_contacts,
    zmp_of_momentum_rate,
    zmp_of_motion,
    zmp_of_reaction,
)
from wbc_control.errors import DomainError
from wbc_control.spatial import exp_so3, yaw_matrix

SOLE = np.array([[0.1, 0.04, 0], [0.1, -0.04, 0], [-0.06, -0.04, 0], [-0.06, 0.04, 0]])
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def random_bodies(rng, count=5):
    spread = rng.normal(size=(count, 3, 3))
    return BodyMotion(
        mass=rng.uniform(0.5, 5.0, count),
        com=rng.normal(size=(count, 3)) * 0.3 + [0, 0, 0.8],
        acceleration=rng.normal(size=(count, 3)),
        angular_velocity=rng.normal(size=(count, 3)),
        angular_acceleration=rng.normal(size=(count, 3)),
        inertia=0.05 * np.einsum("nij,nkj->nik", spread, spread) + 0.01 * np.eye(3),
    )


def test_cop_of_wrench_is_the_weighted_corner_mean():
    rng = np.random.default_rng(0)
    normal = rng.uniform(10, 50, 4)
    forces = np.column_stack([rng.normal(size=(4, 2)), normal])
    corners = SOLE + [0, 0, -0.03]
    cop = cop_of_wrench(sum_wrenches(forces, corners, np.zeros(3)), depth=0.03)
    np.testing.assert_allclose(cop, cop_of_forces(corners, normal)[:2])
    assert signed_distance(convex_hull(map(tuple, SOLE[:, :2].tolist())), cop) > 0


@pytest.mark.parametrize("load", [0.0, 1e-9, -5.0, math.nan, -1e9])
def test_c16_cop_of_an_unloaded_foot_is_undefined(load):
    assert cop_of_wrench(np.array([0, 0, load, 1.0, 1.0, 0])) is None
    assert cop_of_wrench(np.array([0, 0, load, 0.0, 0.0, 0]), minimum_force=0.0) is None or load > 0
    assert cop_of_forces(SOLE, np.full(4, load / 4)) is None
    assert zmp_of_contacts(np.array([[0, 0, load]]), np.zeros((1, 3)), horizontal_plane()) is None


def test_c16_not_finite_moment_and_pulling_corner_are_undefined():
    assert cop_of_wrench(np.array([0, 0, 100.0, math.nan, 0, 0])) is None
    assert cop_of_wrench(np.array([0, 0, 100.0, math.inf, 0, 0])) is None
    assert cop_of_forces(SOLE, np.array([100.0, -40.0, 1, 1])) is None


def test_c16_held_point_ages_out():
    held = HeldPoint(0.1)
    assert held.update(0, None) is None
    assert held.update(1_000_000, (1.0, 2.0)) == (1.0, 2.0)
    assert held.update(90_000_000, None) == (1.0, 2.0)
    assert held.update(110_000_000, None) is None
    held.update(200_000_000, (1.0, 2.0))
    assert held.update(0, None) is None


def test_three_ways_to_one_zmp():
    """Motion, momentum rate and any contact forces that produce that motion agree, on any plane."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        bodies = random_bodies(rng)
        plane = plane_from_normal(rng.normal(size=3) * 0.1, np.array([0.1, -0.2, 1.0]))
        from_motion = zmp_of_motion(bodies, plane)
        mass = bodies.mass.sum()
        com = bodies.mass @ bodies.com / mass
        force, moment = gravito_inertial_wrench(bodies, com)
        gravity = np.array([0, 0, -9.81])
        from_momentum = zmp_of_momentum_rate(mass, com, mass * gravity - force, -moment, plane)
        points = np.column_stack([rng.uniform(-0.2, 0.2, (4, 2)), np.zeros(4)])
        reaction, about = -force, -gravito_inertial_wrench(bodies, np.zeros(3))[1]
        matrix = np.vstack([np.tile(np.eye(3), 4), np.hstack([np.cross(p, np.eye(3)).T for p in points])])
        forces = np.linalg.lstsq(matrix, np.concatenate([reaction, about]), rcond=None)[0].reshape(4, 3)
        from_contacts = zmp_of_contacts(forces, points, plane)
        for other in (from_momentum, from_contacts):
            np.testing.assert_allclose([other.x, other.y], [from_motion.x, from_motion.y], atol=1e-9)


def test_zmp_equals_cop_on_level_ground_and_moves_with_the_world():
    rng = np.random.default_rng(2)
    points = np.column_stack([rng.uniform(-0.2, 0.2, (8, 2)), np.full(8, 0.3)])
    forces = np.column_stack([rng.normal(size=(8, 2)) * 5, rng.uniform(1, 50, 8)])
    zmp = zmp_of_contacts(forces, points, horizontal_plane(0.3))
    np.testing.assert_allclose([zmp.x, zmp.y], cop_of_forces(points, forces[:, 2])[:2])
    turn, shift = exp_so3(rng.normal(size=3)), rng.normal(size=3)
    plane = plane_from_normal(turn @ [0, 0, 0.3] + shift, turn[:, 2], turn[:, 0])
    moved = zmp_of_contacts(forces @ turn.T, points @ turn.T + shift, plane)
    np.testing.assert_allclose([moved.x, moved.y], [zmp.x, zmp.y], atol=1e-12)


def test_zmp_sign_with_a_plane_off_the_moment_point():
    """Erratum: M_x = y F_z − z F_y.  A force through (x, y, z) has its ZMP there when the plane holds the point."""
    point, force = np.array([0.2, -0.1, 0.5]), np.array([3.0, -4.0, 100.0])
    zmp = zmp_of_reaction(force, np.cross(point, force), np.zeros(3), horizontal_plane(0.5))
    np.testing.assert_allclose([zmp.x, zmp.y], point[:2])
    with_moment = zmp_of_contacts(force[None], point[None], horizontal_plane(0.5), np.array([[2.0, 0, 0]]))
    assert with_moment.y == pytest.approx(-0.1 + 0.02)


def test_flight_has_no_zmp():
    rng = np.random.default_rng(3)
    bodies = random_bodies(rng)
    falling = BodyMotion(
        bodies.mass, bodies.com, np.tile([0, 0, -9.81], (5, 1)), bodies.angular_velocity,
        bodies.angular_acceleration, bodies.inertia,
    )
    assert zmp_of_motion(falling, horizontal_plane()) is None


def test_hull_of_random_points_contains_them_and_matches_scipy():
    from scipy.spatial import ConvexHull

    rng = np.random.default_rng(4)
    for count in (3, 8, 16, 60):
        points = rng.normal(size=(count, 2))
        hull = convex_hull(map(tuple, points.tolist()))
        assert {tuple(p) for p in points[ConvexHull(points).vertices].tolist()} == set(hull)
        assert min(signed_distance(hull, tuple(p)) for p in points.tolist()) > -1e-12
        assert SupportPolygon(tuple(hull), horizontal_plane()).area == pytest.approx(ConvexHull(points).volume)


@pytest.mark.parametrize(
    ("points", "corners"),
    [([], 0), ([(1, 1)], 1), ([(1, 1)] * 4, 1), ([(0, 0), (1, 1), (2, 2)], 2), ([(0, 0), (1, 0), (2, 0), (1, 1)], 3)],
)
def test_degenerate_hulls(points, corners):
    assert len(convex_hull(points)) == corners


def test_signed_distance_of_a_square():
    assert signed_distance(SQUARE, (0.5, 0.4)) == pytest.approx(0.4)
    assert signed_distance(SQUARE, (2.0, 0.5)) == pytest.approx(-1.0)
    assert signed_distance(SQUARE, (2.0, 2.0)) == pytest.approx(-math.sqrt(2))
    assert signed_distance(SQUARE, (0.0, 0.5)) == 0.0
    assert signed_distance(SQUARE[:2], (0.5, 0.3)) == pytest.approx(-0.3)
    assert signed_distance(SQUARE[:1], (0.3, 0.4)) == pytest.approx(-0.5)


def test_polygon_of_a_yawed_foot_is_recomputed_in_world():
    """C10: at yaw 90° length and width change places."""
    plane = horizontal_plane()
    for yaw in (0.0, 0.7, math.pi / 2):
        corners = sole_corners_world(SOLE, yaw_matrix(yaw), np.array([1.0, 2.0, 0.0]))
        polygon = support_polygon(corners, plane)
        assert polygon.area == pytest.approx(0.16 * 0.08)
        toe = yaw_matrix(yaw)[:2, 0] * 0.099 + [1.0, 2.0]
        assert signed_distance(polygon.vertices, tuple(toe)) == pytest.approx(0.001)


def test_c11_feet_on_two_heights():
    """On one declared plane, or undefined: never a mixture."""
    left = sole_corners_world(SOLE, np.eye(3), np.array([0, 0.1, 0.0]))
    right = sole_corners_world(SOLE, np.eye(3), np.array([0, -0.1, 0.15]))
    both = np.vstack([left, right])
    assert support_polygon(both, horizontal_plane()) is None
    declared = horizontal_plane(0.15)
    polygon = support_polygon(both, declared, height_tolerance=math.inf)
    zmp = zmp_of_contacts(np.array([[0, 0, 50.0]]), np.zeros((1, 3)), declared)
    assert zmp_margins(zmp, polygon, (0, 0), 0.5) is not None
    elsewhere = zmp_of_contacts(np.array([[0, 0, 50.0]]), np.zeros((1, 3)), horizontal_plane())
    assert zmp_margins(elsewhere, polygon, (0, 0), 0.5) is None


def test_polygon_without_or_with_bad_points_is_undefined():
    assert support_polygon(np.zeros((0, 3)), horizontal_plane()) is None
    assert support_polygon(np.array([[0, 0, math.nan]]), horizontal_plane()) is None
    assert support_polygon(np.array([[math.nan, 0, 0]]), horizontal_plane()) is None
    assert virtual_horizontal_plane(np.zeros((0, 3))) is None


def test_margins_and_fictitious_zmp():
    plane = virtual_horizontal_plane(SOLE)
    polygon = support_polygon(SOLE, plane)
    inside = zmp_margins(Zmp(0.01, 0.0, 100.0, plane), polygon, (0.0, 0.0), 0.5)
    assert not inside.fictitious and inside.distance == pytest.approx(0.04)
    assert inside.normalised == pytest.approx(1 - 0.01 / 0.5)
    outside = zmp_margins(Zmp(0.0, 0.06, 100.0, plane), polygon, (0.0, 0.0), 0.5)
    assert outside.fictitious and outside.distance == pytest.approx(-0.02)
    assert zmp_margin(3.0, 4.0, 0.5) == 0.0
    assert zmp_margins(None, polygon, (0, 0), 0.5) is None and point_margin(None, polygon) is None
    with pytest.raises(DomainError):
        check_norm_distance(0.0)


def test_capture_point_stops_the_pendulum():
    """Stepping onto ξ: with the pivot there the pendulum comes to rest over it (closed form at 20 time constants)."""
    height, x, speed = 0.8, 0.1, 0.4
    xi = capture_point((x, 0.0), (speed, 0.0), height)[0]
    omega = math.sqrt(9.81 / height)
    offset, t = x - xi, 20 / omega
    rest = offset * math.cosh(omega * t) + speed / omega * math.sinh(omega * t)
    assert abs(rest) < 1e-6
    assert capture_point((0, 0), (1, 0), 0.0) is None and capture_point((0, 0), (math.nan, 0), 1.0) is None
    polygon = support_polygon(SOLE, horizontal_plane())
    assert capture_margin(np.array([0, 0, 0.8]), np.array([0.0, 0.1, 0.0]), polygon) == pytest.approx(
        0.04 - 0.1 / omega
    )
    assert capture_margin(np.zeros(3), np.zeros(3), None) is None


def test_inset_polygon_keeps_its_distance():
    polygon = SupportPolygon(SQUARE, horizontal_plane())
    inner = inset_polygon(polygon, 0.2)
    assert inner.area == pytest.approx(0.36)
    assert min(signed_distance(SQUARE, v) for v in inner.vertices) == pytest.approx(0.2)
    assert inset_polygon(polygon, 0.6) is None
