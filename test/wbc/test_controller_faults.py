"""Bad numbers and a solver that gives up: never a non-finite command, and the documented ladder."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from wbc_scene import controller_parameters, estimate, robot, standing_reference

from wbc_control.state import PlanSample
from wbc_control.wbc import ControllerOutput, ControllerStatus, WholeBodyController

FIELDS = [f.name for f in fields(PlanSample) if f.name not in ("time_ns", "in_contact", "zmp", "known_finite")]


def is_finite(output: ControllerOutput) -> bool:
    command, told = output.command, output.telemetry
    return all(
        np.isfinite(x).all()
        for x in (command.position, command.velocity, command.effort, told.acceleration, told.foot_wrench)
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("ticks", [1, 50])
@pytest.mark.parametrize("field", ["q", "v", *FIELDS])
def test_nothing_non_finite_comes_out(field: str, ticks: int, bad: float) -> None:
    """C28: held while young, damped when old, solved again at once afterwards."""
    model = robot("humanoid")
    controller = WholeBodyController(model, controller_parameters("humanoid", solver__hold_time=0.02))
    q, v, reference = model.standing_configuration(), np.zeros(model.nv), standing_reference(model)
    for k in range(ticks + 4):
        spoilt = 2 <= k < ticks + 2
        now, wanted = estimate(model, q.copy(), v.copy(), k * 1_000_000), reference
        if spoilt and field in ("q", "v"):
            getattr(now.robot, field)[-1] = bad
        elif spoilt:
            value = getattr(reference, field).copy()
            value.reshape(-1)[-1] = bad
            wanted = replace(reference, **{field: value})
        output = controller.update(now, wanted)
        assert is_finite(output)
        expected = (
            ControllerStatus.SOLVED if not spoilt else ControllerStatus.HELD if k < 21 else ControllerStatus.DAMPING
        )
        assert output.status is expected, (k, output.telemetry.cause)


def test_a_solver_stopped_too_early_never_reaches_the_motors() -> None:
    """C22: one iteration only, for ten ticks and more: hold with a fading feed-forward, then damp."""
    model, reference = robot("humanoid"), standing_reference(robot("humanoid"))
    good = controller_parameters("humanoid", solver__backend="proxqp", solver__hold_time=0.008)
    moving = 0.3 * np.random.default_rng(0).standard_normal(model.nv)
    controller = WholeBodyController(model, good)
    q = model.standing_configuration()
    first = controller.update(estimate(model, q, np.zeros(model.nv)), reference)
    assert first.status is ControllerStatus.SOLVED
    for workspace in [*controller._workspaces.values(), controller._relaxed_workspace]:
        workspace.max_iterations = 1
        workspace.forget()
    statuses = []
    for k in range(1, 13):
        output = controller.update(estimate(model, q, moving, k * 1_000_000), reference)
        statuses.append(output.status)
        share = max(0.0, 1.0 - k / 8)
        np.testing.assert_allclose(output.command.effort, share * first.command.effort, atol=1e-12)
        assert is_finite(output)
    assert statuses == [ControllerStatus.HELD] * 7 + [ControllerStatus.DAMPING] * 5
