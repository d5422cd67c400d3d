"""Metrics on made-up runs whose answer is known."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from simulated_robots import robot

from wbc_control.simulation.backend import GroundTruth
from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.fake_backend import FakeBackend
from wbc_control.simulation.metrics.balance import FrictionUse, ZmpMargin, foot_spread
from wbc_control.simulation.metrics.base import BaseEstimate, OdometryFrame
from wbc_control.simulation.metrics.contact import ContactDetection, match, transitions_of, without_bounces
from wbc_control.simulation.metrics.efforts import EffortUse
from wbc_control.simulation.metrics.metric import StackView, percentiles, root_mean_square
from wbc_control.simulation.metrics.tracking import FeetCreep
from wbc_control.simulation.metrics.truth import TrueKinematics

OUTCOME = Outcome(False, "", 1.0, 1.0, 1000)
MS = 1_000_000


def _period(index: int, truth: GroundTruth, effort: Any = None) -> Period:
    sample: Any = None
    effort = np.zeros(29) if effort is None else effort
    return Period(index, index * MS, truth, sample, None, effort, effort, 100_000)


def _truth(**changes: Any) -> GroundTruth:
    return dataclasses.replace(FakeBackend(robot("humanoid")[0]).ground_truth(), **changes)


def _bools(text: str) -> Any:
    return np.array([c == "#" for c in text])


def test_bounces_of_a_landing_are_one_transition() -> None:
    contact = _bools("......##..##.##############....")
    assert len(transitions_of(contact)) == 6
    assert transitions_of(without_bounces(contact, 4)) == [(6, True), (27, False)]


def test_short_touch_in_the_air_is_no_contact() -> None:
    assert transitions_of(without_bounces(_bools("#####......#......"), 4)) == [(0, True), (5, False)]


def test_transitions_are_matched_once_and_in_their_direction() -> None:
    actual = [(100, True), (300, False)]
    assert match(actual, [(104, True), (299, False)], 30, 150) == [4, -1]
    assert match(actual, [(104, True), (106, True)], 30, 150) == [4]
    assert match(actual, [(104, False)], 30, 150) == []
    assert match(actual, [(260, True)], 30, 150) == []


def test_detection_counts_false_and_missed_transitions_and_the_delay() -> None:
    controller = SimpleNamespace(estimate=None)
    metric = ContactDetection(StackView(controller), MS)
    true = np.ones((1000, 2), dtype=bool)
    true[300:600, 0] = False
    estimated = np.ones((1000, 2), dtype=bool)
    estimated[305:608, 0] = False
    estimated[800:805, 1] = False
    true[601:605, 0] = False  # the landing bounces: still one transition
    for k in range(1000):
        controller.estimate = SimpleNamespace(contact=SimpleNamespace(in_contact=estimated[k]))
        metric.observe(_period(k, _truth_contact(true[k])))
    contact = metric.result(OUTCOME)["contact"]
    assert contact["transitions"] == 4 and contact["false_transitions"] == 2 and contact["missed_transitions"] == 0
    assert contact["detection_delay_ms_p95"] == pytest.approx(np.percentile([0, 5, 8, 0], 95))


_BASE = None


def _truth_contact(contact: Any) -> GroundTruth:
    global _BASE
    _BASE = _BASE or _truth()
    return dataclasses.replace(_BASE, in_contact=contact)


def test_zmp_margin_is_one_over_the_centre_and_falls_with_distance() -> None:
    model, _ = robot("humanoid")
    standing = FakeBackend(model).ground_truth()
    kinematics = TrueKinematics(model)
    points = np.vstack([kinematics.corners_of(standing, foot) for foot in (0, 1)])
    weights = np.ones(len(points))
    centre = points.mean(axis=0)
    front = weights + 0.5 * np.sign(points[:, 0] - centre[0])
    spread = foot_spread(model)
    for share in (weights, front):
        metric = ZmpMargin(model, kinematics)
        forces = np.zeros_like(points)
        forces[:, 2] = model.weight * share / share.sum()
        metric.observe(
            _period(
                10,
                dataclasses.replace(
                    standing, contact_points=points, contact_forces=forces, in_contact=np.ones(2, dtype=bool)
                ),
            )
        )
        offset = np.linalg.norm((forces[:, 2] @ points / forces[:, 2].sum() - centre)[:2])
        assert metric.result(OUTCOME)["zmp_margin"]["mean"] == pytest.approx(1.0 - offset / spread, abs=1e-9)


def test_zmp_margin_is_undefined_in_flight() -> None:
    model, _ = robot("humanoid")
    metric = ZmpMargin(model, TrueKinematics(model))
    nothing = np.zeros((0, 3))
    metric.observe(
        _period(10, _truth(contact_points=nothing, contact_forces=nothing, in_contact=np.zeros(2, dtype=bool)))
    )
    assert metric.result(OUTCOME)["zmp_margin"] == {
        "min": None,
        "mean": None,
        "distance_min_m": None,
        "undefined_share": 1.0,
    }


def test_friction_use_leaves_out_unloaded_feet() -> None:
    model, _ = robot("humanoid")
    metric = FrictionUse(model, 0.5)
    metric.observe(_period(0, _truth(foot_force=np.array([[30.0, 40.0, 200.0], [5.0, 0.0, 1.0]]))))
    assert metric.result(OUTCOME)["friction_use_max"] == pytest.approx(0.5)


def test_effort_use_counts_broken_limits() -> None:
    model, _ = robot("humanoid")
    metric = EffortUse(model, 1000.0, MS)
    half = 0.5 * model.limits.effort
    truth = _truth()
    metric.observe(_period(0, truth, half))
    step = half.copy()
    step[0] += 0.5
    metric.observe(_period(1, truth, step))
    assert metric.result(OUTCOME)["limit_violations"] == 0
    metric.observe(_period(2, truth, 1.1 * model.limits.effort))
    fast = truth.v.copy()
    fast[model.v_index[2]] = 1.01 * model.limits.velocity[2]
    metric.observe(_period(3, dataclasses.replace(truth, v=fast), half))
    result = metric.result(OUTCOME)
    assert result["limit_violations"] == 2 and result["torque_use_max"] == pytest.approx(1.1)
    assert result["torque_rate_use_max"] > 1.0


def test_base_errors_do_not_see_where_the_odometry_starts() -> None:
    """An estimator that starts at its own origin with its own heading has no drift, velocity or tilt error."""
    import pinocchio as pin

    model, _ = robot("humanoid")
    controller = SimpleNamespace(estimate=None)
    metric = BaseEstimate(StackView(controller), OdometryFrame())
    start = pin.SE3(pin.rpy.rpyToMatrix(0.0, 0.0, 1.2), np.array([3.0, -2.0, 0.1]))
    for k in range(10):
        q = model.standing_configuration()
        q[:2] = 0.01 * k, 0.02 * k
        v = np.zeros(model.nv)
        v[:2] = 10.0, 20.0
        moved = q.copy()
        moved[:7] = pin.SE3ToXYZQUAT(start * pin.XYZQUATToSE3(q[:7]))
        controller.estimate = SimpleNamespace(robot=SimpleNamespace(q=q, v=v), healthy=True)
        metric.observe(_period(k, _truth(q=moved, v=v)))
    result = metric.result(OUTCOME)["base_estimate"]
    assert result["position_drift_m"] < 1e-12 and result["velocity_rmse"] < 1e-12 and result["tilt_rmse_rad"] < 1e-9


def test_creep_is_per_ten_seconds_and_ends_with_the_stance() -> None:
    metric = FeetCreep(2, 10 * MS)
    truth = _truth()
    for k in range(1200):
        position = np.zeros((2, 3))
        position[0, 0] = 1e-6 * k  # 0.1 mm/s
        position[1, 1] = 0.0 if k < 600 else 1.0  # a step, not creep
        contact = np.array([True, k != 600])
        metric.observe(_period(k, dataclasses.replace(truth, foot_position=position, in_contact=contact)))
    assert metric.result(OUTCOME)["feet_creep_mm_per_10s"] == pytest.approx(1.0, rel=1e-6)


def test_creep_of_a_short_stance_counts_in_proportion() -> None:
    metric = FeetCreep(1, 10 * MS)
    for k in range(500):
        position = np.array([[1e-6 * k, 0.0, 0.0]])
        truth = dataclasses.replace(_truth_contact(np.array([True])), foot_position=position)
        metric.observe(_period(k, truth))
    assert metric.result(OUTCOME)["feet_creep_mm_per_10s"] == pytest.approx(1.0, rel=1e-6)


def test_torque_rate_is_seen_between_any_two_periods() -> None:
    """Whatever block of periods the step falls into, or between which two."""
    model, _ = robot("humanoid")
    truth, low, high = _truth(), np.full(model.n, 1.0), np.full(model.n, 3.0)
    for step in (1, 100, 255, 256, 257, 300):
        metric = EffortUse(model, 1000.0, MS)
        for k in range(400):
            metric.observe(_period(k, truth, high if k >= step else low))
        assert metric.result(OUTCOME)["torque_rate_use_max"] == pytest.approx(2.0), step


def test_small_statistics() -> None:
    assert root_mean_square([3.0, 4.0]) == pytest.approx(np.sqrt(12.5)) and root_mean_square([]) is None
    assert percentiles(range(1001))["p999"] == pytest.approx(999.0) and percentiles([]) == {}
