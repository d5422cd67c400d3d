"""The MuJoCo backend keeps the contract: rest at the start, weights, sensors, wrenches, terrain, clipping."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")

from simulated_robots import HoldPosture, robot

from wbc_control.errors import BackendError
from wbc_control.model import RobotModel
from wbc_control.simulation.backend import InitialState
from wbc_control.simulation.mujoco_backend import MujocoBackend
from wbc_control.simulation.placement import resting_forces, sole_points
from wbc_control.simulation.scenario import read_scenario
from wbc_control.simulation.terrain import Ground, make_ground
from wbc_control.spatial import GRAVITY_M_S2, quaternion_to_matrix, roll_pitch_yaw_to_matrix

Array = NDArray[np.float64]

OWN_ROBOTS = ("humanoid", "quadruped")


def _standing(name: str, ground: Ground | None = None, drop: float = 0.0) -> MujocoBackend:
    model, parameters = robot(name)
    backend = MujocoBackend(model, parameters.simulator, ground)
    backend.reset(InitialState(model.standing_configuration(), np.zeros(model.nv), drop))
    return backend


def _hold(backend: MujocoBackend, name: str, seconds: float) -> None:
    controller = HoldPosture(robot(name)[0])
    for _ in range(round(1e9 * seconds / backend.period_ns)):
        backend.step(controller.tick(backend.read_sensors(), None))


@pytest.mark.parametrize("name", OWN_ROBOTS)
def test_first_reading_is_that_of_a_robot_at_rest(name: str) -> None:
    model, _ = robot(name)
    sample = _standing(name).read_sensors()
    rotation = quaternion_to_matrix(sample.imu.orientation_xyzw)
    np.testing.assert_allclose(rotation @ sample.imu.linear_acceleration, [0.0, 0.0, GRAVITY_M_S2], atol=1e-6)
    np.testing.assert_allclose(sample.imu.angular_velocity, 0.0, atol=1e-12)
    np.testing.assert_allclose(
        sample.joints.position, model.joint_positions(model.standing_configuration()), atol=1e-12
    )
    carried = _measured_in_world(model, model.standing_configuration(), sample.foot_wrenches)
    np.testing.assert_allclose(carried[:2], 0.0, atol=1e-6)
    assert 0.9 * model.weight < carried[2] < model.weight


@pytest.mark.parametrize("name", OWN_ROBOTS)
def test_settled_robot_weighs_what_it_weighs(name: str) -> None:
    """Ground forces carry the whole robot; the sensors read the same less the weight of the feet below them."""
    model, _ = robot(name)
    backend = _standing(name)
    forces = []
    controller = HoldPosture(model)
    for step in range(1200):
        backend.step(controller.tick(backend.read_sensors(), None))
        if step >= 600:
            truth, sample = backend.ground_truth(), backend.read_sensors()
            forces.append((truth.foot_force.sum(axis=0), _measured_in_world(model, truth.q, sample.foot_wrenches)))
    ground, measured = (np.mean([pair[i] for pair in forces], axis=0) for i in (0, 1))
    assert ground[2] == pytest.approx(model.weight, rel=0.02)
    assert 0.85 * model.weight < measured[2] <= 1.02 * model.weight
    np.testing.assert_allclose(measured[:2], ground[:2], atol=0.01 * model.weight)


def _measured_in_world(model: RobotModel, q: Array, wrenches: Array) -> Array:
    data = model.pinocchio.createData()
    pin.framesForwardKinematics(model.pinocchio, data, q)
    return sum(data.oMf[foot.frame_id].rotation @ wrench[:3] for foot, wrench in zip(model.feet, wrenches))


def test_contact_points_are_the_corners_and_carry_the_feet_forces() -> None:
    backend = _standing("humanoid")
    _hold(backend, "humanoid", 0.2)
    truth = backend.ground_truth()
    corners = np.vstack(sole_points(robot("humanoid")[0], truth.q))
    for point in truth.contact_points:
        assert np.min(np.linalg.norm(corners[:, :2] - point[:2], axis=1)) < 1e-4
    np.testing.assert_allclose(truth.contact_forces.sum(axis=0), truth.foot_force.sum(axis=0), atol=1e-9)
    assert truth.in_contact.all() and not truth.other_contacts


def test_free_fall_gains_the_energy_of_the_height() -> None:
    """Dropped from 0.5 m without torques: kinetic energy equals m g h to the integrator's first-order error."""
    model, _ = robot("quadruped")
    backend = _standing("quadruped", drop=0.5)
    assert np.linalg.norm(backend.read_sensors().imu.linear_acceleration) < 1e-6  # falling: weightless
    start = float(backend.ground_truth().q[2])
    for _ in range(200):
        backend.step(np.zeros(model.n))
    truth = backend.ground_truth()
    assert truth.foot_force.sum() == 0.0
    down = (quaternion_to_matrix(truth.q[3:7]) @ truth.v[:3])[2]
    assert down == pytest.approx(-GRAVITY_M_S2 * 0.2, rel=1e-3)
    assert 0.5 * down**2 == pytest.approx(GRAVITY_M_S2 * (start - truth.q[2]), rel=0.01)


