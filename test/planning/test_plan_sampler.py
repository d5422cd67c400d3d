"""The sampler: exact at the knots, C² between them, geodesic rotations, and a smooth stop when the plan is stale."""
from __future__ import annotations

import numpy as np
import pytest
from planning_bodies import biped_body, standing_observation

from wbc_control.parameters.planner import BalanceParameters, PlannerParameters, StandingMotionParameters
from wbc_control.planning.hermite import braking_state, hermite_coefficients
from wbc_control.planning.planner import PlannerCore
from wbc_control.planning.quintic import at_rest, quintic
from wbc_control.planning.sampler import PlanSampler
from wbc_control.spatial import exp_so3, log_so3
from wbc_control.state import Plan


def moving_plan(turn: float = 0.0) -> Plan:
    """A plan in mid-sway whose torso turns by ``turn``."""
    core, body = PlannerCore(biped_body(), 0.7), biped_body()
    parameters = PlannerParameters(
        start_duration=0.5, motion=StandingMotionParameters("circle", 0.02, 0.5),
        balance=BalanceParameters(leave_margin=1.0)
    )
    plan = core.update(standing_observation(body), None, parameters)
    for tick in range(1, 200 if turn == 0.0 else 20):
        observation = standing_observation(body, tick * 10_000_000, turn)
        plan = core.update(observation, None, parameters)
    return plan


def test_the_knots_are_reproduced() -> None:
    plan, sampler = moving_plan(), PlanSampler(1.0)
    sampler.set(plan)
    for knot in plan.samples:
        sample = sampler.sample(knot.time_ns)
        np.testing.assert_allclose(sample.com_position, knot.com_position, atol=1e-12)
        np.testing.assert_allclose(sample.com_velocity, knot.com_velocity, atol=1e-10)
        np.testing.assert_allclose(sample.com_acceleration, knot.com_acceleration, atol=1e-8)
        np.testing.assert_allclose(sample.normal_force, knot.normal_force, atol=1e-9)


def test_between_knots_derivatives_are_consistent() -> None:
    plan, sampler = moving_plan(), PlanSampler(1.0)
    sampler.set(plan)
    samples = [sampler.sample(plan.time_ns + k * 1_000_000) for k in range(190)]
    position = np.array([s.com_position for s in samples])
    velocity = np.array([s.com_velocity for s in samples])
    acceleration = np.array([s.com_acceleration for s in samples])
    np.testing.assert_allclose((position[2:] - position[:-2]) / 2e-3, velocity[1:-1], atol=1e-5)
    np.testing.assert_allclose((velocity[2:] - velocity[:-2]) / 2e-3, acceleration[1:-1], atol=1e-3)


def test_rotations_follow_the_geodesic() -> None:
    start, vector = exp_so3(np.array([0.2, -0.1, 0.5])), np.array([0.1, 0.3, -0.2])
    base = moving_plan().samples
    import dataclasses

    first = dataclasses.replace(base[0], base_rotation=start)
    last = dataclasses.replace(base[1], base_rotation=start @ exp_so3(vector))
    sampler = PlanSampler(1.0)
    sampler.set(Plan(first.time_ns, (first, last)))
    for share in (0.1, 0.5, 0.9):
        rotation = sampler.sample(first.time_ns + round(share * 1e7)).base_rotation
        np.testing.assert_allclose(log_so3(start.T @ rotation), share * vector, atol=1e-9)


def test_a_stale_plan_brakes_smoothly_and_then_holds() -> None:
    plan, sampler = moving_plan(), PlanSampler(0.05)
    sampler.set(plan)
    samples = [sampler.sample(plan.time_ns + k * 1_000_000) for k in range(600)]
    velocity = np.array([s.com_velocity for s in samples])
    acceleration = np.array([s.com_acceleration for s in samples])
    position = np.array([s.com_position for s in samples])
    assert sampler.stale(samples[60].time_ns) and not sampler.stale(samples[40].time_ns)
    assert np.abs(velocity[355:]).max() == 0.0 and np.ptp(position[355:], axis=0).max() == 0.0
    assert np.linalg.norm(velocity[40]) > 0.01
    np.testing.assert_allclose((position[2:] - position[:-2]) / 2e-3, velocity[1:-1], atol=1e-4)
    assert np.abs(np.diff(acceleration, axis=0)).max() < 0.01


def test_without_a_plan_there_is_no_sample_and_none_keeps_the_old_one() -> None:
    sampler = PlanSampler(0.1)
    assert sampler.sample(0) is None and sampler.stale(0) and sampler.age_s(0) == float("inf")
    plan = moving_plan()
    sampler.set(plan)
    sampler.set(None)
    assert sampler.plan is plan


def test_before_its_start_a_plan_gives_its_first_sample() -> None:
    plan, sampler = moving_plan(), PlanSampler(0.1)
    sampler.set(plan)
    sample = sampler.sample(plan.time_ns - 5_000_000)
    np.testing.assert_allclose(sample.com_position, plan.samples[0].com_position, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_hermite_and_quintic_are_the_same_polynomial(seed: int) -> None:
    random = np.random.default_rng(seed)
    knots, duration = random.normal(size=(6, 3)), 0.37
    poly = quintic(tuple(knots[:3]), tuple(knots[3:]), duration)
    for share in (0.0, 0.3, 1.0):
        expected = np.vstack(poly.evaluate(np.array([share * duration])))
        found = [share ** np.arange(6) @ part for part in hermite_coefficients(knots, duration)]
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_quintic_meets_its_boundaries() -> None:
    random = np.random.default_rng(3)
    start, end = tuple(random.normal(size=(3, 2))), tuple(random.normal(size=(3, 2)))
    position, velocity, acceleration = quintic(start, end, 0.8).evaluate(np.array([0.0, 0.8]))
    for row, boundary in ((0, start), (1, end)):
        np.testing.assert_allclose((position[row], velocity[row], acceleration[row]), boundary, atol=1e-9)
    held = quintic(at_rest(np.zeros(1)), at_rest(np.ones(1)), 0.8).evaluate(np.array([-1.0, 2.0]))
    np.testing.assert_allclose(held[0][:, 0], [0.0, 1.0])


def test_braking_starts_in_the_state_given_and_ends_at_rest() -> None:
    p, v, a = np.array([1.0]), np.array([0.5]), np.array([-2.0])
    np.testing.assert_allclose(braking_state(p, v, a, 0.0, 0.3), (p, v, a))
    np.testing.assert_allclose(braking_state(p, v, a, 0.3, 0.3)[1:], np.zeros((2, 1)), atol=1e-12)
    np.testing.assert_allclose(braking_state(p, v, a, 0.3, 0.3)[0], braking_state(p, v, a, 9.0, 0.3)[0])


@pytest.mark.parametrize("scale", [1.0 - 4e-16, 1.0 - 1e-13, 1.0 + 1e-13])
def test_rounding_in_a_rotation_is_no_turn(scale: float) -> None:
    """A trace that misses 3 by rounding alone has no axis to turn about."""
    import dataclasses

    first, last = moving_plan().samples[:2]
    rotation = np.eye(3)
    first = dataclasses.replace(first, base_rotation=rotation * scale)
    last = dataclasses.replace(last, base_rotation=rotation)
    sampler = PlanSampler(1.0)
    sampler.set(Plan(first.time_ns, (first, last)))
    sample = sampler.sample(first.time_ns + 3_000_000)
    assert sample.known_finite
    np.testing.assert_allclose(sample.base_rotation, rotation, atol=1e-12)
