"""C23: demands that go beyond the robot end in finite commands; what cannot go together is named, and no more than that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from wbc_scene import (
    HUMANOIDS,
    ROBOTS,
    ObedientWorld,
    controller_parameters,
    estimate,
    moved,
    robot,
    standing_reference,
)

from wbc_control.errors import ParameterError
from wbc_control.model import RobotModel
from wbc_control.qp import QpProblem
from wbc_control.qp.conflict import ConflictSearch
from wbc_control.wbc import ControllerOutput, ControllerStatus, WholeBodyController

ON_ITS_BACK = np.array([0.0, -np.sqrt(0.5), 0.0, np.sqrt(0.5)])


def is_finite(output: ControllerOutput) -> bool:
    command, told = output.command, output.telemetry
    numbers = (command.position, command.velocity, command.effort, told.acceleration, told.foot_wrench)
    return all(np.isfinite(x).all() for x in numbers)


def states(model: RobotModel) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Standing; on its back; joints and base tumbling; joints far out of their range and fast."""
    rng, standing, rest = np.random.default_rng(3), model.standing_configuration(), np.zeros(model.nv)
    lying = standing.copy()
    lying[3:7] = ON_ITS_BACK
    broken = model.with_joint_positions(
        standing.copy(), model.joint_positions(standing) + 1.5 * rng.standard_normal(model.n)
    )
    return {
        "standing": (standing, rest),
        "on its back": (lying, rest),
        "tumbling": (standing, 8.0 * rng.standard_normal(model.nv)),
        "spinning": (lying, 25.0 * rng.standard_normal(model.nv)),
        "out of range": (broken, 5.0 * rng.standard_normal(model.nv)),
    }


DEMANDS: list[dict[str, Any]] = [
    {},
    {"contact__friction": 0.01},
    {"limits__torque_margin": 0.8},
    {"limits__torque_rate": 50.0, "limits__acceleration": 20.0},
]


@pytest.mark.parametrize("values", DEMANDS, ids=str)
@pytest.mark.parametrize("name", ROBOTS)
def test_commands_stay_finite_and_physical(name: str, values: dict[str, Any]) -> None:
    """Every tick has a solution of the full or of the relaxed QP: damping is for ticks without any."""
    model = robot(name)
    wanted = moved(standing_reference(model), com_acceleration=np.array([0.0, 3.0, 0.0]))
    for state, (q, v) in states(model).items():
        controller = WholeBodyController(model, controller_parameters(name, **values))
        for tick in range(4):
            output = controller.update(estimate(model, q, v, tick * 1_000_000), wanted)
            assert is_finite(output), state
            assert output.status in (ControllerStatus.SOLVED, ControllerStatus.RELAXED), (state, output.telemetry.cause)
            told = output.telemetry
            assert told.dynamics_residual < 1e-6 and told.torque_use < 1.0 + 1e-6
            coulomb = controller.parameters.contact.friction * told.foot_wrench[:, 2]
            assert (np.hypot(*told.foot_wrench[:, :2].T) <= coulomb + 1e-6 * model.weight).all(), state


@pytest.mark.parametrize("name", HUMANOIDS)
def test_slippery_ground_is_no_conflict(name: str) -> None:
    """C23a: the centre of mass simply does not get the acceleration it asks for."""
    model = robot(name)
    controller = WholeBodyController(model, controller_parameters(name, contact__friction=0.01))
    wanted = moved(standing_reference(model), com_acceleration=np.array([0.0, 3.0, 0.0]))
    output = controller.update(estimate(model, model.standing_configuration(), np.zeros(model.nv)), wanted)
    lateral = output.telemetry.foot_wrench[:, 1].sum() / model.mass
    assert output.status is ControllerStatus.SOLVED and 0.0 < lateral <= 0.01 * 9.81 * 1.01


def named(controller: WholeBodyController, q: np.ndarray, v: np.ndarray) -> tuple[str, ...]:
    """The conflict that is published, after as many ticks as the search takes."""
    model = controller.model
    wanted, output = standing_reference(model), None
    for tick in range(400):
        output = controller.update(estimate(model, q, v, tick * 1_000_000), wanted)
        assert output.status is ControllerStatus.RELAXED and output.telemetry.cause == "QP infeasible"
        if output.telemetry.conflict:
            return output.telemetry.conflict
    raise AssertionError("nothing named")


