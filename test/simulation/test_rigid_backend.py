"""The rigid-contact backend keeps the contract: rest, weights, sensors, wrenches, terrain, stops, payload."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray
from simulated_robots import HoldPosture, robot

from wbc_control.errors import BackendError
from wbc_control.model import RobotModel
from wbc_control.simulation.backend import InitialState
from wbc_control.simulation.placement import sole_points
from wbc_control.simulation.rigid_backend import RigidBackend
from wbc_control.simulation.rigid_surface import GroundSurface
from wbc_control.simulation.running import make_world
from wbc_control.simulation.scenario import read_scenario
from wbc_control.simulation.terrain import Ground, make_ground
from wbc_control.spatial import GRAVITY_M_S2, quaternion_to_matrix, roll_pitch_yaw_to_matrix

Array = NDArray[np.float64]

OWN_ROBOTS = ("humanoid", "quadruped")


def _ground(**terrain: Any) -> Ground:
    return make_ground(read_scenario({"duration": 1.0, "terrain": terrain}, "x").terrain)


def _standing(name: str, ground: Ground | None = None, drop: float = 0.0, **options: Any) -> RigidBackend:
    model, parameters = robot(name)
    backend = RigidBackend(model, parameters.simulator, ground, **options)
    backend.reset(InitialState(model.standing_configuration(), np.zeros(model.nv), drop))
    return backend


def _hold(backend: Any, name: str, periods: int) -> None:
    controller = HoldPosture(robot(name)[0])
    for _ in range(periods):
        backend.step(controller.tick(backend.read_sensors(), None))


def _measured_in_world(model: RobotModel, q: Array, wrenches: Array) -> Array:
    data = model.pinocchio.createData()
    pin.framesForwardKinematics(model.pinocchio, data, q)
    return np.sum([data.oMf[f.frame_id].rotation @ w[:3] for f, w in zip(model.feet, wrenches)], axis=0)


def test_factory_follows_the_parameter() -> None:
    model, parameters = robot("quadruped")
    assert isinstance(make_world(model, replace(parameters.simulator, backend="rigid")), RigidBackend)


@pytest.mark.parametrize("name", OWN_ROBOTS)
def test_first_reading_is_that_of_a_robot_at_rest(name: str) -> None:
    model, _ = robot(name)
    sample = _standing(name).read_sensors()
    rotation = quaternion_to_matrix(sample.imu.orientation_xyzw)
    np.testing.assert_allclose(rotation @ sample.imu.linear_acceleration, [0.0, 0.0, GRAVITY_M_S2], atol=1e-9)
    np.testing.assert_allclose(sample.imu.angular_velocity, 0.0, atol=1e-12)
    np.testing.assert_allclose(sample.joints.position, model.joint_positions(model.standing_configuration()))
    carried = _measured_in_world(model, model.standing_configuration(), sample.foot_wrenches)
    np.testing.assert_allclose(carried[:2], 0.0, atol=1e-9)
    assert 0.9 * model.weight < carried[2] < model.weight  # less the feet below the sensors


@pytest.mark.parametrize("name", OWN_ROBOTS)
def test_readings_equal_mujoco_s_at_rest_and_in_motion(name: str) -> None:
    """Same torques for 0.15 s: joints, IMU and feet of both engines agree, so the stack cannot tell them apart."""
    pytest.importorskip("mujoco", reason="compares with MuJoCo (extra `sim`)")
    model, parameters = robot(name)
    worlds = [make_world(model, replace(parameters.simulator, backend=engine)) for engine in ("rigid", "mujoco")]
    samples = []
    for backend in worlds:
        backend.reset(InitialState(model.standing_configuration(), np.zeros(model.nv)))
        samples.append([backend.read_sensors()])
        _hold(backend, name, 150)
        samples[-1].append(backend.read_sensors())
    for ours, theirs in zip(*samples):
        np.testing.assert_allclose(ours.joints.position, theirs.joints.position, atol=2e-4)
        np.testing.assert_allclose(ours.imu.linear_acceleration, theirs.imu.linear_acceleration, atol=0.15)
        np.testing.assert_allclose(ours.imu.orientation_xyzw, theirs.imu.orientation_xyzw, atol=2e-4)
        np.testing.assert_allclose(ours.foot_wrenches[:, :3], theirs.foot_wrenches[:, :3], atol=0.02 * model.weight)
        np.testing.assert_allclose(ours.foot_wrenches[:, 3:], theirs.foot_wrenches[:, 3:], atol=0.5)


@pytest.mark.parametrize("name", OWN_ROBOTS)
def test_settled_robot_weighs_what_it_weighs(name: str) -> None:
    model, _ = robot(name)
    backend = _standing(name)
    _hold(backend, name, 700)
    forces = []
    for _ in range(100):
        _hold(backend, name, 1)
        truth, sample = backend.ground_truth(), backend.read_sensors()
        forces.append((truth.foot_force.sum(axis=0), _measured_in_world(model, truth.q, sample.foot_wrenches)))
    ground, measured = np.mean(forces, axis=0)
    assert ground[2] == pytest.approx(model.weight, rel=0.02)
    assert ground[2] - measured[2] == pytest.approx(_weight_below_sensors(backend, model), rel=0.1)
    assert backend.stepper.unsolved == 0


def _weight_below_sensors(backend: RigidBackend, model: RobotModel) -> float:
    """N, of what the foot sensors carry themselves."""
    joints = [model.pinocchio.frames[foot.frame_id].parentJoint for foot in model.feet]
    carried = [
        sum(model.pinocchio.inertias[i].mass for i in model.pinocchio.subtrees[joint]) if below is None else below.mass
        for joint, below in zip(joints, backend.world.below)
    ]
    return GRAVITY_M_S2 * float(sum(carried))


def test_contact_points_are_the_corners_and_obey_coulomb() -> None:
    backend = _standing("humanoid", Ground(friction=0.5))
    _hold(backend, "humanoid", 100)
    truth = backend.ground_truth()
    corners = np.vstack(sole_points(robot("humanoid")[0], truth.q))
    for point in truth.contact_points:
        assert np.min(np.linalg.norm(corners[:, :2] - point[:2], axis=1)) < 1e-4
    np.testing.assert_allclose(truth.contact_forces.sum(axis=0), truth.foot_force.sum(axis=0), atol=1e-9)
    tangent = np.linalg.norm(truth.contact_forces[:, :2], axis=1)
    assert (tangent <= 0.5 * truth.contact_forces[:, 2] + 1e-9).all()
    assert truth.in_contact.all() and not truth.other_contacts


def test_specific_force_of_a_turning_imu_off_the_axis() -> None:
    """In free fall gravity is not felt, the centripetal and Euler parts at the IMU are; at the CoM nothing would be."""
    model, _ = robot("quadruped")
    backend = _standing("quadruped", drop=2.0)
    speed = np.zeros(model.nv)
    speed[3:6] = 0.5, -1.0, 4.0
    backend.reset(InitialState(model.standing_configuration(), speed, 2.0))
    data = model.pinocchio.createData()
    points = []
    for _ in range(3):
        truth = backend.ground_truth()
        pin.framesForwardKinematics(model.pinocchio, data, truth.q)
        points.append((data.oMf[model.imu_frame_id].translation.copy(), data.oMf[model.imu_frame_id].rotation.copy()))
        backend.step(np.zeros(model.n))
        felt = backend.read_sensors().imu.linear_acceleration
    pin.framesForwardKinematics(model.pinocchio, data, backend.ground_truth().q)
    points.append((data.oMf[model.imu_frame_id].translation.copy(), data.oMf[model.imu_frame_id].rotation.copy()))
    second_difference = (points[3][0] - 2.0 * points[2][0] + points[1][0]) / 1e-6
    expected = points[3][1].T @ (second_difference + [0.0, 0.0, GRAVITY_M_S2])
    assert np.linalg.norm(expected) > 0.1
    np.testing.assert_allclose(felt, expected, atol=0.02)


def test_push_changes_momentum_by_its_impulse() -> None:
    model, _ = robot("quadruped")
    backend = _standing("quadruped", drop=1.0)
    assert np.linalg.norm(backend.read_sensors().imu.linear_acceleration) < 1e-6  # falling: weightless
    link = model.pinocchio.frames[model.torso_frame_id].name
    backend.apply_wrench(link, np.array([30.0, 0.0, 0.0]), np.zeros(3))
    for _ in range(100):
        backend.step(np.zeros(model.n))
    backend.apply_wrench(link, np.zeros(3), np.zeros(3))
    data = model.pinocchio.createData()
    for _ in range(2):
        truth = backend.ground_truth()
        pin.centerOfMass(model.pinocchio, data, truth.q, truth.v)
        assert model.mass * data.vcom[0][0] == pytest.approx(3.0, rel=1e-3)
        backend.step(np.zeros(model.n))
    with pytest.raises(BackendError, match="no link 'tail'"):
        backend.apply_wrench("tail", np.zeros(3), np.zeros(3))


def test_payload_is_carried_and_unknown_links_are_named() -> None:
    model, parameters = robot("humanoid")
    backend = _standing("humanoid", payload={model.pinocchio.frames[model.torso_frame_id].name: 3.0})
    _hold(backend, "humanoid", 400)
    forces = []
    for _ in range(100):
        _hold(backend, "humanoid", 1)
        forces.append(backend.ground_truth().foot_force.sum(axis=0)[2])
    assert np.mean(forces) == pytest.approx(model.weight + 3.0 * GRAVITY_M_S2, rel=0.02)
    with pytest.raises(BackendError, match="no link 'hat'"):
        RigidBackend(model, parameters.simulator, payload={"hat": 1.0})


def test_efforts_are_clipped_and_non_finite_ones_are_dropped() -> None:
    model, _ = robot("humanoid")
    backend = _standing("humanoid")
    effort = np.full(model.n, 1e6)
    effort[0], effort[1] = np.nan, -np.inf
    backend.step(effort)
    acted = backend.read_sensors().joints.effort
    assert acted[0] == 0.0 and acted[1] == -model.limits.effort[1]
    np.testing.assert_allclose(acted[2:], model.limits.effort[2:])
    assert np.isfinite(backend.ground_truth().q).all()


def test_limp_robot_falls_onto_its_body_not_through_the_floor_nor_past_its_stops() -> None:
    model, _ = robot("quadruped")
    backend = _standing("quadruped", drop=0.1)
    touched, deepest = False, 0.0
    for _ in range(1000):
        backend.step(-1.0 * backend.read_sensors().joints.velocity)
        touched = touched or bool(backend.ground_truth().other_contacts)
        position = backend.read_sensors().joints.position
        beyond = np.maximum(position - model.limits.position_upper, model.limits.position_lower - position)
        deepest = max(deepest, float(beyond.max()))
    assert touched and 0.0 < backend.ground_truth().q[2] < 0.3
    assert deepest < 5e-3


def test_standing_feet_do_not_creep() -> None:
    backend = _standing("quadruped")
    """Round feet roll about their points while the legs settle; afterwards they keep their place."""
    backend = _standing("quadruped")
    _hold(backend, "quadruped", 700)
    start = backend.ground_truth().foot_position
    _hold(backend, "quadruped", 300)
    truth = backend.ground_truth()
    assert np.abs(truth.foot_force[:, 1]).min() > 2.0
    assert np.linalg.norm(truth.foot_position - start, axis=1).max() < 1e-5


@pytest.mark.parametrize(
    "terrain", ({"type": "flat", "height": 0.3}, {"type": "slope", "pitch_deg": 20.0}, {"type": "rough"})
)
def test_surface_is_that_of_the_ground(terrain: dict[str, Any]) -> None:
    ground = _ground(**terrain)
    surface = GroundSurface(ground)
    generator = np.random.default_rng(0)
    points = generator.uniform([-1.0, -2.0, 0.0], [7.0, 2.0, 2.0], (200, 3))
    points[:, 2] += [ground.height(x, y) for x, y in points[:, :2]]
    gap, normal = surface.gap_and_normal(points)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1.0)
    above = np.array([p[2] - ground.height(p[0], p[1]) for p in points])
    np.testing.assert_allclose(gap, above * normal[:, 2], atol=1e-9)
    for point, direction in zip(points[:40], normal):
        x, y, e = point[0], point[1], 1e-6
        rise = [ground.height(x + e, y) - ground.height(x, y), ground.height(x, y + e) - ground.height(x, y)]
        np.testing.assert_allclose(direction[:2] / direction[2], -np.array(rise) / e, atol=1e-6)
    radii = generator.uniform(0.0, 1.0, 200)
    clear = surface.clear_of(points, radii)
    assert (gap[clear] >= radii[clear]).all() and clear.any()


@pytest.mark.parametrize("kind", ("stairs", "beam"))
def test_ground_with_steps_is_refused_in_one_sentence(kind: str) -> None:
    model, parameters = robot("quadruped")
    with pytest.raises(BackendError, match=r"has a step of .* m at x = .*simulation.backend=mujoco"):
        RigidBackend(model, parameters.simulator, _ground(type=kind))


def test_feet_of_a_yawed_robot_report_forces_in_their_own_frame() -> None:
    model, parameters = robot("humanoid")
    readings = []
    for yaw in (0.0, np.pi / 2.0):
        backend = RigidBackend(model, parameters.simulator)
        q = model.standing_configuration()
        q[3:7] = [0.0, 0.0, np.sin(yaw / 2.0), np.cos(yaw / 2.0)]
        np.testing.assert_allclose(quaternion_to_matrix(q[3:7]), roll_pitch_yaw_to_matrix(0, 0, yaw), atol=1e-12)
        backend.reset(InitialState(q, np.zeros(model.nv)))
        _hold(backend, "humanoid", 100)
        readings.append(backend.read_sensors().foot_wrenches)
    np.testing.assert_allclose(readings[0], readings[1], atol=0.05)


def test_readings_do_not_change_under_later_steps_and_reset_repeats_the_run() -> None:
    backend = _standing("quadruped")
    _hold(backend, "quadruped", 30)
    readings = backend.ground_truth(), backend.read_sensors()
    before = copy.deepcopy(readings)
    for _ in range(10):
        backend.step(np.zeros(robot("quadruped")[0].n))
    assert repr(readings) == repr(before)
    backend.reset(InitialState(robot("quadruped")[0].standing_configuration(), np.zeros(robot("quadruped")[0].nv)))
    _hold(backend, "quadruped", 30)
    np.testing.assert_array_equal(backend.ground_truth().q, before[0].q)


def test_divergence_is_said_in_one_sentence() -> None:
    backend = _standing("quadruped", drop=1.0)
    backend.apply_wrench(robot("quadruped")[0].base_link, np.array([1e308, 1e308, 0.0]), np.zeros(3))
    with pytest.raises(BackendError, match="diverged at t = "), np.errstate(all="ignore"):
        for _ in range(5):
            backend.step(np.zeros(robot("quadruped")[0].n))
