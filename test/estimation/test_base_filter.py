"""Base pose and velocity: invariances, accuracy while stepping, consistency of the covariance, bias, slip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from estimation_motion import QUIET, Motion, Noise, motion, robot, samples

from wbc_control.estimation import Estimator
from wbc_control.estimation.invariant_filter import InvariantFilter
from wbc_control.estimation.vectors import rotation_of, small_rotation_between
from wbc_control.model.catalogue import load_robot
from wbc_control.parameters import EstimatorParameters, changed
from wbc_control.spatial import exp_so3
from wbc_control.state import ContactPhase


def run(
    name: str, truth: Motion, values: dict[str, Any] | None = None, **options: Any
) -> tuple[np.ndarray, np.ndarray, Estimator]:
    """(T, nq) configurations and (T, nv) velocities estimated along a motion."""
    under_test = Estimator(robot(name), changed(load_robot(name).estimator, values or {}))
    states = [under_test.update(s, p) for s, p in zip(samples(truth, **options), truth.planned, strict=True)]
    assert all(state.healthy for state in states)
    return np.array([s.robot.q for s in states]), np.array([s.robot.v for s in states]), under_test


def tilt_errors(q: np.ndarray, truth: Motion) -> np.ndarray:
    up = [
        pin.Quaternion(a[3:7]).matrix()[2] @ pin.Quaternion(b[3:7]).matrix()[2] for a, b in zip(q, truth.q, strict=True)
    ]
    return np.arccos(np.clip(up, -1.0, 1.0))


def test_the_estimate_does_not_depend_on_where_and_which_way_the_robot_starts() -> None:
    here, there = motion("humanoid", 0.6), motion("humanoid", 0.6, 0.0, 2.1, 50.0)
    (q, v, _), (q_moved, v_moved, _) = run("humanoid", here), run("humanoid", there)
    assert np.abs(q - q_moved).max() < 1e-9 and np.abs(v - v_moved).max() < 1e-9


def test_the_world_begins_on_the_ground_amid_the_feet() -> None:
    truth = motion("humanoid", 0.6)
    q, _, under_test = run("humanoid", truth, noise=QUIET)
    soles = under_test.base.filter.points[2:]
    assert np.abs(soles.mean(axis=0)).max() < 1e-3
    assert abs(q[0, 2] - robot("humanoid").standing_configuration()[2]) < 1e-3


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
@pytest.mark.parametrize("options", [{}, {"imu_filter": False}, {"imu_every": 5}])
def test_stepping_drifts_little(name: str, options: dict[str, Any]) -> None:
    """Bars: drift 2 % of distance, tilt rmse 0.5°, velocity rmse 0.05 m/s; also own attitude, also a 200 Hz IMU."""
    truth = motion(name, 3.0, 0.2)
    q, v, _ = run(name, truth, **options)
    distance = truth.q[-1, 0] - truth.q[0, 0]
    drift = (q[-1, :3] - q[0, :3]) - (truth.q[-1, :3] - truth.q[0, :3])
    assert np.linalg.norm(drift) < 0.02 * distance
    assert np.sqrt(np.mean(tilt_errors(q, truth)[300:] ** 2)) < np.radians(0.5)
    assert np.sqrt(np.mean((v[300:, :3] - truth.v[300:, :3]) ** 2)) < 0.05


@pytest.mark.slow
def test_standing_feet_do_not_creep() -> None:
    """C20: less than 1 mm in 10 s, counted once the accelerometer's bias has settled."""
    truth = motion("humanoid", 10.0)
    q, _, under_test = run("humanoid", truth)
    creep = (q[-1, :3] - q[2000, :3]) - (truth.q[-1, :3] - truth.q[2000, :3])
    assert np.linalg.norm(creep) < 0.8e-3
    assert np.ptp(under_test.base.filter.points[2:, 2]) < 1e-3


def test_delayed_and_dropped_imu_samples_are_survived() -> None:
    truth = motion("humanoid", 2.0, 0.2)
    under_test, rng, history, states = (
        Estimator(robot("humanoid"), load_robot("humanoid").estimator),
        np.random.default_rng(5),
        [],
        [],
    )
    for i, sample in enumerate(samples(truth)):
        history.append(sample.imu)
        if i < 3 or rng.random() > 0.2:
            held = history[max(i - 3, 0)]
        states.append(under_test.update(replace(sample, imu=held), truth.planned[i]))
    assert all(state.healthy for state in states)
    v = np.array([s.robot.v[:3] for s in states])
    assert np.sqrt(np.mean((v[300:] - truth.v[300:, :3]) ** 2)) < 0.05


def test_a_gyro_bias_is_found_and_removed() -> None:
    truth = motion("humanoid", 3.0)
    bias = np.array([0.02, -0.015, 0.0])
    under_test = Estimator(robot("humanoid"), changed(load_robot("humanoid").estimator, {"base.gyro_bias_walk": 1e-3}))
    for sample in samples(truth):
        sample = replace(sample, imu=replace(sample.imu, angular_velocity=sample.imu.angular_velocity + bias))
        under_test.update(sample)
    assert np.abs(under_test.base.filter.bias[0] - robot("humanoid").imu_placement.rotation @ bias).max() < 0.002


