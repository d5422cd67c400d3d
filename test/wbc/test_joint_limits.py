"""Limits in closed loop: viable at any period, never violated when driven to their bounds, and recovered
from outside."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from wbc_scene import ObedientWorld, moved, robot, standing_reference, terms_at

from wbc_control.model import RobotModel, load_robot
from wbc_control.parameters.controller import JointLimitParameters, MotorParameters
from wbc_control.wbc import ControllerOutput, ControllerStatus
from wbc_control.wbc.limits import EffortRateLimit, MotorLimit
from wbc_control.wbc.limits.position_velocity import viable_upper_acceleration


@pytest.mark.parametrize("period_ms", [1, 2, 5, 10, 20, 50])
@pytest.mark.parametrize("speed", [0.0, 1.0, 4.0])
def test_bounds_stay_compatible_at_any_period(period_ms: int, speed: float) -> None:
    """C26: a joint that always takes its largest, then a random, viable acceleration breaks no bound."""
    T, amax, vmax, low, high = period_ms * 1e-3, 100.0, 5.0, -1.0, 1.0
    rng = np.random.default_rng(period_ms)
    for greedy in (1.0, -1.0, None):
        q, v = 0.0, min(speed, vmax)
        for _ in range(400):
            up, down = (
                float(viable_upper_acceleration(*(np.array([x]) for x in (d, w, vmax)), amax, T)[0])
                for d, w in ((high - q, v), (q - low, -v))
            )
            assert -down <= up + 1e-9
            a = rng.uniform(-down, up) if greedy is None else (up if greedy > 0 else -down)
            assert abs(a) <= amax + 1e-9
            q, v = q + v * T + 0.5 * a * T * T, v + a * T
            assert low - 1e-6 <= q <= high + 1e-6
            assert abs(v) <= vmax + 1e-6


def test_a_joint_outside_its_range_comes_back_at_a_bounded_speed() -> None:
    """C25: 0.1 rad outside with a velocity limit."""
    T, q, v, vmax, high = 1e-3, 1.1, 0.0, 0.4, 1.0
    fastest = 0.0
    for _ in range(2000):
        up = float(viable_upper_acceleration(np.array([high - q]), np.array([v]), np.array([vmax]), 400.0, T)[0])
        q, v = q + v * T + 0.5 * up * T * T, v + up * T
        fastest = max(fastest, -v)
    assert fastest == pytest.approx(vmax, rel=0.01)
    assert q <= high + 1e-3


def test_a_robot_outside_a_joint_limit_recovers_without_infeasibility() -> None:
    """C25 in the whole controller."""
    model = robot("humanoid")
    q, joint = model.standing_configuration(), model.joint_names.index("l_elbow_joint")
    positions = model.joint_positions(q)
    positions[joint] = model.limits.position_upper[joint] + 0.1
    world = ObedientWorld("humanoid", model.with_joint_positions(q, positions))
    reference = standing_reference(model, world.q)
    for _ in range(400):
        assert world.step(reference).status is ControllerStatus.SOLVED
        assert np.abs(world.joint_velocity[joint]) <= model.limits.velocity[joint] + 1e-6
    assert world.joints[joint] <= model.limits.position_upper[joint]


@pytest.mark.parametrize("knee", [0.0, 1e-6])
def test_straight_knees_keep_accelerations_bounded(knee: float) -> None:
    """C24: legs stretched, centre of mass asked 5 cm higher."""
    model = robot("humanoid")
    positions = model.joint_positions(model.standing_configuration())
    for name, position in (("hip_pitch", 0.0), ("knee", knee), ("ankle_pitch", 0.0)):
        for side in "lr":
            positions[model.joint_names.index(f"{side}_{name}_joint")] = position
    q = model.with_joint_positions(model.standing_configuration(), positions)
    q[2] -= model.lowest_sole_height(q)
    world = ObedientWorld("humanoid", q)
    still = standing_reference(model, q)
    higher = moved(still, com_position=still.com_position + [0.0, 0.0, 0.05])
    for _ in range(300):
        output = world.step(higher)
        assert np.abs(output.telemetry.acceleration).max() <= world.parameters.limits.acceleration + 1e-6
        assert np.isfinite(output.command.effort).all()
    assert np.abs(world.joint_velocity).max() < 10.0


def driven(values: dict, shift: tuple[float, float, float], ticks: int = 500) -> tuple[ObedientWorld, list]:
    """A humanoid whose centre of mass is asked far away."""
    world = ObedientWorld("humanoid", **values)
    still = standing_reference(world.model)
    far = moved(still, com_position=still.com_position + np.array(shift))
    outputs = []
    for _ in range(ticks):
        outputs.append(world.step(far))
        yield world, outputs[-1]


def squatting(world: ObedientWorld, ticks: int, speed: float = 0.3, depth: float = 0.6) -> Iterator[ControllerOutput]:
    """A humanoid that goes down steadily, to where its joints do not let it."""
    still = standing_reference(world.model)
    for tick in range(ticks):
        down = min(depth, speed * world.period * tick)
        velocity = np.array([0.0, 0.0, -speed if down < depth else 0.0])
        yield world.step(moved(still, com_position=still.com_position - [0.0, 0.0, down], com_velocity=velocity))


@pytest.mark.slow
def test_position_limits_are_reached_and_kept_in_every_tick() -> None:
    """C27: a squat as deep as it goes, the braking relied on being one that legs in a closed chain have."""
    margin, limits = 0.05, robot("humanoid").limits
    world = ObedientWorld("humanoid", limits__position_margin=margin, limits__braking=5.0)
    nearest, fastest = np.inf, 0.0
    for output in squatting(world, 2400):
        assert output.status is ControllerStatus.SOLVED, output.telemetry.conflict
        room = np.minimum(limits.position_upper - world.joints, world.joints - limits.position_lower)
        nearest = min(nearest, float(room.min()))
        fastest = max(fastest, float((np.abs(world.joint_velocity) / limits.velocity).max()))
    assert margin - 1e-9 <= nearest <= margin + 1e-4
    assert fastest <= 1.0 + 1e-6


def test_velocity_limits_are_reached_and_kept_in_every_tick() -> None:
    """C27: knees that may turn at 0.4 rad/s, asked for more."""
    slow = {f"robot.joints.{side}_knee_joint.velocity": 0.4 for side in "lr"}
    model = RobotModel.from_parameters(load_robot("humanoid", slow).robot)
    knees = [model.joint_names.index(f"{side}_knee_joint") for side in "lr"]
    world, fastest = ObedientWorld("humanoid", model=model, posture__weight=5.0), 0.0
    for output in squatting(world, 600):
        assert output.status is ControllerStatus.SOLVED
        fastest = max(fastest, float(np.abs(world.joint_velocity[knees]).max()))
    assert fastest == pytest.approx(0.4, abs=1e-6) and fastest <= 0.4 + 1e-9


def test_acceleration_limits_are_reached_and_kept_in_every_tick() -> None:
    """C27: a step of the centre of mass, up to where the acceleration limit bites."""
    world, hardest = ObedientWorld("humanoid", limits__acceleration=20.0, com__bandwidth=12.0), 0.0
    for output in squatting(world, 250, speed=20.0, depth=0.08):
        assert output.status is ControllerStatus.SOLVED
        hardest = max(hardest, float(np.abs(output.telemetry.acceleration[world.model.v_index]).max()))
    assert 20.0 - 1e-3 <= hardest <= 20.0 + 1e-6


def test_a_fall_into_the_joint_limits_breaks_none() -> None:
    """C27: asked 0.6 m lower at once the body falls freely, faster than torques can stop it with feet at rest: some ticks
    must give up the contact's stillness or the torque rate, and positions, velocities and torques are kept all the same."""
    margin, acceleration = 0.05, 60.0
    limits = robot("humanoid").limits
    nearest, fastest, solved = np.inf, 0.0, 0
    values = {"limits__position_margin": margin, "limits__acceleration": acceleration, "com__bandwidth": 12.0}
    for world, output in driven(values, (0.0, 0.0, -0.6), 700):
        assert output.status in (ControllerStatus.SOLVED, ControllerStatus.RELAXED)
        solved += output.status is ControllerStatus.SOLVED
        room = np.minimum(limits.position_upper - world.joints, world.joints - limits.position_lower)
        nearest = min(nearest, float(room.min()))
        fastest = max(fastest, float((np.abs(world.joint_velocity) / limits.velocity).max()))
        assert output.telemetry.torque_use <= 1.0 + 1e-6
    assert margin - 1e-3 <= nearest
    assert fastest <= 1.0 + 1e-6
    assert solved < 700


