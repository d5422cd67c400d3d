"""Self-collision: rows against finite differences of the distance, and arms that are asked into the body."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from test_task_rows import STEP, Motion
from wbc_scene import ObedientWorld, estimate, moved, random_configuration, robot, standing_reference, terms_at

from wbc_control.errors import ParameterError
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import CollisionShapeParameters, SelfCollisionParameters
from wbc_control.qp import create_workspace
from wbc_control.wbc import ControllerStatus
from wbc_control.wbc.frame_reader import FrameReader
from wbc_control.wbc.limits import SelfCollisionLimit
from wbc_control.wbc.limits.position_velocity import viable_upper_acceleration
from wbc_control.wbc.limits.self_collision import PairRows

SHAPES = {
    "chest": CollisionShapeParameters("torso_link", (0.0, 0.0, 0.05), (0.0, 0.0, 0.3), 0.12),
    "l_hand": CollisionShapeParameters("l_hand_link", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.05),
    "r_hand": CollisionShapeParameters("r_hand_link", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.05),
    "l_thigh": CollisionShapeParameters("l_thigh_link", (0.0, 0.0, -0.05), (0.0, 0.0, -0.3), 0.07),
}
PARAMETERS = SelfCollisionParameters(source="shapes", rows=8, shapes=SHAPES)
JOINT_ACCELERATION = 400.0


def link_names() -> set[str]:
    return {frame.name for frame in robot("humanoid").pinocchio.frames}


def test_shapes_sit_on_links_of_the_humanoid() -> None:
    assert {shape.link for shape in SHAPES.values()} <= link_names()


def limit_for(model: RobotModel, parameters: SelfCollisionParameters = PARAMETERS) -> SelfCollisionLimit:
    return SelfCollisionLimit(model, parameters, JOINT_ACCELERATION, 0.001)


def measured(limit: SelfCollisionLimit, terms: Kinodynamics) -> tuple[PairRows, np.ndarray]:
    """Rows and distances, m, of all pairs."""
    pairs = limit._all
    limit._distances.place(terms.data)
    limit._distances.measure()
    return limit.pair_rows(terms, pairs), limit._of(pairs)[1] + limit._parameters.distance


def written(limit: SelfCollisionLimit, terms: Kinodynamics) -> tuple[np.ndarray, np.ndarray]:
    """C and lower bounds of the rows that are in use."""
    C, lower, upper = np.full((limit.rows, terms.model.nv), np.nan), np.zeros(limit.rows), np.zeros(limit.rows)
    used = limit.write(terms, C, lower, upper)
    assert used == len(limit.nearest) == len(limit.row_names) and np.isposinf(upper[:used]).all()
    return C[:used], lower[:used]


def test_rows_are_the_rate_of_the_distance() -> None:
    motion = Motion(robot("humanoid"), 21)
    limit = limit_for(motion.model)
    C = measured(limit, motion.terms(0.0))[0].C
    ahead, behind = (measured(limit, motion.terms(t))[1] for t in (STEP, -STEP))
    np.testing.assert_allclose(C @ motion.v, (ahead - behind) / (2.0 * STEP), atol=1e-4)
    assert (C[:, :6] == 0.0).all()


def test_accelerations_of_the_distance_between_two_balls() -> None:
    """d̈ = row · a + drift, but for the known wandering of the nearest points: |v_⊥|²/ρ between centres, r |ω_⊥|² of each."""
    balls = {name: SHAPES[name] for name in ("l_hand", "r_hand")}
    motion, radius, braking = Motion(robot("humanoid"), 23), 0.05, 1000.0
    limit = limit_for(motion.model, replace(PARAMETERS, shapes=balls, acceleration=braking))
    found, (distance,) = measured(limit, motion.terms(0.0))
    (ahead,), (behind,) = (measured(limit, motion.terms(t))[1] for t in (STEP, -STEP))
    actual = (ahead - 2.0 * distance + behind) / STEP**2
    limits = np.array([1e6]), 1e6, 0.001, braking
    drift = -found.lower[0] - viable_upper_acceleration(np.array([distance - 0.02]), -found.C @ motion.v, *limits)[0]
    terms, ends = motion.terms(), [FrameReader(motion.model, f"{side}_hand_link") for side in "lr"]
    for end in ends:
        end.read(terms)
    between = ends[0].position - ends[1].position
    n = between / np.linalg.norm(between)
    across = np.cross(n, ends[0].velocity[:3] - ends[1].velocity[:3])
    wandering = across @ across / np.linalg.norm(between)
    wandering -= sum(radius * np.sum(np.cross(n, end.velocity[3:]) ** 2) for end in ends)
    assert actual == pytest.approx(found.C[0] @ motion.a + drift + wandering, abs=2e-3)


@pytest.mark.parametrize("source", ["shapes", "urdf"])
def test_no_distance_changes_faster_than_its_reach(source: str) -> None:
    """Between any two postures, near or far: |Δd| ≤ Σ reach · |Δq|; and close to it for some, so the bound is no idle one."""
    model, rng = robot("humanoid"), np.random.default_rng(5)
    limit = limit_for(model, replace(PARAMETERS, source=source, distance=0.0))
    reach, closest = limit._reach[: len(limit.pair_names)], 0.0
    for size in (1e-4, 0.02, 0.3):
        for _ in range(6):
            q = [random_configuration(model, rng, 0.4)]
            joints = model.joint_positions(q[0])
            moved_joint = rng.integers(model.n)
            step = size * rng.standard_normal(model.n)
            step[np.arange(model.n) != moved_joint] *= rng.integers(2)
            q.append(model.with_joint_positions(random_configuration(model, rng), joints + step))
            before, after = (measured(limit, terms_at(model, each, np.zeros(model.nv)))[1] for each in q)
            most = reach @ np.abs(step)
            assert (np.abs(after - before) <= most + 1e-5).all()  # coal measures convex shapes to 1e-6
            closest = max(closest, float((np.abs(after - before) / np.maximum(most, 1e-9)).max()))
    assert closest > 0.5


@pytest.mark.parametrize("source", ["shapes", "urdf"])
@pytest.mark.parametrize("speed", [0.0, 0.3, 3.0, 15.0])
def test_pairs_without_a_row_cannot_need_one(source: str, speed: float) -> None:
    """Whatever the joints' accelerations: the bound lies beyond all that they can do; also ticks after the last measurement."""
    model, rng = robot("humanoid"), np.random.default_rng(7)
    limit = limit_for(model, replace(PARAMETERS, source=source, rows=32))
    judge, rows = limit_for(model, replace(PARAMETERS, source=source)), 0
    for _ in range(4):
        q, v = random_configuration(model, rng, 0.3), speed * rng.standard_normal(model.nv)
        for _ in range(5):
            terms = terms_at(model, q, v)
            written(limit, terms)
            kept = {pair for pair, _ in limit.nearest}
            free = dict(zip(judge.pair_names, measured(judge, terms)[0].free))
            assert len(kept) == limit.rows or all(pair in kept for pair, room in free.items() if room < 0.0)
            rows += len(kept)
            q, v = pin.integrate(model.pinocchio, q, 0.004 * v), v + 0.01 * speed * rng.standard_normal(model.nv)
    assert rows > 0 or speed < 1.0


