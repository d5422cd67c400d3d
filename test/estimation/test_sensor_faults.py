"""Broken samples: held, counted, given up after a while, trusted again later; never an exception, never a NaN out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from estimation_motion import Noise, motion, robot, samples

from wbc_control.estimation import Estimator
from wbc_control.model.catalogue import load_robot
from wbc_control.state import Estimate, JointState, SensorSample

NAME = "humanoid"
FIELDS = [
    "position",
    "velocity",
    "effort",
    "orientation_xyzw",
    "angular_velocity",
    "linear_acceleration",
    "foot_wrenches",
]
ESSENTIAL = {"position", "velocity", "angular_velocity", "linear_acceleration"}


def broken(sample: SensorSample, field: str, value: float) -> SensorSample:
    if field in ("position", "velocity", "effort"):
        numbers = getattr(sample.joints, field).copy()
        numbers[1] = value
        return replace(sample, joints=replace(sample.joints, **{field: numbers}))
    if field == "foot_wrenches":
        wrenches = sample.foot_wrenches.copy()
        wrenches[0, 2] = value
        return replace(sample, foot_wrenches=wrenches)
    numbers = getattr(sample.imu, field).copy()
    numbers[1] = value
    return replace(sample, imu=replace(sample.imu, **{field: numbers}))


def finite(estimate: Estimate) -> bool:
    contact = estimate.contact
    parts = (
        estimate.robot.q,
        estimate.robot.v,
        contact.probability,
        contact.normal_force,
        contact.slip_speed,
        contact.confidence,
    )
    return all(np.isfinite(part).all() for part in parts)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
@pytest.mark.parametrize("ticks", [1, 50])
def test_non_finite_fields_are_held_and_counted(field: str, value: float, ticks: int) -> None:
    """C28, each field in turn."""
    truth = motion(NAME, 0.6)
    under_test = Estimator(robot(NAME), load_robot(NAME).estimator)
    unhealthy = []
    for i, sample in enumerate(samples(truth)):
        estimate = under_test.update(broken(sample, field, value) if 100 <= i < 100 + ticks else sample)
        assert finite(estimate)
        if not estimate.healthy:
            unhealthy.append(i)
    assert sum(under_test.intake.rejected().values()) == ticks
    assert estimate.healthy and estimate.contact.in_contact.all()
    if ticks == 1 or field not in ESSENTIAL:
        assert unhealthy == []
    else:
        assert unhealthy and unhealthy[0] >= 145 and unhealthy[-1] <= 250
    error = np.abs(estimate.robot.q[7:] - truth.q[-1, 7:]).max()
    assert error < 0.001


@pytest.mark.parametrize("length", [0, -1, 1])
def test_joint_arrays_of_the_wrong_length_are_refused_and_counted(length: int) -> None:
    """C7."""
    truth = motion(NAME, 0.6)
    under_test = Estimator(robot(NAME), load_robot(NAME).estimator)
    for i, sample in enumerate(samples(truth)):
        if i >= 200:
            n = 0 if length == 0 else robot(NAME).n + length
            sample = replace(sample, joints=JointState(sample.time_ns, np.zeros(n), np.zeros(n), np.zeros(n)))
        estimate = under_test.update(sample)
    assert not estimate.healthy and "joint positions" in estimate.reason
    assert under_test.intake.rejected()["joint positions"] == len(truth) - 200


def test_a_silent_joint_state_is_named_with_its_age_and_trusted_again() -> None:
    truth = motion(NAME, 0.6)
    under_test = Estimator(robot(NAME), load_robot(NAME).estimator)
    reasons = {}
    last = None
    for i, sample in enumerate(samples(truth)):
        if 100 <= i < 250 and last is not None:
            sample = replace(sample, joints=last)
        last = sample.joints
        reasons[i] = under_test.update(sample).reason
    assert reasons[140] == "" and "old" in reasons[200]
    assert reasons[260] != "" and reasons[400] == ""


def test_time_that_stands_still_or_jumps_back_changes_nothing() -> None:
    """C33: no exception, no negative period."""
    truth = motion(NAME, 0.6)
    under_test = Estimator(robot(NAME), load_robot(NAME).estimator)
    for i, sample in enumerate(samples(truth)):
        if i == 300:
            before = under_test.update(replace(sample, time_ns=sample.time_ns - 1_000_000))
            for jump in (0, -200_000_000):
                after = under_test.update(replace(sample, time_ns=sample.time_ns - 1_000_000 + jump))
                assert finite(after) and np.array_equal(before.robot.q, after.robot.q)
        estimate = under_test.update(sample)
    assert finite(estimate)


def test_a_gap_of_a_fifth_of_a_second_leaves_the_standing_robot_where_it_is() -> None:
    truth = motion(NAME, 0.6)
    under_test = Estimator(robot(NAME), load_robot(NAME).estimator)
    states = [under_test.update(s) for i, s in enumerate(samples(truth)) if not 200 <= i < 400]
    assert np.abs(states[-1].robot.q[:3] - states[199].robot.q[:3] - (truth.q[-1, :3] - truth.q[199, :3])).max() < 0.01


def test_random_samples_never_raise_and_never_give_nan() -> None:
    rng = np.random.default_rng(3)
    truth = motion(NAME, 0.6)
    under_test = Estimator(robot(NAME), load_robot(NAME).estimator)
    for sample in samples(truth, Noise()):
        for field in FIELDS:
            if rng.random() < 0.3:
                sample = broken(sample, field, float(rng.choice([np.nan, np.inf, -np.inf, 1e8, -1e3, 0.0])))
        assert finite(under_test.update(sample))
