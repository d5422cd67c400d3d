"""Walking of the pendulum robot, two and four feet: it goes where it is told, safely, and stops."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from pendulum_world import World
from planning_bodies import biped_body, quadruped_body

from wbc_control.parameters.planner import BalanceParameters, GaitParameters, PlannerParameters, StepParameters
from wbc_control.planning.planner import PlannerCore
from wbc_control.planning.support import area_centroid, support_vertices
from wbc_control.spatial import yaw_matrix, yaw_of
from wbc_control.state import VelocityCommand


def parameters(gait: str, **changes) -> PlannerParameters:
    base = PlannerParameters(start_duration=0.3, gait=GaitParameters(name=gait, start_time=0.4))
    return dataclasses.replace(base, **changes)


def contact_changes(world: World) -> int:
    contacts = np.array([s.in_contact for s in world.log]).astype(int)
    return int(np.abs(np.diff(contacts, axis=0)).sum())


WALKS = [
    ("biped", "walk", (0.3, 0.0, 0.0)),
    ("biped", "walk", (-0.2, 0.0, 0.0)),
    ("biped", "walk", (0.0, 0.1, 0.0)),
    ("biped", "walk", (0.1, 0.0, 0.4)),
    ("quadruped", "trot", (0.4, 0.0, 0.0)),
    ("quadruped", "trot", (0.0, 0.15, 0.5)),
    ("quadruped", "crawl", (0.08, 0.0, 0.0)),
]


@pytest.mark.parametrize(("robot", "gait", "command"), WALKS, ids=[f"{r}-{g}-{c}" for r, g, c in WALKS])
def test_walks_as_commanded_with_noise_and_stops(robot: str, gait: str, command) -> None:
    body = biped_body() if robot == "biped" else quadruped_body()
    world = World(body, parameters(gait), noise=0.001)
    world.run(0.5)
    world.run(3.0, command)
    start, heading = world.com.copy(), yaw_of(world.log[-1].base_rotation)
    world.run(3.0, command)
    assert not world.fallen
    turned = yaw_of(world.log[-1].base_rotation) - heading
    assert (turned + np.pi) % (2 * np.pi) - np.pi == pytest.approx(3.0 * command[2], abs=0.15)
    if command[2] == 0.0:
        moved = (world.com - start)[:2] / 3.0
        np.testing.assert_allclose(moved, command[:2], atol=0.06 + 0.15 * np.abs(command[:2]).max())
    world.run(6.0)
    assert not world.fallen and world.core.stepping is None
    assert np.abs(world.velocity).max() < 0.01


@pytest.mark.parametrize("robot", ["biped", "quadruped"])
def test_planned_zmp_stays_inside_the_planned_support(robot: str) -> None:
    body, gait = (biped_body(), "walk") if robot == "biped" else (quadruped_body(), "trot")
    world = World(body, parameters(gait), noise=0.001)
    plans = []
    original = world.core.update
    world.core.update = lambda *a: plans.append(original(*a)) or plans[-1]  # type: ignore[method-assign,func-returns-value]
    world.run(0.5)
    world.run(3.0, (0.2, 0.0, 0.0))
    worst = min(world.planned_margin(plan.samples[0]) for plan in plans)
    assert worst > -2e-3 if robot == "quadruped" else worst >= 0.0  # two ball feet are a line: inside means on it


def test_feet_never_cross() -> None:
    world = World(biped_body(), parameters("walk"), noise=0.002, seed=3)
    world.run(0.5)
    for command in ((0.0, 0.2, 0.0), (0.0, -0.2, 0.0), (0.2, 0.0, 0.8), (0.0, 0.0, -0.8)):
        world.run(2.0, command)
    assert not world.fallen
    for sample in world.log:
        turn = yaw_matrix(yaw_of(sample.base_rotation))
        apart = turn.T @ (sample.foot_position[0] - sample.foot_position[1])
        assert apart[1] > 0.5 * 0.6 * 0.24


@pytest.mark.parametrize("yaw", [0.5 * np.pi, -2.0])
def test_the_walk_is_the_same_at_any_yaw(yaw: float) -> None:
    turn = yaw_matrix(yaw)
    level, turned = World(biped_body(), parameters("walk")), World(biped_body(), parameters("walk"), yaw=yaw)
    for world in (level, turned):
        world.run(0.5)
        world.run(2.5, (0.3, 0.05, 0.0))
    for a, b in zip(level.log[::50], turned.log[::50]):
        np.testing.assert_allclose(b.com_position, turn @ a.com_position, atol=1e-5)
        np.testing.assert_allclose(b.foot_position, a.foot_position @ turn.T, atol=1e-5)
        assert np.array_equal(a.in_contact, b.in_contact)


def test_schedule_and_contacts_agree_within_a_plan() -> None:
    world = World(quadruped_body(), parameters("trot"))
    world.run(0.5)
    for _ in range(30):
        world.run(0.05, (0.3, 0.0, 0.0))
        plan = world.sampler.plan
        for sample in plan.samples:
            assert np.all(sample.contact_weight[~sample.in_contact] == 0.0)
            assert np.all(sample.normal_force[~sample.in_contact] == 0.0)
            assert sample.in_contact.sum() >= 2
            assert sample.normal_force.min() >= 0.0


def test_foot_references_are_continuous_while_walking() -> None:
    world = World(biped_body(), parameters("walk"), noise=0.001)
    world.run(0.5)
    world.run(4.0, (0.3, 0.0, 0.2))
    position = np.array([s.foot_position for s in world.log])
    assert np.abs(np.diff(position, axis=0)).max() < 0.008  # 4 m/s at 2 ms: no jump


def test_a_stale_command_stops_the_steps() -> None:
    core, body = PlannerCore(biped_body(), 0.7), biped_body()
    world = World(body, parameters("walk"))
    world.core = core
    world.run(0.5)
    world.run(1.5, (0.2, 0.0, 0.0))
    assert core.stepping is not None and core.stepping.stepping
    stale = VelocityCommand(world.time_ns, np.array([0.2, 0.0]), 0.0)
    world.command = stale
    world.run(6.0)
    assert core.stepping is None and not world.fallen


def test_a_command_beyond_the_limits_is_clipped_and_said_once() -> None:
    world = World(biped_body(), parameters("walk"))
    world.run(0.5)
    world.run(3.0, (9.0, 0.0, 0.0))
    said = [n for n in world.core.notices if "clipped" in n]
    assert len(said) == 1
    assert world.core.velocity.wanted[0] <= 1.0


def test_gait_stand_ignores_the_command() -> None:
    world = World(biped_body(), parameters("stand"))
    world.run(0.5)
    world.run(2.0, (0.3, 0.0, 0.0))
    assert contact_changes(world) == 0


def test_ground_that_never_comes_ends_the_stepping_is_said_once_and_carries_no_load() -> None:
    world = World(quadruped_body(), parameters("crawl"))
    world.run(0.5)
    world.run(1.2, (0.1, 0.0, 0.0))
    edge = world.com[0] + 0.22
    world.ground = lambda x, y: -1.0 if x > edge else 0.0
    world.run(0.75, (0.1, 0.0, 0.0))
    assert sum("no ground felt" in notice for notice in world.core.notices) == 1
    sample = world.log[-1]
    assert sample.in_contact.sum() == 3
    assert sample.normal_force[~sample.in_contact].max() == 0.0
    assert np.abs(sample.foot_velocity).max() < 1e-9  # no foot lifts any more, the late one hangs still


def test_ground_higher_than_expected_is_taken_as_an_early_touchdown() -> None:
    world = World(quadruped_body(), parameters("trot"))
    world.run(0.5)
    world.ground = lambda x, y: 0.02 if x > 0.35 else 0.0
    world.run(4.0, (0.3, 0.0, 0.0))
    assert not world.fallen
    assert world.foot_position[:, 2].min() > 0.035  # all feet on the step of 2 cm (ball radius 2 cm)


@pytest.mark.parametrize("robot", ["biped", "quadruped"])
@pytest.mark.parametrize("angle", [0.0, 0.5 * np.pi, np.pi, 3.7])
def test_standing_takes_nearly_the_zero_step_limit_without_a_step(robot: str, angle: float) -> None:
    body = biped_body() if robot == "biped" else quadruped_body()
    world = World(body, parameters("walk", balance=BalanceParameters(stepping=False)))
    world.run(0.4)
    impulse = 0.95 * zero_step_limit(world, angle)
    world.push((impulse * np.cos(angle), impulse * np.sin(angle)))
    world.run(3.0)
    assert not world.fallen and contact_changes(world) == 0
    assert world.core.stepping is None


@pytest.mark.parametrize(("angle", "ratio"), [(0.0, 2.0), (np.pi, 2.0), (0.5, 2.0), (0.5 * np.pi, 1.25)])
def test_steps_catch_a_push_beyond_the_zero_step_limit(angle: float, ratio: float) -> None:
    world = World(biped_body(), parameters("walk"))
    world.run(0.4)
    impulse = ratio * zero_step_limit(world, angle)
    world.push((impulse * np.cos(angle), impulse * np.sin(angle)))
    world.run(5.0)
    assert not world.fallen and contact_changes(world) >= 4
    assert world.core.stepping is None


@pytest.mark.slow
def test_step_timing_helps() -> None:
    """Pushed while walking, adapting the time of the step survives a push that adapting its place alone does not."""
    survived = {}
    for spread in (0.0, 0.35):
        step = StepParameters(timing_range=spread)
        limits = []
        for impulse in np.arange(10.0, 60.0, 4.0):
            world = World(biped_body(), parameters("walk", step=step))
            world.run(0.4)
            world.run(1.6, (0.2, 0.0, 0.0))
            world.push((0.0, float(impulse)))
            world.run(2.0, (0.2, 0.0, 0.0))
            if world.fallen:
                break
            limits.append(impulse)
        survived[spread] = max(limits, default=0.0)
    assert survived[0.35] > survived[0.0]


def zero_step_limit(world: World, angle: float) -> float:
    """m ω d, N·s: d from the support centre to the edge in that direction."""
    body = world.body
    vertices = support_vertices(body, list(range(body.n_feet)), world.foot_position, world.foot_rotation)
    x, y = area_centroid(vertices)
    far = 10.0
    for (ax, ay), (bx, by) in zip(vertices, vertices[1:] + vertices[:1]):
        along = (by - ay) * np.cos(angle) + (ax - bx) * np.sin(angle)
        if along > 1e-12:
            far = min(far, ((by - ay) * (ax - x) + (ax - bx) * (ay - y)) / along)
    return float(body.mass * np.sqrt(9.81 / body.com_height) * far)