def test_standing_still_needs_no_rows() -> None:
    model = robot("humanoid")
    limit = limit_for(model)
    assert not len(written(limit, terms_at(model, model.standing_configuration(), np.zeros(model.nv)))[0])
    assert limit.nearest == [] and limit.row_names == ()


def near_and_fast(seed: int, size: float, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """A state in which some pair may not be able to brake in time."""
    model, rng = robot("humanoid"), np.random.default_rng(seed)
    limit = limit_for(model)
    while True:
        q, v = random_configuration(model, rng, size), speed * rng.standard_normal(model.nv)
        v[:6] *= 0.1
        found, distances = measured(limit, terms_at(model, q, v))
        if 0.02 < distances.min() < 0.08 and found.free.min() < -100.0:
            return q, v


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("size", "speed"), [(0.5, 1.0), (0.6, 2.0), (0.8, 1.0)])
def test_rows_left_out_do_not_change_the_solution(seed: int, size: float, speed: float) -> None:
    """The QP with the rows in use and the QP with one for every pair: same point; in half of these states some are active."""
    model, (q, v) = robot("humanoid"), near_and_fast(seed, size, speed)
    world = ObedientWorld("humanoid", **collision_values(), limits__torque_rate=1e6)
    controller = world.controller
    controller.update(estimate(model, q, v), standing_reference(model, q))
    problem = controller.problem(standing_reference(model, q))
    start = controller._formulation.layout((2, 2)).limit_start
    every = measured(limit_for(model), terms_at(model, q, v))[0]
    assert problem.inequalities - start < len(every.lower)
    C = np.zeros((start + len(every.lower), problem.variables))
    C[:start], C[start:, : model.nv] = problem.C[:start], every.C
    low = np.concatenate([problem.l[:start], every.lower])
    high = np.concatenate([problem.u[:start], np.full(len(every.lower), np.inf)])
    full = replace(problem, C=C, l=low, u=high, inequality_names=(), stack=None, cost=None)
    solver = create_workspace(replace(world.parameters.solver, tolerance=1e-9, max_iterations=2000))
    left, right = solver.solve(problem), solver.solve(full)
    assert left.status is right.status
    if left.solved:
        np.testing.assert_allclose(left.x, right.x, atol=1e-8 * max(1.0, float(np.abs(left.x).max())))


