"""Standing motions are cut to what the contacts can push: friction, tilted soles, lift-off, one programme a plan."""

from __future__ import annotations

import math

import numpy as np
import pytest
from planning_bodies import biped_body, quadruped_body, standing_observation

from wbc_control.parameters.planner import BalanceParameters, PlannerParameters, StandingMotionParameters
from wbc_control.planning.motion_limit import MotionLimit
from wbc_control.planning.planner import PlannerCore
from wbc_control.planning.stance import Stance

GRAVITY = 9.81
BODIES = pytest.mark.parametrize("body", [biped_body(), quadruped_body()], ids=["biped", "quadruped"])


def limit_of(body, friction: float, wanted: StandingMotionParameters, rotation=None) -> float:
    observation = standing_observation(body, 0, 0.0, (0.0, 0.0, 0.0))
    stance = Stance.latch(body, observation)
    if rotation is not None:
        stance = Stance(body, stance.position, np.array([rotation] * body.n_feet))
    limit = MotionLimit(stance, friction)
    com = np.array([*stance.centre, body.com_height])
    values = [limit.amplitude(com, wanted) for _ in range(10)]
    assert values[0] == 0.0 and values[9] == values[8]
    return values[9]


@BODIES
def test_low_friction_bounds_the_acceleration_of_a_sway(body) -> None:
    """A ω² ≤ μ g; the eight-facet cone has an edge along the sway, so there is no loss."""
    square = (2.0 * math.pi * 2.0) ** 2
    found = limit_of(body, 0.05, StandingMotionParameters("sway", 1.0, 2.0, 0.0))
    assert found == pytest.approx(0.05 * GRAVITY / square, rel=0.01)


@BODIES
def test_squat_never_leaves_the_ground(body) -> None:
    square = (2.0 * math.pi * 3.0) ** 2
    found = limit_of(body, 0.7, StandingMotionParameters("squat", 1.0, 3.0, 0.0))
    assert found == pytest.approx(GRAVITY / square, rel=1e-6)


def test_soles_beyond_the_friction_angle_allow_no_motion() -> None:
    angle = math.atan(0.5)
    tilted = np.array([[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]])
    wanted = StandingMotionParameters("circle", 1.0, 0.5, 0.0)
    assert limit_of(biped_body(), 0.4, wanted, tilted) == 0.0
    assert limit_of(biped_body(), 0.7, wanted, tilted) > 0.0


@BODIES
def test_plan_on_ice_stays_within_its_friction_and_says_that_it_is_cut(body) -> None:
    core = PlannerCore(body, 0.05)
    wanted = StandingMotionParameters("sway", 0.02, 1.5, 1.57)
    parameters = PlannerParameters(
        start_duration=0.3, motion=wanted, balance=BalanceParameters(leave_margin=1.0), blend_time=1.5
    )
    fastest = 0.0
    for tick in range(500):
        sample = core.update(standing_observation(body, tick * 10_000_000, 0.0, (0, 0, 0)), None, parameters).samples[0]
        fastest = max(fastest, float(np.linalg.norm(sample.com_acceleration[:2])))
    assert 0.5 * 0.05 * GRAVITY < fastest < 0.05 * GRAVITY
    assert len(core.notices) == 1 and "friction" in core.notices[0]
