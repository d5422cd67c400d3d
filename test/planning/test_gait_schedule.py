"""Gait schedules: consistent contacts, C¹ load ramps that all end (C18), events, masks, refusals."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from planning_bodies import biped_body, quadruped_body

from wbc_control.errors import ParameterError
from wbc_control.parameters.planner import GaitParameters
from wbc_control.planning.gaits import GAITS, foot_places
from wbc_control.planning.schedule import Schedule, TimeWarp, make_schedule, steady_clock

CASES = [(body, name) for body in (biped_body(), quadruped_body()) for name in GAITS]
IDS = [f"{body.n_feet}-{name}" for body, name in CASES]


def schedule_of(body, name: str) -> Schedule:
    gait = GAITS[name]
    return make_schedule(gait, foot_places(body), 5.0, GaitParameters(overlap=0.03))


@pytest.mark.parametrize(("body", "name"), CASES, ids=IDS)
def test_some_foot_always_carries_full_load(body, name: str) -> None:
    schedule = schedule_of(body, name)
    phase = np.linspace(0.0, 3.0, 3001)
    weight, swinging = schedule.weight(phase), schedule.swinging(phase)
    assert weight.sum(axis=1).min() > 0.99
    assert np.all(weight[swinging] == 0.0)
    assert np.all((~swinging).sum(axis=1) >= 1)


@pytest.mark.parametrize(("body", "name"), CASES, ids=IDS)
def test_ramps_are_c1_and_end(body, name: str) -> None:
    schedule = schedule_of(body, name)
    fine = 1e-4
    weight = schedule.weight(np.arange(1.0, 3.0, fine))
    slope = np.diff(weight, axis=0) / fine
    assert np.abs(np.diff(slope, axis=0)).max() < 7.0 * fine / schedule.ramp**2
    assert np.all(weight.max(axis=0) == 1.0) and np.all(weight.min(axis=0) < 1e-6)


def test_two_feet_released_at_the_same_instant_both_reach_zero() -> None:
    schedule = schedule_of(quadruped_body(), "trot")
    for group in schedule.groups():
        lift = schedule.lift_after(group[0], 1.0)
        before, at = schedule.weight(np.array([lift - 0.5 * schedule.ramp, lift]))
        assert len(group) == 2
        assert before[group] == pytest.approx([0.5, 0.5], abs=1e-6)
        assert at[group] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_nothing_lifts_before_the_start_or_after_the_stop() -> None:
    base = schedule_of(biped_body(), "walk")
    first = base.lift_after(0, 0.0)
    masked = Schedule(base.offsets, base.duty, base.period, first, first + 2.0)
    phase = np.linspace(first - 2.0, first + 5.0, 7001)
    flying = masked.swinging(phase).any(axis=1)
    assert not flying[phase < first - 1e-6].any()
    assert not flying[phase > first + 2.0 + 1.0 - base.duty].any()
    assert flying[(phase > first) & (phase < first + 2.0)].any()
    assert masked.next_touchdown(first + 3.0) is None
    assert np.all(masked.weight(np.array([first - 1.0, first + 4.0])) == 1.0)


def test_touchdowns_are_where_swings_end() -> None:
    schedule = schedule_of(quadruped_body(), "crawl")
    phase = np.linspace(0.0, 2.0, 200001)
    for foot in range(4):
        flying = schedule.swinging(phase)[:, foot]
        ends = phase[1:][flying[:-1] & ~flying[1:]]
        events = schedule.touchdowns(foot, 0.0, 2.0)
        np.testing.assert_allclose([e for e in events if e < 1.999], [e for e in ends if e < 1.999], atol=1e-4)


def test_the_overlap_is_kept_by_stretching_the_stance() -> None:
    gait = GAITS["trot"]
    asked = GaitParameters(period=0.5, duty=0.5, overlap=0.05)
    schedule = make_schedule(gait, foot_places(quadruped_body()), 5.0, asked)
    assert schedule.period == 0.5 and (schedule.duty - 0.5) * 0.5 == pytest.approx(0.05)


@pytest.mark.parametrize(("body", "name"), CASES, ids=IDS)
def test_a_swing_never_gets_less_time_than_the_table_says(body, name: str) -> None:
    gait, schedule = GAITS[name], schedule_of(body, name)
    assert schedule.swing_time >= (1.0 - gait.duty) * gait.period / 5.0 - 1e-9
    assert schedule.period >= gait.period / 5.0 - 1e-9


def test_time_and_phase_are_inverse() -> None:
    clock = TimeWarp(2.3, 2.8, 0.31, 0.9)
    for phase in (2.3, 2.5, 2.8, 3.1, 4.4):
        assert clock.phase_at(np.array([clock.time_of(phase)]))[0] == pytest.approx(phase)
    assert steady_clock(1.0, 0.5).phase_at(np.array([0.25]))[0] == pytest.approx(1.5)


def test_feet_that_share_a_place_are_refused_with_their_names() -> None:
    body = biped_body()
    both_left = dataclasses.replace(body, foot_offset=np.array([[0.0, 0.1], [0.1, 0.1]]))
    with pytest.raises(ParameterError, match="l_sole: left, r_sole: left"):
        foot_places(both_left)