def test_a_foot_that_slides_is_told_within_twenty_milliseconds_and_is_no_reference() -> None:
    """The encoders say that one foot moves over the ground: its hip joint turns outward with a velocity ramp."""
    name = "humanoid"
    truth, model = motion(name, 0.6), robot("humanoid")
    index = next(k for k, joint in enumerate(model.joint_names) if "hip_roll" in joint)
    fast_since, told = -1, -1
    under_test, angle, states = Estimator(model, load_robot(name).estimator), 0.0, []
    for i, sample in enumerate(samples(truth)):
        rate = min(0.02 * max(i - 300, 0), 0.6)
        angle += rate * 0.001
        position, velocity = sample.joints.position.copy(), sample.joints.velocity.copy()
        position[index] += angle
        velocity[index] += rate
        state = under_test.update(replace(sample, joints=replace(sample.joints, position=position, velocity=velocity)))
        states.append(state)
        foot_speed = rate * model.standing_configuration()[2]
        if foot_speed > 0.1 and fast_since < 0:
            fast_since = i
        if told < 0 and int(ContactPhase.SLIDING) in state.contact.phase.tolist():
            told = i
    assert told >= 0 and told - fast_since <= 20
    drift = states[-1].robot.q[:3] - states[299].robot.q[:3] - (truth.q[-1, :3] - truth.q[299, :3])
    assert np.linalg.norm(drift) < 0.01


def simulate_filter(seed: int, parameters: EstimatorParameters) -> list[float]:
    """Normalised squared errors of velocity and tilt of one filter run with exactly the declared noise."""
    rng, dt, base = np.random.default_rng(seed), 0.001, parameters.base
    kalman = InvariantFilter(2)
    anchors = np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]])
    start = rotation_of(np.r_[rng.normal(0, 0.1, 2), 0.0])
    kalman.reset(start, start @ np.array([0.0, 0.0, 0.8]), anchors @ start.T, parameters)
    kalman.points[0] = rng.normal(0, 0.1, 3)
    true_bias = np.stack([rng.normal(0, base.gyro_bias_start, 3), rng.normal(0, base.accelerometer_bias_start, 3)])
    position, rotation, velocity = np.array([0.0, 0.0, 0.8]), np.eye(3), np.zeros(3)
    variances = np.r_[np.full(3, base.foot_velocity_noise**2 / 2), np.full(6, base.foot_position_noise**2)]
    errors, t = [], 0.0
    for i in range(1500):
        spin = np.array([0.3 * np.sin(3 * t), 0.2 * np.cos(2 * t), 0.1])
        acceleration = np.array([0.3 * np.cos(4 * t), 0.2 * np.sin(5 * t), 0.1 * np.cos(3 * t)])
        density = np.array([[base.gyro_noise], [base.accelerometer_noise]]) / np.sqrt(dt)
        middle = rotation @ exp_so3(0.5 * dt * spin)
        reading = (
            np.stack([spin, middle.T @ (acceleration + [0, 0, 9.81])]) + true_bias + density * rng.normal(size=(2, 3))
        )
        kalman.integrate((reading - kalman.bias).ravel().tolist(), dt)
        position = position + velocity * dt + 0.5 * acceleration * dt**2
        velocity, rotation, t = velocity + acceleration * dt, rotation @ exp_so3(dt * spin), t + dt
        kalman.propagate(dt, parameters)
        kalman.absorb_stance(variances, 1.0)
        turn = kalman.rotation @ rotation.T
        offsets = (anchors - position) @ turn.T + rng.normal(0, base.foot_position_noise, (2, 3))
        seen = -turn @ velocity + rng.normal(0, base.foot_velocity_noise / np.sqrt(2), 3)
        kalman.correct_stance(np.r_[kalman.points[0] + seen, (kalman.points[2:] - kalman.points[1] - offsets).ravel()])
        if i % 100 == 99 and i > 300:
            at = kalman.rotation_at
            turned = small_rotation_between(kalman.rotation, rotation)
            error = np.r_[kalman.points[0] - rotation_of(turned) @ velocity, turned[:2]]
            block = kalman.covariance[np.ix_([0, 1, 2, at, at + 1], [0, 1, 2, at, at + 1])]
            errors.append(float(error @ np.linalg.solve(block, error)))
    return errors


def test_the_covariance_is_consistent_with_the_errors() -> None:
    """NEES: the mean of the normalised squared error of five numbers lies near five over many runs."""
    parameters = EstimatorParameters()
    values = np.concatenate([simulate_filter(seed, parameters) for seed in range(12)])
    assert 3.0 < values.mean() < 7.5


def test_small_rotations_are_measured_with_sign() -> None:
    turn = np.array([0.01, -0.02, 0.03])
    reference = exp_so3(np.array([0.4, 0.5, -0.6]))
    assert np.allclose(small_rotation_between(exp_so3(turn) @ reference, reference), turn, atol=1e-5)
    assert np.allclose(rotation_of(turn), exp_so3(turn))


def test_noise_of_the_default_sensors_gives_small_velocity_noise() -> None:
    truth = motion("humanoid", 0.6)
    _, v, _ = run("humanoid", truth, noise=Noise())
    assert np.sqrt(np.mean((v[200:, :3] - truth.v[200:, :3]) ** 2)) < 0.01
