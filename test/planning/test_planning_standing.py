"""Standing: C² from any start, through every live change; consistent derivatives; ZMP inside; heading of the feet."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from planning_bodies import biped_body, quadruped_body, standing_observation

from wbc_control.parameters.planner import BalanceParameters, PlannerParameters, StandingMotionParameters
from wbc_control.planning.planner import PlannerCore
from wbc_control.planning.support import margin, support_vertices
from wbc_control.spatial import yaw_matrix, yaw_of
from wbc_control.state import PlanSample

BODIES = pytest.mark.parametrize("body", [biped_body(), quadruped_body()], ids=["biped", "quadruped"])


def motion(kind: str, amplitude: float = 0.02, frequency: float = 0.5, heading: float = 1.57) -> PlannerParameters:
    wanted = StandingMotionParameters(kind, amplitude, frequency, heading)
    unmoved = BalanceParameters(leave_margin=1.0)  # the observations here stand still whatever the plan does
    return PlannerParameters(start_duration=0.5, motion=wanted, balance=unmoved)


def stand(body, schedule, seconds: float, yaw: float = 0.0, offset=(0.02, -0.01, -0.03)) -> list[PlanSample]:
    """First sample of every plan while parameters change as ``schedule(t)`` says."""
    core, samples = PlannerCore(body, 0.7), []
    for tick in range(round(100 * seconds)):
        observation = standing_observation(body, tick * 10_000_000, yaw, offset)
        samples.append(core.update(observation, None, schedule(tick / 100)).samples[0])
    return samples


def changing(t: float) -> PlannerParameters:
    """Every kind in turn, with jumps of amplitude, frequency, direction and height."""
    kinds = ("stand", "sway", "circle", "squat", "sway", "stand")
    index = min(int(t / 1.5), 5)
    parameters = motion(kinds[index], 0.01 * (1 + index), 0.3 + 0.1 * index, 0.7 * index)
    return dataclasses.replace(parameters, com_height=0.95 * biped_body().com_height if index == 4 else 0.0)


@BODIES
def test_velocity_and_acceleration_are_the_derivatives_of_position(body) -> None:
    samples = stand(body, changing if body.n_feet == 2 else lambda t: motion("circle"), 9.0)
    position = np.array([s.com_position for s in samples])
    velocity = np.array([s.com_velocity for s in samples])
    acceleration = np.array([s.com_acceleration for s in samples])
    dt = 0.01
    np.testing.assert_allclose((position[2:] - position[:-2]) / (2 * dt), velocity[1:-1], atol=2e-3)
    # the jerk may jump
    np.testing.assert_allclose((velocity[2:] - velocity[:-2]) / (2 * dt), acceleration[1:-1], atol=0.1)
    assert np.abs(np.diff(acceleration, axis=0)).max() < 0.4  # no jump


@BODIES
def test_horizon_agrees_with_the_plans_that_follow(body) -> None:
    core = PlannerCore(body, 0.7)
    plans = [core.update(standing_observation(body, k * 10_000_000), None, motion("sway")) for k in range(200)]
    for k in range(80, 170):
        for ahead in (1, 10, 20):
            later = plans[k + ahead].samples[0]
            assert plans[k].samples[ahead].time_ns == later.time_ns
            np.testing.assert_allclose(plans[k].samples[ahead].com_position, later.com_position, atol=1e-9)
            np.testing.assert_allclose(plans[k].samples[ahead].com_acceleration, later.com_acceleration, atol=1e-7)


@BODIES
@pytest.mark.parametrize("yaw", [0.0, 0.5 * np.pi, -2.0])
def test_standing_is_the_same_at_any_yaw(body, yaw: float) -> None:
    turn = yaw_matrix(yaw)
    for level, turned in zip(stand(body, lambda t: motion("sway"), 3.0), stand(body, lambda t: motion("sway"), 3.0,
    yaw)):
        np.testing.assert_allclose(turned.com_position, turn @ level.com_position, atol=1e-9)
        np.testing.assert_allclose(turned.normal_force, level.normal_force, atol=1e-6)
        np.testing.assert_allclose(turned.zmp, turn[:2, :2] @ level.zmp, atol=1e-9)
        assert yaw_of(turned.base_rotation) == pytest.approx(np.arctan2(np.sin(yaw), np.cos(yaw)), abs=1e-9)


@BODIES
@pytest.mark.parametrize("kind", ["sway", "circle", "squat"])
def test_zmp_stays_inside_however_large_the_wish(body, kind: str) -> None:
    core = PlannerCore(body, 0.7)
    for tick in range(600):
        plan = core.update(standing_observation(body, tick * 10_000_000), None, motion(kind, 0.3, 1.0))
        sample = plan.samples[0]
        vertices = support_vertices(body, list(range(body.n_feet)), sample.foot_position, sample.foot_rotation)
        assert margin(vertices, *sample.zmp.tolist()) >= 0.0
        assert sample.normal_force.min() >= 0.0
        assert sample.normal_force.sum() == pytest.approx(body.mass * (9.81 + sample.com_acceleration[2]))
    assert len(core.notices) == 1


@BODIES
def test_start_leaves_the_measured_com_and_ends_over_the_support(body) -> None:
    samples = stand(body, lambda t: motion("stand"), 1.0)
    np.testing.assert_allclose(samples[0].com_position, [0.02, -0.01, body.com_height - 0.03], atol=1e-12)
    centre = np.zeros(2)
    np.testing.assert_allclose(samples[-1].com_position[:2], centre, atol=1e-9)
    assert samples[-1].com_position[2] == pytest.approx(body.com_height)


@BODIES
def test_a_long_silence_or_a_clock_that_jumps_back_starts_anew_from_the_measured_state(body) -> None:
    core = PlannerCore(body, 0.7)
    for time_ns in (10**9, 3 * 10**9, 10**8):
        shifted = standing_observation(body, time_ns, 0.0, (0.01 * time_ns * 1e-9, 0.0, 0.0))
        sample = core.update(shifted, None, motion("stand")).samples[0]
        np.testing.assert_allclose(sample.com_position, shifted.com)