@pytest.mark.parametrize("backend", ["auto", "proxqp"])
def test_weak_legs_under_load_are_named(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """C23b: feet must carry 1.8 times the weight on a tenth of the torque; the hips, which carry little, are not blamed."""
    if backend == "proxqp":  # the solver that is always there, and no other
        monkeypatch.setattr("wbc_control.wbc.diagnosis.available_backends", lambda: ("proxqp",))
    model = robot("quadruped")
    values = {"limits__torque_margin": 0.9, "contact__normal_force_min": 0.45, "solver__max_iterations": 60}
    controller = WholeBodyController(model, controller_parameters("quadruped", **values))
    culprits = named_slowly(controller, model, steps=4000 if backend == "proxqp" else 400)
    assert any(name.startswith("torque limit") and "knee" in name for name in culprits)
    assert any(name.startswith(("normal force range", "contact motion")) for name in culprits)
    assert not any(name.startswith(("position or velocity", "torque rate")) for name in culprits)


def named_slowly(controller: WholeBodyController, model: RobotModel, steps: int) -> tuple[str, ...]:
    """Like :func:`named` of a robot that stands, on one problem."""
    q, v, wanted = model.standing_configuration(), np.zeros(model.nv), standing_reference(model)
    controller.update(estimate(model, q, v), wanted)
    for _ in range(steps):
        controller._diagnosis.step()
        if controller._diagnosis.conflict:
            return controller._diagnosis.conflict
    raise AssertionError("nothing named")


@pytest.mark.parametrize("name", ROBOTS)
def test_published_conflicts_are_conflicts_and_minimal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = robot(name)
    controller = WholeBodyController(model, controller_parameters(name))
    started: list[tuple[QpProblem, tuple[str, ...]]] = []
    begin = controller._diagnosis.start

    def start(time_ns: int, problem: QpProblem, base: tuple[str, ...]) -> None:
        started.append((problem, base))
        begin(time_ns, problem, base)

    monkeypatch.setattr(controller._diagnosis, "start", start)
    q, v = states(model)["tumbling"]
    culprits = named(controller, q, v)
    problem, background = started[0]
    judge = ConflictSearch(problem, background, controller._diagnosis._workspace)

    def together(names: tuple[str, ...]) -> bool:
        steps = judge._feasible(names)
        while True:
            try:
                next(steps)
            except StopIteration as done:
                return done.value

    assert not together(culprits)
    for name_of_one in culprits:
        assert together(tuple(other for other in culprits if other != name_of_one)), name_of_one


def test_the_state_of_the_scene_is_what_it_says() -> None:
    model = robot("humanoid")
    q, _ = states(model)["on its back"]
    up = pin.Quaternion(q[3:7]).matrix() @ np.array([1.0, 0.0, 0.0])
    np.testing.assert_allclose(up, [0.0, 0.0, 1.0], atol=1e-9)  # chest to the sky


SLOW_MOTORS = {"limits__torque_rate": 300.0, "limits__torque_margin": 0.6}
UPWARDS = np.array([0.0, 0.0, 0.25])


def torque_steps(**values: Any) -> tuple[float, int]:
    """Largest torque step of any joint in a jump, in shares of what the rate allows, and the number of relaxed ticks."""
    world = ObedientWorld("humanoid", **SLOW_MOTORS, **values)
    still, relaxed, largest, before = standing_reference(world.model), 0, 0.0, None
    for _ in range(150):
        output = world.step(moved(still, com_position=still.com_position + UPWARDS))
        assert output.status in (ControllerStatus.SOLVED, ControllerStatus.RELAXED)
        relaxed += output.status is ControllerStatus.RELAXED
        torque = output.command.effort
        if before is not None:
            largest = max(largest, float(np.abs(torque - before).max()) / (300.0 * world.period))
        before = torque
    return largest, relaxed


def test_soft_limits_give_way_and_hard_ones_never_do() -> None:
    hard, relaxed = torque_steps()
    assert relaxed > 0 and hard <= 1.05  # a solver's tolerance on steps of 0.3 N·m
    soft, _ = torque_steps(limits__soft=("position", "normal_force", "self_collision", "torque_rate"))
    assert soft > 2.0


def test_an_unknown_soft_limit_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"limits\.soft: there is no limit 'gravity': choose among position"):
        WholeBodyController(robot("humanoid"), controller_parameters("humanoid", limits__soft=("gravity",)))


def test_a_heavier_violation_weight_gives_less_way() -> None:
    """A joint far outside its range, with acceleration bounds that its contacts do not allow."""
    model = robot("humanoid")
    q, v = states(model)["tumbling"]
    excess = {}
    for weight in (1e2, 1e7):
        values = {"limits__acceleration": 30.0, "limits__violation_weight": weight}
        controller = WholeBodyController(model, controller_parameters("humanoid", **values))
        output = controller.update(estimate(model, q, v), standing_reference(model))
        assert output.status is ControllerStatus.RELAXED
        excess[weight] = float(np.maximum(np.abs(output.telemetry.acceleration[model.v_index]) - 30.0, 0.0).sum())
    assert excess[1e7] < excess[1e2]