@pytest.mark.parametrize(("margin", "reached"), [(0.6, "rate"), (0.85, "torque")])
def test_torque_and_torque_rate_limits_are_reached_and_kept_in_every_tick(margin: float, reached: str) -> None:
    """C27: tight torques and rate, a push upwards."""
    rate, limits, last, use, rate_use = 400.0, robot("humanoid").limits, None, 0.0, 0.0
    values = {"limits__torque_margin": margin, "limits__torque_rate": rate}
    for _, output in driven(values, (0.0, 0.0, 0.06), 400):
        assert output.status is ControllerStatus.SOLVED
        torque, before, last = output.command.effort, last, output.command.effort
        use = max(use, float((np.abs(torque) / ((1.0 - margin) * limits.effort)).max()))
        if before is not None:
            rate_use = max(rate_use, float(np.abs(torque - before).max()) / (rate * 1e-3))
    assert use <= 1.0 + 1e-6 and rate_use <= 1.0 + 1e-6
    assert {"rate": rate_use, "torque": use}[reached] > 1.0 - 1e-6


def test_motor_line_takes_driving_torque_only() -> None:
    model = robot("humanoid")
    name = model.joint_names[3]
    parameters = JointLimitParameters(motors={name: MotorParameters(corner_speed=2.0, no_load_speed=6.0)})
    limit, full = MotorLimit(model, parameters), model.limits.effort[3]
    assert limit.active
    for speed, high, low in ((0.0, 1.0, -1.0), (4.0, 0.5, -1.0), (8.0, 0.0, -1.0), (-5.0, 1.0, -0.25)):
        v = np.zeros(model.nv)
        v[model.v_index[3]] = speed
        lower, upper = np.full(model.n, -np.inf), np.full(model.n, np.inf)
        limit.narrow(terms_at(model, model.standing_configuration(), v), lower, upper)
        assert (upper[3], lower[3]) == pytest.approx((high * full, low * full))
        np.testing.assert_allclose(np.delete(upper, 3), np.delete(model.limits.effort, 3))
    assert not MotorLimit(model, JointLimitParameters()).active


