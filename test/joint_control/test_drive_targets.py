"""Targets for drives that close their own loop are worth the effort that the bridge would have sent."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from wbc_control.joint_control import BridgeMode, DriveTargets, JointPdBridge, PositionTargets, drive_targets
from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.state import JointCommand, JointState

MS = 1_000_000
PARAMETERS = load_robot("humanoid")
MODEL = RobotModel.from_parameters(PARAMETERS.robot)
LIMIT = MODEL.limits.effort
RNG = np.random.default_rng(7)


def joints(time_ns: int, spread: float = 1.0) -> JointState:
    return JointState(time_ns, RNG.normal(size=MODEL.n) * spread, RNG.normal(size=MODEL.n) * spread, np.zeros(MODEL.n))


def command(time_ns: int, spread: float = 1.0) -> JointCommand:
    values = RNG.normal(size=(3, MODEL.n)) * np.array([[spread], [spread], [30.0 * spread]])
    return JointCommand(time_ns, *values)


def drive(targets: DriveTargets, measured: JointState) -> np.ndarray:
    """What the drive makes of its targets."""
    stiff = targets.stiffness * (targets.position - measured.position)
    return targets.effort + stiff + targets.damping * (targets.velocity - measured.velocity)


@pytest.mark.parametrize("spread", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("silence", [False, True])
def test_a_drive_at_the_measured_state_gives_the_bridges_effort(spread, silence):
    bridge = JointPdBridge(MODEL, PARAMETERS.bridge)
    for tick in range(60):
        measured, wanted = joints(tick * MS, spread), command(tick * MS, spread)
        effort = bridge.update(tick * MS, None if silence else wanted, measured)
        targets = drive_targets(bridge.law(), effort, LIMIT)
        np.testing.assert_allclose(drive(targets, measured), effort, atol=1e-9 * (1.0 + spread))


def test_no_gain_alone_asks_for_more_than_the_joint_can_give():
    bridge = JointPdBridge(MODEL, dataclasses.replace(PARAMETERS.bridge, start_ramp=0.0))
    for tick in range(60):
        measured = joints(tick * MS, 50.0)
        targets = drive_targets(bridge.law(), bridge.update(tick * MS, command(tick * MS, 50.0), measured), LIMIT)
        targets = drive_targets(bridge.law(), bridge.update(tick * MS, command(tick * MS, 50.0), measured), LIMIT)
        assert (np.abs(targets.stiffness * (targets.position - measured.position)) <= LIMIT * (1 + 1e-12)).all()
        assert (np.abs(targets.damping * (targets.velocity - measured.velocity)) <= LIMIT * (1 + 1e-12)).all()
        assert (np.abs(targets.effort) <= 3.0 * LIMIT * (1 + 1e-12)).all()


def test_while_the_bridge_damps_the_drive_damps_by_itself():
    bridge = JointPdBridge(MODEL, PARAMETERS.bridge)
    rest = JointState(0, np.zeros(MODEL.n), np.full(MODEL.n, 0.2), np.zeros(MODEL.n))
    for tick in range(400):
        fresh = command(tick * MS) if tick < 200 else None
        effort = bridge.update(tick * MS, fresh, rest)
    targets = drive_targets(bridge.law(), effort, LIMIT)
    assert bridge.mode is BridgeMode.DAMPING
    assert not targets.stiffness.any() and (targets.damping == PARAMETERS.bridge.damping).all()
    np.testing.assert_allclose(targets.effort, 0.0, atol=1e-12), "nothing but damping is left when we fall silent"
    assert not targets.velocity.any()


def test_gains_of_the_drive_rise_with_the_start_ramp():
    bridge = JointPdBridge(MODEL, PARAMETERS.bridge)
    shares = []
    for tick in range(700):
        effort = bridge.update(tick * MS, command(tick * MS, 0.01), joints(tick * MS, 0.01))
        shares.append(drive_targets(bridge.law(), effort, LIMIT).stiffness[0])
    assert shares[0] == 0.0 and np.diff(shares).min() >= 0.0 and shares[-1] == shares[-2] > 0.0


@pytest.fixture
def positions():
    return JointPdBridge(MODEL, PARAMETERS.bridge), PositionTargets(MODEL, PARAMETERS.bridge.rate)


STANDING = MODEL.joint_positions(MODEL.standing_configuration())


def at(tick: int, position: np.ndarray) -> JointState:
    return JointState(tick * MS, position, np.zeros(MODEL.n), np.zeros(MODEL.n))


def wanting(tick: int, position: np.ndarray) -> JointCommand:
    return JointCommand(tick * MS, position, np.zeros(MODEL.n), np.zeros(MODEL.n))


def follow(positions, ticks, command_of, measured: np.ndarray) -> np.ndarray:
    """Position targets of some ticks, (k, n)."""
    bridge, targets = positions
    rows = []
    for tick in ticks:
        bridge.update(tick * MS, command_of(tick), at(tick, measured))
        rows.append(targets.update(bridge.law()))
    return np.array(rows)


def test_positions_begin_where_the_joints_are_and_never_outrun_them(positions):
    goal = STANDING + 0.4
    sent = follow(positions, range(3000), lambda tick: wanting(tick, goal), STANDING)
    np.testing.assert_allclose(sent[0], STANDING)
    steps = np.abs(np.diff(sent, axis=0))
    assert (steps <= MODEL.limits.velocity / PARAMETERS.bridge.rate + 1e-12).all()
    np.testing.assert_allclose(sent[-1], np.clip(goal, MODEL.limits.position_lower, MODEL.limits.position_upper))


def test_positions_halt_where_the_joints_are_when_commands_stop(positions):
    follow(positions, range(1000), lambda tick: wanting(tick, STANDING), STANDING)
    halted = follow(positions, range(2000, 3000), lambda tick: None, STANDING + 0.01)
    later = follow(positions, range(3000, 3100), lambda tick: None, STANDING - 0.02)
    np.testing.assert_allclose(halted[-1], STANDING + 0.01, atol=1e-9)
    np.testing.assert_allclose(later[-1], STANDING + 0.01, atol=1e-9), "a halt does not follow a robot that sags"


def test_a_joint_outside_its_limits_is_led_back_without_a_jump(positions):
    outside = MODEL.limits.position_upper + 0.1
    sent = follow(positions, range(2000), lambda tick: wanting(tick, outside), outside)
    assert (sent[0] >= MODEL.limits.position_upper).all()
    assert (np.abs(sent[0] - outside) <= MODEL.limits.velocity / PARAMETERS.bridge.rate + 1e-12).all()
    np.testing.assert_allclose(sent[-1], MODEL.limits.position_upper)
