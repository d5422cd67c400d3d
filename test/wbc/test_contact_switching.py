"""Feet that lift and land in a world that obeys: ramps, continuity of the torque, all feet at once."""

from __future__ import annotations

import numpy as np
import pytest
from wbc_scene import HUMANOIDS, ObedientWorld, controller_parameters, estimate, moved, robot, standing_reference

from wbc_control.state import PlanSample
from wbc_control.wbc import ControllerStatus, WholeBodyController
from wbc_control.wbc.contacts import FULL, RAMP

TICKS_PER_RAMP = 150


def smooth(s: float) -> float:
    s = min(max(s, 0.0), 1.0)
    return s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)


class LiftAndLand:
    """Centre of mass over the first foot, second foot unloaded, lifted 4 cm, put down and loaded again."""

    def __init__(self, still: PlanSample, weight: float) -> None:
        self._still, self._weight = still, weight
        over_foot = still.foot_position[0, :2] + [0.0, 0.0]
        self._shift = np.array([over_foot[0] - still.com_position[0], over_foot[1] - still.com_position[1], 0.0])

    def __call__(self, tick: int) -> PlanSample:
        still, t = self._still, float(tick)
        there = smooth(t / 900.0) - smooth((t - 2100.0) / 900.0)
        load = 1.0 - smooth((t - 1000.0) / TICKS_PER_RAMP) + smooth((t - 1900.0) / TICKS_PER_RAMP)
        up = smooth((t - 1200.0) / 300.0) - smooth((t - 1550.0) / 300.0)
        feet = still.foot_position.copy()
        feet[1, 2] += 0.04 * up
        weights = np.array([1.0, load if load > 1e-6 else 0.0])
        share = 0.5 * (1.0 - there) * weights[1]
        return moved(
            still,
            com_position=still.com_position + there * self._shift,
            foot_position=feet,
            contact_weight=weights,
            in_contact=weights > 0.0,
            normal_force=self._weight * np.array([1.0 - share, share]),
        )


@pytest.mark.slow
@pytest.mark.parametrize("values", [{}, {"contact__model": "corners"}], ids=str)
@pytest.mark.parametrize("name", HUMANOIDS)
def test_one_foot_lifts_and_lands_without_a_torque_step(name: str, values: dict) -> None:
    world = ObedientWorld(name, **values)
    plan = LiftAndLand(standing_reference(world.model), world.model.weight)
    last, steps, highest, mode_steps = None, [], 0.0, []
    modes = None
    start = standing_reference(world.model).foot_position[1, 2]
    for tick in range(3000):
        reference = plan(tick)
        output = world.step(reference)
        assert output.status is ControllerStatus.SOLVED, (tick, output.telemetry.cause)
        torque = output.command.effort
        now = tuple(np.sign(reference.contact_weight)), reference.contact_weight[1] < 1.0
        if last is not None:
            steps.append(float(np.abs(torque - last).max()))
            if modes is not None and now != modes:
                mode_steps.append(steps[-1])
        last, modes = torque, now
        bound = world.parameters.contact.normal_force_max * world.model.weight * reference.contact_weight[1]
        assert output.telemetry.foot_wrench[1, 2] <= bound + 1e-3
        world.controller.terms.update(world.q, world.v)
        highest = max(highest, world.controller.terms.foot_position[1, 2] - start)
    limit = world.parameters.limits.torque_rate * 1e-3
    assert len(mode_steps) == 4
    assert max(steps) <= limit + 1e-6
    # Far below the limit: the hand-over itself is smooth.
    assert max(mode_steps) < 1.0
    assert highest == pytest.approx(0.04, abs=0.004)


def test_force_bounds_ramp_with_the_contact_weight() -> None:
    model = robot("humanoid")
    parameters, reference = controller_parameters("humanoid"), standing_reference(robot("humanoid"))
    controller = WholeBodyController(model, parameters)
    q, v = model.standing_configuration(), np.zeros(model.nv)
    for weight in (0.02, 0.05, 0.1):
        wanted = moved(reference, contact_weight=np.array([1.0, weight]))
        output = controller.update(estimate(model, q, v), wanted)
        most, least = (
            weight * model.weight * x
            for x in (parameters.contact.normal_force_max, parameters.contact.normal_force_min)
        )
        assert least - 1e-4 <= output.telemetry.foot_wrench[1, 2] <= most + 1e-4


def test_a_ramping_foot_keeps_still_as_a_wish() -> None:
    """The layout of a ramping foot has no motion rows for it, and its motion is nearly kept all the same."""
    model = robot("humanoid")
    controller = WholeBodyController(model, controller_parameters("humanoid"))
    reference = moved(standing_reference(model), contact_weight=np.array([1.0, 0.5]))
    output = controller.update(estimate(model, model.standing_configuration(), np.zeros(model.nv)), reference)
    full, ramp = (controller._formulation.layout(modes).problem.equalities for modes in ((FULL, FULL), (FULL, RAMP)))
    assert (full, ramp) == (18, 12)
    assert np.abs(controller.terms.J_foot[1] @ output.telemetry.acceleration).max() < 0.05


def test_all_feet_released_at_once_end_in_the_air() -> None:
    """C18: every ramp ends, every tick is solved, and the robot falls freely with finite torques."""
    world = ObedientWorld("humanoid")
    still = standing_reference(world.model)
    for tick in range(200):
        weight = 1.0 - smooth(tick / 100.0)
        weights = np.full(2, weight if weight > 1e-6 else 0.0)
        output = world.step(
            moved(still, contact_weight=weights, in_contact=weights > 0.0, normal_force=still.normal_force * weights)
        )
        assert output.status in (ControllerStatus.SOLVED, ControllerStatus.RELAXED), (tick, output.telemetry.cause)
        assert np.isfinite(output.command.effort).all()
    assert (output.telemetry.foot_wrench == 0.0).all()
    world.controller.terms.update(world.q, world.v)
    fall = world.controller.terms.J_com[2] @ output.telemetry.acceleration + world.controller.terms.com_drift[2]
    assert fall == pytest.approx(-9.81, abs=0.05)
