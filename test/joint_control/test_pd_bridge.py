"""The last stage before the motors: whatever comes in, what goes out is finite, limited and slow enough."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from wbc_control.errors import ParameterError
from wbc_control.joint_control import BridgeMode, JointPdBridge
from wbc_control.model import RobotModel, load_robot
from wbc_control.parameters.bridge import BridgeParameters, JointGainParameters
from wbc_control.state import JointCommand, JointState

MS = 1_000_000
MODEL = RobotModel.from_parameters(load_robot("quadruped").robot)
PARAMETERS = BridgeParameters(kp=50.0, kd=2.0, damping=3.0, torque_rate=1e6, start_ramp=0.0)


def joints(position: float = 0.0, velocity: float = 0.0, time_ns: int = 0) -> JointState:
    n = MODEL.n
    return JointState(time_ns, np.full(n, position), np.full(n, velocity), np.zeros(n))


def command(time_ns: int, position: float = 0.0, effort: float = 0.0) -> JointCommand:
    return JointCommand(time_ns, np.full(MODEL.n, position), np.zeros(MODEL.n), np.full(MODEL.n, effort))


def test_effort_is_feed_forward_plus_pd() -> None:
    bridge = JointPdBridge(MODEL, PARAMETERS)
    bridge.update(0, command(0), joints())
    effort = bridge.update(MS, command(MS, 0.1, 1.0), joints(0.05, 0.5))
    np.testing.assert_allclose(effort, 1.0 + 50.0 * 0.05 - 2.0 * 0.5)
    assert bridge.mode is BridgeMode.TRACKING


def test_effort_never_exceeds_the_limit_nor_jumps() -> None:
    bridge = JointPdBridge(MODEL, dataclasses.replace(PARAMETERS, torque_rate=2000.0))
    last, rng = np.zeros(MODEL.n), np.random.default_rng(0)
    for k in range(200):
        effort = bridge.update(k * MS, command(k * MS, effort=float(rng.normal()) * 1e3), joints())
        assert (np.abs(effort) <= MODEL.limits.effort).all()
        assert np.abs(effort - last).max() <= 2.0 + 1e-9
        last = effort
    assert np.abs(last).max() > 1.0


@pytest.mark.parametrize("age_ms", [21, 200, 5000])
def test_an_old_command_or_none_damps(age_ms: int) -> None:
    bridge = JointPdBridge(MODEL, PARAMETERS)
    bridge.update(0, command(0, 0.3, 5.0), joints())
    for late in (command(0, 0.3, 5.0), None):
        np.testing.assert_allclose(bridge.update(age_ms * MS, late, joints(velocity=0.5)), -1.5)
        assert bridge.mode is BridgeMode.DAMPING


@pytest.mark.parametrize("field", ["position", "velocity", "effort"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_command_that_is_not_finite_damps(field: str, bad: float) -> None:
    bridge = JointPdBridge(MODEL, PARAMETERS)
    broken = command(0)
    getattr(broken, field)[3] = bad
    np.testing.assert_allclose(bridge.update(0, broken, joints(velocity=0.1)), -0.3)


@pytest.mark.parametrize("field", ["position", "velocity"])
def test_joints_that_are_not_finite_are_held_and_counted(field: str) -> None:
    bridge = JointPdBridge(MODEL, PARAMETERS)
    bridge.update(0, command(0), joints(0.1))
    broken = joints(0.1)
    getattr(broken, field)[0] = np.nan
    effort = bridge.update(MS, command(MS), broken)
    np.testing.assert_allclose(effort, -5.0)
    assert bridge.rejected == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_reused_buffer_that_turns_bad_does_not_spoil_the_last_good_values(bad: float) -> None:
    bridge, reused = JointPdBridge(MODEL, PARAMETERS), joints(0.1)
    bridge.update(0, command(0), reused)
    reused.position[:] = reused.velocity[:] = bad
    np.testing.assert_allclose(bridge.update(MS, command(MS), reused), -5.0)


def test_nothing_good_ever_is_zero_effort() -> None:
    bridge, broken = JointPdBridge(MODEL, PARAMETERS), command(0)
    broken.effort[:] = np.nan
    for k in range(5):
        np.testing.assert_array_equal(bridge.update(k * MS, broken, joints(np.nan, np.nan)), 0.0)
    assert bridge.rejected == 5


def test_brake_outlasts_the_command_until_a_new_update() -> None:
    bridge = JointPdBridge(MODEL, PARAMETERS)
    bridge.update(0, command(0, effort=4.0), joints())
    bridge.brake()
    assert bridge.mode is BridgeMode.DAMPING
    np.testing.assert_allclose(bridge.update(MS, None, joints(velocity=1.0)), -3.0)


def test_stiffness_ramps_up_after_the_start() -> None:
    bridge = JointPdBridge(MODEL, dataclasses.replace(PARAMETERS, start_ramp=0.1))
    efforts = [bridge.update(k * 10 * MS, command(k * 10 * MS, 0.1), joints())[0] for k in range(15)]
    np.testing.assert_allclose(efforts[:11], 5.0 * np.arange(11) / 10, atol=1e-9)
    np.testing.assert_allclose(efforts[10:], 5.0)


def test_new_gains_take_effect_no_faster_than_the_torque_rate() -> None:
    bridge = JointPdBridge(MODEL, dataclasses.replace(PARAMETERS, torque_rate=1000.0))
    for k in range(10):
        before = bridge.update(k * MS, command(k * MS, 0.1), joints())
    bridge.configure(dataclasses.replace(PARAMETERS, kp=200.0, torque_rate=1000.0, gain_ramp=0.0))
    after = bridge.update(10 * MS, command(10 * MS, 0.1), joints())
    np.testing.assert_allclose(after - before, 1.0)


def test_a_live_change_of_gains_is_a_ramp() -> None:
    bridge = JointPdBridge(MODEL, dataclasses.replace(PARAMETERS, start_ramp=0.0, torque_rate=1e9, gain_ramp=0.1))
    bridge.update(0, command(0, 0.01), joints())
    before = bridge.update(MS, command(MS, 0.01), joints())
    bridge.configure(
        dataclasses.replace(PARAMETERS, kp=2.0 * PARAMETERS.kp, start_ramp=0.0, torque_rate=1e9, gain_ramp=0.1)
    )
    efforts = [bridge.update(k * MS, command(k * MS, 0.01), joints()) for k in range(2, 150)]
    steps = np.abs(np.diff([before, *efforts], axis=0))
    expected = 0.01 * PARAMETERS.kp / 100.0
    assert steps.max() == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(steps[:100], expected, rtol=1e-6)
    np.testing.assert_array_equal(efforts[-1], efforts[-2])
    assert (bridge.law().stiffness == 2.0 * PARAMETERS.kp).all()


def test_gains_by_name_and_unknown_names_refused() -> None:
    name = MODEL.joint_names[4]
    bridge = JointPdBridge(MODEL, dataclasses.replace(PARAMETERS, gains={name: JointGainParameters(kp=10.0, kd=0.0)}))
    effort = bridge.update(0, command(0, 0.1), joints())
    assert effort[4] == pytest.approx(0.0) or effort[4] == pytest.approx(1.0)
    effort = bridge.update(MS, command(MS, 0.1), joints())
    assert effort[4] == pytest.approx(1.0) and effort[5] == pytest.approx(5.0)
    with pytest.raises(ParameterError, match=f"no joint '{name}x'; did you mean '{name}'"):
        JointPdBridge(MODEL, dataclasses.replace(PARAMETERS, gains={f"{name}x": JointGainParameters()}))
