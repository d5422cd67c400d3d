"""Noise, faults, delays and pushes: what reaches the controller, the motors and the body."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from wbc_control.errors import ScenarioError
from wbc_control.simulation.actuation import Actuation
from wbc_control.simulation.commands import CommandSchedule, ParameterSchedule
from wbc_control.simulation.faults import FaultInjector
from wbc_control.simulation.pushes import PushSchedule, lipm_zero_step_limit, quantised, ray_to_hull_border
from wbc_control.simulation.scenario import (
    ActuationSettings,
    CommandSettings,
    FaultSettings,
    NoiseSettings,
    ParameterChange,
    PushSettings,
)
from wbc_control.simulation.sensors import SensorNoise
from wbc_control.state import ImuSample, JointState, SensorSample

MS = 1_000_000
JOINTS, FEET = 4, ("l_sole", "r_sole")


def _sample(time_ns: int) -> SensorSample:
    """Values that tell when they were measured and which joint or foot they belong to."""
    base = 1e-6 * time_ns + np.arange(JOINTS, dtype=float) * 1000.0
    joints = JointState(time_ns, base, base + 0.1, base + 0.2)
    imu = ImuSample(time_ns, np.array([0.0, 0.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 9.81]))
    wrenches = np.arange(12.0).reshape(2, 6) + 1e-6 * time_ns
    return SensorSample(time_ns, joints, imu, wrenches, np.full(2, time_ns, dtype=np.int64), np.ones(2, dtype=bool))


def _run(ticks: int, *faults: FaultSettings) -> list[SensorSample]:
    injector = FaultInjector(faults, FEET, "effort_controller", seed=3)
    return [injector.apply(_sample(k * MS)) for k in range(ticks)]


def _fault(kind: str, topic: str, **more: Any) -> FaultSettings:
    return FaultSettings(t=0.003, kind=kind, topic=topic, **more)


def test_without_faults_the_sample_is_untouched() -> None:
    injector, sample = FaultInjector((), FEET, "c", 0), _sample(5 * MS)
    assert injector.apply(sample) is sample


def test_silence_holds_the_last_value_and_its_stamp_then_recovers() -> None:
    seen = _run(8, _fault("silence", "l_sole/wrench", duration=0.003))
    assert [int(s.wrench_time_ns[0]) // MS for s in seen] == [0, 1, 2, 2, 2, 2, 6, 7]
    np.testing.assert_array_equal(seen[5].foot_wrenches[0], seen[2].foot_wrenches[0])
    assert [int(s.wrench_time_ns[1]) // MS for s in seen] == list(range(8))


def test_kill_is_silence_for_ever() -> None:
    seen = _run(50, _fault("kill", "joint_states", duration=0.002))
    assert seen[49].joints.time_ns == 2 * MS and seen[49].time_ns == 49 * MS


def test_nan_reaches_every_number_of_its_topic_and_no_other() -> None:
    seen = _run(6, _fault("nan", "imu/data", duration=0.002))
    assert np.isnan(seen[3].imu.angular_velocity).all() and np.isnan(seen[4].imu.orientation_xyzw).all()
    assert np.isfinite(seen[5].imu.linear_acceleration).all()
    assert all(np.isfinite(s.joints.position).all() and np.isfinite(s.foot_wrenches).all() for s in seen)


def test_delay_hands_on_old_messages_with_old_stamps() -> None:
    seen = _run(12, _fault("delay", "joint_states", value=0.004))
    assert [s.joints.time_ns // MS for s in seen] == [0, 1, 2, 2, 2, 2, 2, 3, 4, 5, 6, 7]
    assert seen[9].joints.position[1] == 1005.0


def test_bias_adds_and_flip_sign_negates() -> None:
    plain = _sample(4 * MS)
    biased = _run(5, _fault("bias", "imu/data", value=0.1))[4]
    np.testing.assert_allclose(biased.imu.angular_velocity, plain.imu.angular_velocity + 0.1)
    np.testing.assert_array_equal(biased.imu.linear_acceleration, plain.imu.linear_acceleration)
    flipped = _run(5, _fault("flip_sign", "r_sole/wrench"))[4]
    np.testing.assert_array_equal(flipped.foot_wrenches, plain.foot_wrenches * [[1.0], [-1.0]])


def test_shuffled_joints_keep_their_own_numbers_together() -> None:
    seen = _run(9, _fault("shuffle", "joint_states"))
    plain, shuffled = _sample(8 * MS).joints, seen[8].joints
    assert sorted(shuffled.position) == sorted(plain.position) and (shuffled.position != plain.position).any()
    np.testing.assert_allclose(shuffled.velocity, shuffled.position + 0.1)
    np.testing.assert_array_equal(np.argsort(shuffled.position), np.argsort(seen[5].joints.position))


def test_command_faults_hold_or_slacken_the_motors() -> None:
    topic = "effort_controller/commands"
    for kind, wanted in (("silence", 2.0), ("kill", 0.0)):
        injector = FaultInjector([_fault(kind, topic)], FEET, "effort_controller", 0)
        acted = [injector.apply_effort(np.full(3, float(k)), k * MS) for k in range(6)]
        np.testing.assert_array_equal(acted[5], np.full(3, wanted))
        np.testing.assert_array_equal(acted[1], np.full(3, 1.0))


def test_fault_on_an_unknown_topic_names_the_known_ones() -> None:
    with pytest.raises(
        ScenarioError, match=r"unknown topic 'imu'.*imu/data.*l_sole/wrench.*effort_controller/commands"
    ):
        FaultInjector([_fault("nan", "imu")], FEET, "effort_controller", 0)


def test_noise_has_its_standard_deviation_and_its_seed() -> None:
    settings = NoiseSettings(gyro=0.5, accelerometer=0.0, joint_position=0.01, joint_velocity=0.1, wrench=2.0)

    def run(seed: int) -> list[SensorSample]:
        noise = SensorNoise(settings, seed, JOINTS, 2)
        return [noise.apply(_sample(0)) for _ in range(2000)]

    seen, plain = run(1), _sample(0)
    assert np.std([s.imu.angular_velocity for s in seen], axis=0) == pytest.approx(np.full(3, 0.5), rel=0.1)
    assert np.std([s.joints.position for s in seen], axis=0) == pytest.approx(np.full(JOINTS, 0.01), rel=0.1)
    assert np.std([s.foot_wrenches for s in seen], axis=0)[0] == pytest.approx(
        np.array([2, 2, 2, 0.2, 0.2, 0.2]), rel=0.1
    )
    np.testing.assert_array_equal(seen[0].imu.linear_acceleration, plain.imu.linear_acceleration)
    np.testing.assert_array_equal(seen[7].foot_wrenches, run(1)[7].foot_wrenches)
    assert (seen[7].foot_wrenches != run(2)[7].foot_wrenches).any()


def test_silent_noise_changes_nothing() -> None:
    sample = _sample(0)
    assert SensorNoise(NoiseSettings(0.0, 0.0, 0.0, 0.0, 0.0), 0, JOINTS, 2).apply(sample) is sample


def test_actuation_delays_by_whole_periods_and_scales() -> None:
    line = Actuation(ActuationSettings(delay=0.002, torque_scale=0.5), MS, 1)
    assert [float(line.apply(np.array([float(k)]))[0]) for k in range(1, 6)] == [0.0, 0.0, 0.5, 1.0, 1.5]
    direct = Actuation(ActuationSettings(), MS, 1)
    assert direct.apply(np.array([3.0]))[0] == 3.0


class _Recorder:
    """Stands in for a backend: remembers wrenches."""

    def __init__(self) -> None:
        self.force: dict[str, NDArray[np.float64]] = {}

    def apply_wrench(self, link: str, force: NDArray[np.float64], torque: NDArray[np.float64]) -> None:
        self.force[link] = force


def test_push_delivers_exactly_its_impulse_and_overlapping_ones_add() -> None:
    pushes = [
        PushSettings(t=0.0101, duration=0.0334, impulse=(3.0, 0.0, 1.0)),
        PushSettings(t=0.02, duration=0.01, impulse=(0.0, 2.0, 0.0)),
    ]
    schedule, recorder = PushSchedule([quantised(p, MS, "torso") for p in pushes]), _Recorder()
    total = np.zeros(3)
    for k in range(100):
        schedule.update(recorder, k * MS)  # type: ignore[arg-type]
        total += 1e-3 * recorder.force.get("torso", np.zeros(3))
    np.testing.assert_allclose(total, [3.0, 2.0, 1.0], atol=1e-12)
    np.testing.assert_array_equal(recorder.force["torso"], 0.0)


def test_zero_step_limit_is_m_omega_d() -> None:
    corners = np.array([[0.1, 0.1, 0.0], [0.1, -0.1, 0.0], [-0.05, -0.1, 0.0], [-0.05, 0.1, 0.0]])
    limit = lipm_zero_step_limit(30.0, np.array([0.0, 0.0, 0.8]), 0.0, corners, np.array([5.0, 0.0, 0.0]))
    assert limit == pytest.approx(30.0 * math.sqrt(9.81 / 0.8) * 0.1)
    assert lipm_zero_step_limit(30.0, np.array([0.5, 0.0, 0.8]), 0.0, corners, np.array([1.0, 0.0, 0.0])) == 0.0
    assert lipm_zero_step_limit(30.0, np.array([0.0, 0.0, 0.8]), 0.0, corners, np.zeros(3)) == 0.0


def test_ray_reaches_the_hull_in_every_direction() -> None:
    """On a polygon inscribed in the unit circle the border lies between cos(π/n) and 1."""
    angles = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    for angle in np.linspace(0.0, 6.0, 50):
        distance = ray_to_hull_border(points, np.array([np.cos(angle), np.sin(angle)]))
        assert np.cos(np.pi / 8) - 1e-9 <= distance <= 1.0 + 1e-9


def test_commands_and_parameters_follow_their_times() -> None:
    commands = CommandSchedule([CommandSettings(t=0.002, vx=1.0), CommandSettings(t=0.004, wz=0.5)])
    seen = [commands.at(k * MS) for k in range(6)]
    assert seen[0] is None and seen[1] is None
    assert [float(c.linear[0]) for c in seen[2:] if c] == [1.0, 1.0, 0.0, 0.0]
    assert seen[5] is not None and seen[5].yaw_rate == 0.5 and seen[5].time_ns == 5 * MS
    changes = ParameterSchedule([ParameterChange(0.0, {"a.b": 1}), ParameterChange(0.002, {"a.b": 2})])
    assert [dict(changes.due(k * MS)) for k in range(4)] == [{"a.b": 1}, {}, {"a.b": 2}, {}]
