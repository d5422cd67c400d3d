"""Self-collision: rows against finite differences of the distance, and arms that are asked into the body."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_task_rows import STEP, Motion
from wbc_scene import ObedientWorld, moved, robot, standing_reference, terms_at

from wbc_control.errors import ParameterError
from wbc_control.parameters.controller import CollisionShapeParameters, SelfCollisionParameters
from wbc_control.wbc import ControllerStatus
from wbc_control.wbc.frame_reader import FrameReader
from wbc_control.wbc.limits import SelfCollisionLimit
from wbc_control.wbc.limits.position_velocity import viable_upper_acceleration

SHAPES = {
    "chest": CollisionShapeParameters("torso_link", (0.0, 0.0, 0.05), (0.0, 0.0, 0.3), 0.12),
    "l_hand": CollisionShapeParameters("l_hand_link", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.05),
    "r_hand": CollisionShapeParameters("r_hand_link", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.05),
    "l_thigh": CollisionShapeParameters("l_thigh_link", (0.0, 0.0, -0.05), (0.0, 0.0, -0.3), 0.07),
}
FAR = SelfCollisionParameters(source="shapes", influence=5.0, rows=8, shapes=SHAPES)


def link_names() -> set[str]:
    return {frame.name for frame in robot("humanoid").pinocchio.frames}


def test_shapes_sit_on_links_of_the_humanoid() -> None:
    assert {shape.link for shape in SHAPES.values()} <= link_names()


def written(
    limit: SelfCollisionLimit, motion: Motion, t: float = 0.0
) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    C, lower, upper = np.full((limit.rows, motion.model.nv), np.nan), np.zeros(limit.rows), np.zeros(limit.rows)
    limit.write(motion.terms(t), C, lower, upper)
    return C, lower, dict(limit.nearest)


def test_rows_are_the_rate_of_the_distance() -> None:
    motion = Motion(robot("humanoid"), 21)
    limit = SelfCollisionLimit(motion.model, FAR, 0.001)
    C, lower, before = written(limit, motion)
    pairs = list(before)
    assert len(pairs) == len(limit.pair_names) <= limit.rows
    ahead, behind = (written(limit, motion, t)[2] for t in (STEP, -STEP))
    rates = [(ahead[p] - behind[p]) / (2.0 * STEP) for p in pairs]
    np.testing.assert_allclose((C @ motion.v)[: len(pairs)], rates, atol=1e-4)
    # Unused rows are zero and open.
    assert (C[len(pairs) :] == 0.0).all()
    assert np.isneginf(lower[len(pairs) :]).all()


def test_accelerations_of_the_distance_between_two_balls() -> None:
    """d̈ = row · a + drift, but for the known wandering of the nearest points: |v_⊥|²/ρ between centres, r |ω_⊥|² of each."""
    balls = {name: SHAPES[name] for name in ("l_hand", "r_hand")}
    motion, radius = Motion(robot("humanoid"), 23), 0.05
    limit = SelfCollisionLimit(motion.model, replace(FAR, shapes=balls, rows=1, speed=50.0, acceleration=1000.0), 0.001)
    C, lower, now = written(limit, motion)
    distance = now["l_hand r_hand"]
    ahead, behind = (written(limit, motion, t)[2]["l_hand r_hand"] for t in (STEP, -STEP))
    actual = (ahead - 2.0 * distance + behind) / STEP**2
    limits = np.array([50.0]), 1000.0, 0.001
    drift = -lower[0] - viable_upper_acceleration(np.array([distance - 0.02]), -C @ motion.v, *limits)[0]
    terms, ends = motion.terms(), [FrameReader(motion.model, f"{side}_hand_link") for side in "lr"]
    for end in ends:
        end.read(terms)
    between = ends[0].position - ends[1].position
    n = between / np.linalg.norm(between)
    across = np.cross(n, ends[0].velocity[:3] - ends[1].velocity[:3])
    wandering = across @ across / np.linalg.norm(between)
    wandering -= sum(radius * np.sum(np.cross(n, end.velocity[3:]) ** 2) for end in ends)
    assert actual == pytest.approx(C[0] @ motion.a + drift + wandering, abs=2e-3)


def test_only_near_pairs_are_watched_between_scans() -> None:
    motion = Motion(robot("humanoid"), 22)
    limit = SelfCollisionLimit(motion.model, SelfCollisionParameters(source="shapes", shapes=SHAPES, rows=3), 0.001)
    _, _, near = written(limit, motion)
    assert len(limit._active) == len(near) < len(limit.pair_names)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["l", "r"])
def test_an_arm_asked_into_the_body_stops_in_front_of_it(side: str) -> None:
    """C27: the hand reaches the least distance and never goes below it."""
    values: dict[str, Any] = {
        "limits__self_collision__source": "shapes",
        "posture__weight": 5.0,
        "posture__bandwidth": 6.0,
    }
    for name, shape in SHAPES.items():
        key = f"limits__self_collision__shapes__{name}"
        values |= {
            f"{key}__link": shape.link,
            f"{key}__start": shape.start,
            f"{key}__end": shape.end,
            f"{key}__radius": shape.radius,
        }
    model = robot("humanoid")
    world = ObedientWorld("humanoid", **values)
    still, distance = standing_reference(model), world.parameters.limits.self_collision.distance
    target = model.joint_positions(model.standing_configuration())
    inwards = 1.0 if side == "r" else -1.0
    target[model.joint_names.index(f"{side}_shoulder_roll_joint")] = 0.3 * inwards
    target[model.joint_names.index(f"{side}_shoulder_yaw_joint")] = 1.2 * inwards
    target[model.joint_names.index(f"{side}_elbow_joint")] = -1.6
    world.controller._formulation._separable._reference = target
    watch = SelfCollisionLimit(model, FAR, 0.001)
    nearest = np.inf
    for tick in range(1500):
        output = world.step(moved(still))
        assert output.status is ControllerStatus.SOLVED, (tick, output.telemetry.cause)
        C, low, high = np.zeros((watch.rows, model.nv)), np.zeros(watch.rows), np.zeros(watch.rows)
        watch.write(terms_at(model, world.q, world.v), C, low, high)
        nearest = min(nearest, watch.nearest[0][1])
    assert nearest >= distance - 1e-3
    assert nearest <= distance + 5e-3


def test_refuses_what_cannot_work() -> None:
    model = robot("humanoid")
    with pytest.raises(ParameterError, match="between two scans"):
        SelfCollisionLimit(model, SelfCollisionParameters(source="shapes", shapes=SHAPES, influence=0.03), 0.001)
    with pytest.raises(ParameterError, match="no link"):
        SelfCollisionLimit(
            model, SelfCollisionParameters(source="shapes", shapes={"x": CollisionShapeParameters("tail")}), 0.001
        )
    with pytest.raises(ParameterError, match="no pair"):
        SelfCollisionLimit(model, SelfCollisionParameters(source="shapes"), 0.001)
