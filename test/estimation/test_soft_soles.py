"""Soft soles: nothing for rigid ones, the law's inverse for soft ones, and less drift of a trot on soft ground."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from wbc_control.estimation.soft_soles import SoftSoles
from wbc_control.parameters.soles import SoleParameters
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario


def seen(*loads: float) -> SimpleNamespace:
    feet = [[[0.1, 0.2, -0.5], [0.0, 0.0, 0.0], [0.0] * 3, [1.0, 0.0, load], [0.0] * 3] for load in loads]
    return SimpleNamespace(seen=feet, resting_velocity=[(0.0, 0.0, 0.0)] * len(loads))


def soles(feet: int, stiffness: float, law: str = "linear") -> SoftSoles:
    soft = SoftSoles(feet)
    soft.configure(SoleParameters(stiffness, law))
    return soft


def test_rigid_soles_leave_everything_as_it_is() -> None:
    base = seen(300.0, -5.0)
    soles(2, 0.0).raise_feet(base, 1e-3)
    assert base.seen[0][0] == [0.1, 0.2, -0.5] and base.resting_velocity[0] == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("law", "stiffness", "depth"), [("linear", 3e5, 1e-3), ("hertz", 300.0 / 1e-3**1.5, 1e-3)])
def test_depth_is_the_inverse_of_the_law_and_unloaded_or_broken_feet_have_none(law, stiffness, depth) -> None:
    base = seen(300.0, 0.0, -5.0, math.nan)
    soles(4, stiffness, law).raise_feet(base, 1e-3)
    assert base.seen[0][0][2] == pytest.approx(-0.5 + depth)
    assert [foot[0][2] for foot in base.seen[1:]] == [-0.5, -0.5, -0.5]


def test_rate_follows_a_ramp_of_the_load_and_dies_out() -> None:
    soft, rates = soles(1, 1e5), []
    for tick in range(200):
        base = seen(100.0 + 1000.0 * 1e-3 * min(tick, 100))
        soft.raise_feet(base, 1e-3)
        rates.append(base.resting_velocity[0][2])
        assert base.seen[0][1][2] == rates[-1]
    assert rates[90] == pytest.approx(1000.0 / 1e5, rel=1e-3)
    assert abs(rates[-1]) < 1e-6


def height_drift(stiffness: float) -> float:
    """How far the estimated base has sunk against the true one after a second of quick, hard steps on soft ground, m."""
    scenario = read_scenario({"duration": 2.0, "command": [{"t": 0.0, "vx": 0.3}]}, "soft")
    soft = {
        "mujoco_sim.ground.time_constant": 0.012,
        "centroidal_planner.start_duration": 0.3,
        "centroidal_planner.gait.period": 0.5,
        "contact_estimator.soles.stiffness": stiffness,
    }
    run = prepare("quadruped", scenario, soft)
    errors = []

    class Watch:
        def observe(self, period: Period) -> None:
            estimate = run.loop.controller.estimate
            errors.append(0.0 if estimate is None else estimate.robot.q[2] - period.truth.q[2])

    outcome = run.loop.run([Watch()])
    assert not outcome.fell
    return float(np.mean(errors[-50:]) - np.mean(errors[300:400]))


@pytest.mark.slow
def test_hard_steps_on_soft_ground_drift_less_with_the_ground_s_stiffness() -> None:
    pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")
    rigid, soft = height_drift(0.0), height_drift(4e4)
    assert rigid < -0.003 and abs(soft) < 0.7 * abs(rigid)