def test_motor_line_is_reached_and_kept() -> None:
    """C27: a jump at motors that tire early."""
    limits, use = robot("humanoid").limits, 0.0
    values = {"limits__motor_corner": 0.02, "limits__motor_no_load": 0.2, "com__bandwidth": 15.0}
    world = ObedientWorld("humanoid", **values)
    still = standing_reference(world.model)
    for k in range(300):
        speed = world.joint_velocity.copy()
        output = world.step(moved(still, com_position=still.com_position + [0.0, 0.0, -0.15 if k < 150 else 0.05]))
        if output.status is not ControllerStatus.SOLVED:
            continue
        share = np.clip((0.2 * limits.velocity - np.abs(speed)) / (0.18 * limits.velocity), 0.0, 1.0)
        driving = output.command.effort * np.sign(speed) / limits.effort
        assert (driving <= share + 1e-4).all()
        use = max(use, float((driving[share < 0.999] / np.maximum(share[share < 0.999], 1e-3)).max(initial=0.0)))
    assert use > 0.9


def test_a_falling_limit_is_followed_at_the_torque_rate() -> None:
    model = robot("humanoid")
    rate = EffortRateLimit(1000.0, 1e-3)
    rate.remember(np.full(model.n, 50.0))
    lower, upper = np.full(model.n, -20.0), np.full(model.n, 20.0)
    rate.narrow(terms_at(model, model.standing_configuration(), np.zeros(model.nv)), lower, upper)
    np.testing.assert_allclose(upper, 49.0)
    np.testing.assert_allclose(lower, 49.0)
