"""Wrongly read sensors are caught at rest, with the likely cause (C8, C9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from estimation_motion import QUIET, motion, robot, samples

from wbc_control.estimation import Estimator
from wbc_control.model.catalogue import load_robot
from wbc_control.parameters import changed
from wbc_control.state import SensorSample

Fault = Callable[[SensorSample], SensorSample]


def with_imu(sample: SensorSample, **values: Any) -> SensorSample:
    return replace(sample, imu=replace(sample.imu, **values))


def reorder(sample: SensorSample) -> SensorSample:
    return with_imu(sample, orientation_xyzw=sample.imu.orientation_xyzw[[3, 0, 1, 2]])


def gravity_down(sample: SensorSample) -> SensorSample:
    return with_imu(sample, linear_acceleration=-sample.imu.linear_acceleration)


def no_accelerometer(sample: SensorSample) -> SensorSample:
    return with_imu(sample, linear_acceleration=np.zeros(3))


def in_units_of_g(sample: SensorSample) -> SensorSample:
    return with_imu(sample, linear_acceleration=sample.imu.linear_acceleration / 9.81)


def sideways(sample: SensorSample) -> SensorSample:
    return with_imu(sample, linear_acceleration=sample.imu.linear_acceleration[[2, 0, 1]])


def flipped_force(sample: SensorSample) -> SensorSample:
    return replace(sample, foot_wrenches=-sample.foot_wrenches)


def normal_first(sample: SensorSample) -> SensorSample:
    return replace(sample, foot_wrenches=sample.foot_wrenches[:, [2, 0, 1, 3, 4, 5]])


def torque_first(sample: SensorSample) -> SensorSample:
    return replace(sample, foot_wrenches=sample.foot_wrenches[:, [3, 4, 5, 0, 1, 2]])


def half_scale(sample: SensorSample) -> SensorSample:
    return replace(sample, foot_wrenches=0.5 * sample.foot_wrenches)


def refusal(name: str, fault: Fault, imu_filter: bool = True, ticks: int = 400) -> tuple[str, int]:
    """Reason of the last tick, and the first tick that was not healthy."""
    under_test, first = Estimator(robot(name), load_robot(name).estimator), -1
    for i, sample in zip(range(ticks), samples(motion(name, 0.6), imu_filter=imu_filter), strict=False):
        estimate = under_test.update(fault(sample))
        if first < 0 and not estimate.healthy:
            first = i
    return estimate.reason, first


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (no_accelerometer, "zeros"),
        (in_units_of_g, "unit is g"),
        (sideways, "disagree on up"),
        (flipped_force, "sign is flipped"),
        (half_scale, "scale or bias"),
    ],
)
def test_a_wrong_sensor_is_refused_with_its_cause(name: str, fault: Fault, words: str) -> None:
    reason, _ = refusal(name, fault)
    assert reason.startswith("start refused") and words in reason


@pytest.mark.parametrize(
    ("fault", "words"),
    [(reorder, "w, x, y, z"), (gravity_down, "−g"), (normal_first, "force x"), (torque_first, "torque z")],
)
def test_flat_soles_tell_which_of_two_sensors_is_wrong(fault: Fault, words: str) -> None:
    reason, _ = refusal("humanoid", fault)
    assert words in reason


@pytest.mark.parametrize("fault", [reorder, gravity_down, sideways])
def test_a_wrong_direction_of_gravity_is_refused_within_ten_ticks(fault: Fault) -> None:
    assert 0 <= refusal("humanoid", fault)[1] <= 10


def test_minus_g_is_caught_without_the_imus_own_orientation() -> None:
    assert "−g" in refusal("humanoid", gravity_down, imu_filter=False)[0]


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
@pytest.mark.parametrize("imu_filter", [True, False])
def test_good_sensors_are_accepted_from_the_first_tick(name: str, imu_filter: bool) -> None:
    assert refusal(name, lambda sample: sample, imu_filter) == ("", -1)


def test_a_foot_without_load_is_named() -> None:
    """The sensors say that one foot carries everything, the posture says otherwise."""
    name = "humanoid"
    under_test = Estimator(robot(name), load_robot(name).estimator)
    for sample in samples(motion(name, 0.6), QUIET):
        wrenches = sample.foot_wrenches.copy()
        wrenches[:, 2] = np.array([0.99, 0.01]) * wrenches[:, 2].sum()
        estimate = under_test.update(replace(sample, foot_wrenches=wrenches))
    assert "r_sole reads nothing" in estimate.reason


def test_a_refusal_is_lifted_once_the_sensors_agree() -> None:
    name = "humanoid"
    parameters = changed(load_robot(name).estimator, {"start.window": 0.1})
    under_test, verdicts = Estimator(robot(name), parameters), []
    for i, sample in enumerate(samples(motion(name, 0.6))):
        verdicts.append(under_test.update(flipped_force(sample) if i < 250 else sample).healthy)
    assert not verdicts[249] and verdicts[-1]


def test_the_check_can_be_switched_off() -> None:
    name = "humanoid"
    under_test = Estimator(robot(name), changed(load_robot(name).estimator, {"start.check": False}))
    assert all(under_test.update(half_scale(sample)).healthy for sample in samples(motion(name, 0.6)))