def test_results_are_read_from_memory_as_the_bindings_give_them() -> None:
    motion = Motion(robot("humanoid"), 24)
    limit = limit_for(motion.model)
    distances = limit._distances
    for t in (0.0, 0.3):
        distances.place(motion.terms(t).data)
        distances.measure()
        np.testing.assert_array_equal(distances.read(), distances._by_bindings())
    own = limit._of(limit._all)[1] + limit._parameters.distance
    np.testing.assert_allclose(own, [result.min_distance for result in distances._results], atol=1e-12)


def collision_values() -> dict[str, Any]:
    values: dict[str, Any] = {"limits__self_collision__source": "shapes"}
    for name, shape in SHAPES.items():
        key = f"limits__self_collision__shapes__{name}"
        values |= {f"{key}__link": shape.link, f"{key}__start": shape.start, f"{key}__end": shape.end}
        values[f"{key}__radius"] = shape.radius
    return values


@pytest.mark.slow
@pytest.mark.parametrize(("side", "bandwidth"), [("l", 6.0), ("r", 6.0), ("r", 25.0)])
def test_an_arm_asked_into_the_body_stops_in_front_of_it(side: str, bandwidth: float) -> None:
    """C27: the hand reaches the least distance and never goes below it, slowly or at several rad/s."""
    values = collision_values() | {"posture__weight": 5.0, "posture__bandwidth": bandwidth}
    model = robot("humanoid")
    world = ObedientWorld("humanoid", **values)
    still, distance = standing_reference(model), world.parameters.limits.self_collision.distance
    target = model.joint_positions(model.standing_configuration())
    inwards = 1.0 if side == "r" else -1.0
    target[model.joint_names.index(f"{side}_shoulder_roll_joint")] = 0.3 * inwards
    target[model.joint_names.index(f"{side}_shoulder_yaw_joint")] = 1.2 * inwards
    target[model.joint_names.index(f"{side}_elbow_joint")] = -1.6
    world.controller._formulation._separable._reference = target
    watch, nearest, fastest = limit_for(model), np.inf, 0.0
    for tick in range(1500 if bandwidth < 20.0 else 500):
        output = world.step(moved(still))
        assert output.status is ControllerStatus.SOLVED, (tick, output.telemetry.cause)
        nearest = min(nearest, float(measured(watch, terms_at(model, world.q, world.v))[1].min()))
        fastest = max(fastest, float(np.abs(world.joint_velocity).max()))
    assert nearest >= distance - 1e-3
    assert nearest <= distance + 5e-3
    assert fastest > (0.5 if bandwidth < 20.0 else 4.0)


def test_refuses_what_cannot_work() -> None:
    model = robot("humanoid")
    with pytest.raises(ParameterError, match="no link"):
        limit_for(model, SelfCollisionParameters(source="shapes", shapes={"x": CollisionShapeParameters("tail")}))
    with pytest.raises(ParameterError, match="no pair"):
        limit_for(model, SelfCollisionParameters(source="shapes"))
