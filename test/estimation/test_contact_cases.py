"""Contact decisions on awkward force patterns (bounces, cranes, silence, zero and negative wrenches)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from estimation_motion import Noise, motion, robot, samples

from wbc_control.estimation import Estimator
from wbc_control.estimation.contact_evidence import DECISION, force_evidence, fuse
from wbc_control.estimation.contact_switch import ContactSwitch
from wbc_control.model.catalogue import load_robot
from wbc_control.parameters import EstimatorParameters, changed
from wbc_control.state import SensorSample

NAME = "humanoid"
MS = 1_000_000


def standing(count: int, seed: int = 0) -> list[SensorSample]:
    truth = motion(NAME, 0.6)
    found = [s for _, s in zip(range(count), samples(truth, Noise(), seed), strict=False)]
    assert len(found) == count
    return found


def with_force(sample: SensorSample, foot: int, force: float) -> SensorSample:
    """The ground pushes ``foot`` with so many newtons; the sensor sees that less the foot's own weight."""
    truth = motion(NAME, 0.6)
    i = sample.time_ns // MS
    wrenches = sample.foot_wrenches.copy()
    wrenches[foot] = truth.sensed[i, foot] - truth.wrench[i, foot]
    wrenches[foot, 2] += force
    return replace(sample, foot_wrenches=wrenches)


def without_torque(sample: SensorSample) -> SensorSample:
    return replace(sample, joints=replace(sample.joints, effort=np.zeros_like(sample.joints.effort)))


def estimator(**values: object) -> Estimator:
    parameters = changed(load_robot(NAME).estimator, {"start.check": False, **values})
    return Estimator(robot(NAME), parameters)


def transitions(states: list[bool]) -> int:
    return int(np.abs(np.diff(np.array(states, dtype=int))).sum())


def test_a_landing_with_three_bounces_is_one_transition() -> None:
    """C14: 80 N for 4 ms, nothing for 6 ms, three times, then load."""
    under_test = estimator()
    airborne, bounce = [0.0] * 100, ([80.0] * 4 + [0.0] * 6) * 3
    pattern = airborne + bounce + [120.0] * 100
    states = []
    for sample, force in zip(standing(len(pattern)), pattern, strict=True):
        loads = without_torque(with_force(sample, 0, force))
        states.append(bool(under_test.update(loads).contact.in_contact[0]))
    assert not states[99]
    assert transitions(states[50:]) == 1 and states[-1]


def test_both_feet_unloaded_by_a_crane_stop_the_robot_after_a_time() -> None:
    """C15: 3 ± 2 N on both feet."""
    under_test = estimator()
    rng, verdicts, contacts = np.random.default_rng(1), [], []
    weightless = standing(590)
    for sample in weightless:
        lifted = with_force(with_force(without_torque(sample), 0, 3 + rng.normal(0, 2)), 1, 3 + rng.normal(0, 2))
        estimate = under_test.update(lifted)
        verdicts.append(estimate.healthy)
        contacts.append(bool(estimate.contact.in_contact.any()))
    assert all(verdicts[:400]) and not verdicts[-1]
    assert transitions(contacts) == 1
    assert "lifted" in estimate.reason


@pytest.mark.parametrize("force", [0.0, 1e-9, -5.0])
def test_a_wrench_of_nothing_leaves_the_cop_undefined_and_divides_by_nothing(force: float) -> None:
    """C16; the last valid value ages out."""
    under_test = estimator()
    count = 60
    for i, sample in enumerate(standing(count)):
        estimate = under_test.update(with_force(sample, 0, force) if i >= 10 else sample)
        if i == 5:
            assert under_test.wrenches.cop_defined.all()
        if i == 15:
            assert under_test.wrenches.cop_defined[0], "held for a moment"
    assert not under_test.wrenches.cop_defined[0] and under_test.wrenches.cop_defined[1]
    assert estimate.contact.normal_force[0] >= 0.0
    assert np.isfinite(under_test.wrenches.cop).all()


