"""Tasks on forces and torques: rows against the published solution, and what a large weight makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from wbc_scene import ROBOTS, controller_parameters, estimate, random_velocity, robot, standing_reference, terms_at

from wbc_control.wbc import ControllerOutput, WholeBodyController
from wbc_control.wbc.assembly import build_formulation
from wbc_control.wbc.contacts import FULL
from wbc_control.wbc.limits import EffortRateLimit
from wbc_control.wbc.mixed_task import MixedTask
from wbc_control.wbc.tasks import CentreOfPressureTask, ContactWrenchTask, TorqueTask

WRENCH = np.array([8.0, -4.0, 0.0, 1.0, -2.0, 0.5])


def solved(name: str, task: MixedTask | None, **values: object) -> tuple[ControllerOutput, WholeBodyController]:
    """One tick of a standing robot with one task more; the controller for further questions."""
    model = robot(name)
    controller = WholeBodyController(model, controller_parameters(name, solver__backend="daqp", **values))
    if task is not None:
        controller._formulation._mixed_tasks += (task,)
    output = controller.update(
        estimate(model, model.standing_configuration(), np.zeros(model.nv)), standing_reference(model)
    )
    assert output.status.value == "solved"
    return output, controller


@pytest.mark.parametrize("model", ["wrench", "corners"])
def test_a_heavy_wrench_task_is_met(model: str) -> None:
    task = ContactWrenchTask(0, "l_sole", 1e3, (True, True, False, True, True, True))
    task.target[:] = WRENCH[[0, 1, 3, 4, 5]]
    output, _ = solved("humanoid", task, contact__model=model)
    np.testing.assert_allclose(output.telemetry.foot_wrench[0][[0, 1, 3, 4, 5]], task.target, atol=0.02)


@pytest.mark.parametrize("model", ["wrench", "corners"])
def test_a_heavy_centre_of_pressure_task_is_met(model: str) -> None:
    point = (0.03, -0.01)
    output, _ = solved("humanoid", CentreOfPressureTask(0, "l_sole", 1e4, point), contact__model=model)
    f_z, m_x, m_y = output.telemetry.foot_wrench[0][[2, 3, 4]]
    assert (-m_y / f_z, m_x / f_z) == pytest.approx(point, abs=2e-4)


def test_the_torque_task_spends_less() -> None:
    limit = robot("humanoid").limits.effort
    plain, _ = solved("humanoid", None)
    thrifty, _ = solved("humanoid", TorqueTask(robot("humanoid"), 1e4))
    spent = [float(np.linalg.norm(output.command.effort / limit)) for output in (plain, thrifty)]
    assert spent[1] < 0.98 * spent[0]


@pytest.mark.parametrize("name", ROBOTS)
def test_torque_rows_are_the_torque(name: str) -> None:
    """A x − b = τ / τ_max for any x, against M q̈ + h − Jᵀ f."""
    model, rng = robot(name), np.random.default_rng(3)
    parameters = controller_parameters(name)
    formulation = build_formulation(model, parameters, EffortRateLimit(1e4, 1e-3))
    terms = terms_at(model, model.standing_configuration(), random_velocity(model, rng, 0.1))
    bounds = np.zeros(len(model.feet)), np.full(len(model.feet), 1e4)
    layout = formulation.write(terms, standing_reference(model), (FULL,) * len(model.feet), *bounds)
    task, x = TorqueTask(model, 1.0), rng.standard_normal(layout.problem.variables)
    A, b = np.full((model.n, x.size), np.nan), np.full(model.n, np.nan)
    task.write(layout, terms, standing_reference(model), A, b)
    torque = terms.M @ x[: model.nv] + terms.h - layout.jacobian.T @ x[model.nv :]
    np.testing.assert_allclose(A @ x - b, torque[model.v_index] / model.limits.effort, atol=1e-9)


def test_mixed_tasks_leave_no_trace_from_tick_to_tick() -> None:
    """The Hessian's coupling blocks are rewritten, not summed up: a second tick solves the same problem."""
    task = TorqueTask(robot("humanoid"), 1.0)
    _, controller = solved("humanoid", task)
    model = robot("humanoid")
    before = controller._formulation.layout((FULL, FULL)).problem.copy()
    controller.update(estimate(model, model.standing_configuration(), np.zeros(model.nv)), standing_reference(model))
    after = controller._formulation.layout((FULL, FULL)).problem
    np.testing.assert_allclose(after.H, before.H, atol=1e-12)
    np.testing.assert_allclose(after.g, before.g, atol=1e-12)