def test_push_changes_momentum_by_its_impulse() -> None:
    model, _ = robot("quadruped")
    backend = _standing("quadruped", drop=1.0)
    link = model.pinocchio.frames[model.torso_frame_id].name
    backend.apply_wrench(link, np.array([30.0, 0.0, 0.0]), np.zeros(3))
    for _ in range(100):
        backend.step(np.zeros(model.n))
    backend.apply_wrench(link, np.zeros(3), np.zeros(3))
    truth = backend.ground_truth()
    data = model.pinocchio.createData()
    pin.centerOfMass(model.pinocchio, data, truth.q, truth.v)
    assert model.mass * data.vcom[0][0] == pytest.approx(3.0, rel=1e-3)
    with pytest.raises(BackendError, match="no link 'tail'"):
        backend.apply_wrench("tail", np.zeros(3), np.zeros(3))


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


def test_limp_robot_falls_onto_its_body_and_not_through_the_floor() -> None:
    backend = _standing("humanoid")
    touched = False
    for _ in range(2500):
        backend.step(-2.0 * backend.read_sensors().joints.velocity)
        touched = touched or bool(backend.ground_truth().other_contacts)
    truth = backend.ground_truth()
    assert touched and 0.0 < truth.q[2] < 0.6


@pytest.mark.parametrize(
    "terrain", ({"type": "flat", "height": 0.3}, {"type": "stairs"}, {"type": "rough"}, {"type": "beam"})
)
def test_robot_is_put_on_the_ground_below_it(terrain: dict[str, object]) -> None:
    model, parameters = robot("quadruped")
    ground = make_ground(read_scenario({"duration": 1.0, "terrain": terrain}, "x").terrain)
    backend = MujocoBackend(model, parameters.simulator, ground)
    q = model.standing_configuration()
    q[:2] = 1.6, 0.1
    backend.reset(InitialState(q, np.zeros(model.nv)))
    points = np.vstack(sole_points(model, backend.ground_truth().q))
    clearance = [p[2] - ground.height(p[0], p[1]) for p in points]
    assert min(clearance) == pytest.approx(0.0, abs=1e-9)


def test_feet_of_a_tilted_robot_report_forces_in_their_own_frame() -> None:
    """Yawed by 90°, the reading is the same as unyawed: sole frames turn with the robot."""
    model, parameters = robot("humanoid")
    backend, readings = MujocoBackend(model, parameters.simulator), []
    for yaw in (0.0, np.pi / 2.0):
        q = model.standing_configuration()
        rotation = roll_pitch_yaw_to_matrix(0.0, 0.0, yaw)
        q[3:7] = [0.0, 0.0, np.sin(yaw / 2.0), np.cos(yaw / 2.0)]
        np.testing.assert_allclose(quaternion_to_matrix(q[3:7]), rotation, atol=1e-12)
        backend.reset(InitialState(q, np.zeros(model.nv)))
        _hold(backend, "humanoid", 0.3)
        readings.append(backend.read_sensors().foot_wrenches)
    np.testing.assert_allclose(readings[0], readings[1], atol=0.5)


def test_resting_forces_balance_weight_and_moment() -> None:
    model, _ = robot("humanoid")
    q = model.standing_configuration()
    wrenches = resting_forces(model, q, Ground())
    assert wrenches is not None
    assert sum(w[2] for w in wrenches) == pytest.approx(model.weight)
    raised = q.copy()
    raised[2] += 0.1
    assert resting_forces(model, raised, Ground()) is None


@pytest.mark.slow
def test_standing_feet_do_not_creep() -> None:
    """Point feet that push sideways against friction: soft contacts creep, the no-slip pass stops it."""
    backend = _standing("quadruped")
    _hold(backend, "quadruped", 1.0)
    start = backend.ground_truth().foot_position
    _hold(backend, "quadruped", 5.0)
    truth = backend.ground_truth()
    assert np.abs(truth.foot_force[:, 1]).min() > 2.0
    assert np.linalg.norm((truth.foot_position - start)[:, :2], axis=1).max() < 0.1e-3


def test_readings_do_not_change_under_later_steps() -> None:
    """MuJoCo hands out views of its memory; what leaves the backend must be its own."""
    import copy

    backend = _standing("humanoid")
    _hold(backend, "humanoid", 0.05)
    readings = backend.ground_truth(), backend.read_sensors()
    before = copy.deepcopy(readings)
    for _ in range(20):
        backend.step(np.zeros(robot("humanoid")[0].n))
    assert repr(readings) == repr(before)