def test_a_silent_sensor_hands_over_to_the_joint_torques_with_less_confidence() -> None:
    """C21: silence is not the last contact."""
    under_test = estimator()
    for i, sample in enumerate(standing(300)):
        silent = replace(sample, wrench_time_ns=np.minimum(sample.wrench_time_ns, 50 * MS)) if i > 50 else sample
        estimate = under_test.update(silent)
        if i == 50:
            assert (estimate.contact.confidence == 1.0).all()
    assert estimate.healthy and estimate.contact.in_contact.all()
    assert (estimate.contact.confidence < 1.0).all()
    total = float(estimate.contact.normal_force.sum())
    assert total == pytest.approx(robot(NAME).weight, rel=0.15)


def test_without_any_foot_sensor_or_torque_a_standing_robot_still_stands() -> None:
    """C21: plan and kinematics are left."""
    under_test = estimator()
    plan = np.ones(2, dtype=bool)
    for sample in standing(300):
        deaf = replace(without_torque(sample), wrench_valid=np.zeros(2, dtype=bool))
        estimate = under_test.update(deaf, plan)
    assert estimate.healthy and estimate.contact.in_contact.all()
    assert (estimate.contact.confidence <= 0.3).all()


def test_a_lifted_foot_is_seen_without_force_sensors() -> None:
    """The joint torques alone tell stance from swing, within 20 ms."""
    truth = motion(NAME, 2.2, 0.2)
    under_test = estimator()
    wrong = np.zeros(2)
    for i, sample in enumerate(samples(truth)):
        estimate = under_test.update(replace(sample, wrench_valid=np.zeros(2, dtype=bool)), truth.planned[i])
        near = truth.loaded[max(0, i - 30) : i + 30]
        settled = near.all(axis=0) | ~near.any(axis=0)
        wrong += settled & (estimate.contact.in_contact != truth.loaded[i])
    assert (wrong == 0).all()


def test_evidence_crosses_the_decision_exactly_at_the_thresholds() -> None:
    assert force_evidence(27.0, 0.0, 10.0, 27.0) == pytest.approx(DECISION)
    assert force_evidence(10.0, 0.0, 10.0, 27.0) == pytest.approx(-DECISION)


@pytest.mark.parametrize("first", [(10.0, 4.0), (10.0, np.inf)])
def test_fusing_is_symmetric_and_never_less_certain(first: tuple[float, float]) -> None:
    second = (30.0, 16.0)
    value, variance = fuse(*first, *second)
    assert (value, variance) == pytest.approx(fuse(*second, *first))
    assert variance <= min(first[1], second[1])


@pytest.mark.parametrize("period_ns", [200_000, MS, 5 * MS])
def test_dwell_is_a_time_and_not_a_number_of_samples(period_ns: int) -> None:
    switch = ContactSwitch()
    switch.reset(False, 0)
    time_ns = 0
    while not switch.update(5.0, time_ns, 0.003, 0.008):
        time_ns += period_ns
    assert 3 * MS <= time_ns <= 3 * MS + period_ns


def test_between_the_thresholds_nothing_changes() -> None:
    for start in (True, False):
        switch = ContactSwitch()
        switch.reset(start, 0)
        assert not any(switch.update(value, i * MS, 0.003, 0.008) for i, value in enumerate([1.9, -1.9] * 50))


def test_early_and_late_touchdown_are_events_within_ten_milliseconds() -> None:
    truth = motion(NAME, 2.2, 0.2)
    under_test, early = estimator(), []
    for i, sample in enumerate(samples(truth)):
        under_test.update(sample, truth.planned[max(i - 60, 0)])  # a plan that lags: the foot lands early
        early += [(i, e.kind.value) for e in under_test.events if e.time_ns == sample.time_ns]
    landings = np.flatnonzero(np.diff(truth.loaded.astype(int), axis=0).max(axis=1) > 0)
    told = [i for i, kind in early if kind == "early touchdown"]
    assert len(told) == len(landings)
    carried = [
        np.flatnonzero(np.abs(truth.wrench[a:, :, 2].min(axis=1)) > 0.06 * robot(NAME).weight)[0] + a for a in landings
    ]
    assert all(0 <= t - c + 10 <= 20 for t, c in zip(told, carried, strict=True))


def test_defaults_of_the_declaration_keep_lift_below_touch() -> None:
    contact = EstimatorParameters().contact
    assert contact.lift_force < contact.touch_force
    assert contact.lift_dwell > contact.touch_dwell
