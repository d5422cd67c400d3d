"""The stack without middleware: deterministic, all-or-none live parameters, damping until it knows where it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wbc_control.errors import ParameterError
from wbc_control.joint_control import BridgeMode
from wbc_control.model import RobotModel, load_robot
from wbc_control.stack import ControlStack
from wbc_control.state import ImuSample, JointState, SensorSample

PARAMETERS = load_robot("quadruped", {"whole_body_qp.solver.time_budget": 0.0})  # results must not depend on load
MODEL = RobotModel.from_parameters(PARAMETERS.robot)
MS = 1_000_000


def at_rest(k: int, noise: float = 0.0, seed: int = 0) -> SensorSample:
    """The robot standing still, weight shared by its feet."""
    rng, n, feet = np.random.default_rng((seed, k)), MODEL.n, len(MODEL.feet)
    position = MODEL.joint_positions(MODEL.standing_configuration()) + noise * rng.normal(size=n)
    imu = ImuSample(k * MS, np.array([0.0, 0.0, 0.0, 1.0]), noise * rng.normal(size=3), np.array([0.0, 0.0, 9.81]))
    wrenches = np.zeros((feet, 6))
    wrenches[:, 2] = MODEL.weight / feet
    times = np.full(feet, k * MS)
    joints = JointState(k * MS, position, noise * rng.normal(size=n), np.zeros(n))
    return SensorSample(k * MS, joints, imu, wrenches, times, np.ones(feet, dtype=bool))


def test_same_sensors_same_torques_to_the_bit() -> None:
    first, second = ControlStack(MODEL, PARAMETERS), ControlStack(MODEL, PARAMETERS)
    for k in range(100):
        sample = at_rest(k, 1e-4)
        np.testing.assert_array_equal(first.tick(sample), second.tick(sample))
    assert first.output is not None and first.output.telemetry.solved


def test_reset_is_as_new() -> None:
    used, fresh = ControlStack(MODEL, PARAMETERS), ControlStack(MODEL, PARAMETERS)
    for k in range(50):
        used.tick(at_rest(k, 1e-3, seed=5))
    assert used.plan is not None and used.reference is not None
    used.reset()
    assert used.sampler.sample(50 * MS) is None
    assert all(getattr(used, name) is None for name in ("estimate", "plan", "reference", "output"))
    for k in range(30):
        np.testing.assert_array_equal(used.tick(at_rest(k)), fresh.tick(at_rest(k)))


def test_lost_sensors_end_in_damping() -> None:
    stack = ControlStack(MODEL, PARAMETERS)
    for k in range(100):
        stack.tick(at_rest(k))
    broken = at_rest(100)
    broken.joints.position[:] = np.nan
    for k in range(100, 400):
        effort = stack.tick(
            SensorSample(
                k * MS, broken.joints, broken.imu, broken.foot_wrenches, broken.wrench_time_ns, broken.wrench_valid
            )
        )
        assert np.isfinite(effort).all()
    np.testing.assert_allclose(effort, 0.0, atol=1.0)
    assert stack.estimate is not None and not stack.estimate.healthy and stack.estimate.reason


def test_before_a_healthy_estimate_it_only_brakes() -> None:
    stack, blind = ControlStack(MODEL, PARAMETERS), at_rest(0)
    for k in range(50):
        joints = JointState(k * MS, blind.joints.position, np.full(MODEL.n, 0.2), np.zeros(MODEL.n))
        imu = ImuSample(k * MS, np.full(4, np.nan), np.full(3, np.nan), np.full(3, np.nan))
        effort = stack.tick(replace(blind, time_ns=k * MS, joints=joints, imu=imu))
        assert stack.estimate is not None and not stack.estimate.healthy and stack.plan is None
        assert stack.bridge.mode is BridgeMode.DAMPING
    np.testing.assert_allclose(effort, -0.2 * PARAMETERS.bridge.damping)


def test_live_parameters_change_and_take_effect() -> None:
    stack = ControlStack(MODEL, PARAMETERS)
    stack.set_parameters({"whole_body_qp.com.weight": 7.0, "joint_pd_bridge.kp": 11.0})
    assert stack.parameters.controller.com.weight == 7.0
    assert stack.controller.parameters.com.weight == 7.0 and stack.bridge.parameters.kp == 11.0


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"whole_body_qp.com.weight": 7.0, "whole_body_qp.solver.backend": "proxqp"}, "cannot change while running"),
        ({"whole_body_qp.com.weight": 7.0, "whole_body_qp.com.wait": 1.0}, "did you mean 'com.weight'"),
        ({"whole_body_qp.com.weight": 7.0, "nobody.x": 1.0}, "no node with live parameters"),
        ({"whole_body_qp.com.weight": 7.0, "whole_body_qp.contact.friction": -1.0}, "outside"),
        ({"whole_body_qp.com.weight": 7.0, "contact_estimator.contact.lift_force": 0.9}, "must be below"),
        ({"whole_body_qp.com.weight": float("nan")}, "finite"),
    ],
)
def test_refused_changes_change_nothing(values: dict[str, object], said: str) -> None:
    stack = ControlStack(MODEL, PARAMETERS)
    before = stack.parameters
    with pytest.raises(ParameterError, match=said):
        stack.set_parameters(values)
    assert stack.parameters is before


def test_both_thresholds_in_one_change_are_judged_together() -> None:
    stack = ControlStack(MODEL, PARAMETERS)
    stack.set_parameters({"contact_estimator.contact.lift_force": 0.3, "contact_estimator.contact.touch_force": 0.4})
    assert stack.parameters.estimator.contact.touch_force == 0.4
