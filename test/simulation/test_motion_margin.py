"""ZMP margin from accelerations next to the one from contact forces, on recorded simulations of both engines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from simulated_robots import HoldPosture, random_state, robot

from wbc_control.contact_mechanics.body_motion import BodyMotionReader
from wbc_control.contact_mechanics.zmp import gravito_inertial_wrench
from wbc_control.simulation.backend import GroundTruth
from wbc_control.simulation.closed_loop import Outcome
from wbc_control.simulation.metrics.motion_margin import MotionZmpMargin
from wbc_control.simulation.metrics.truth import TrueKinematics
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario

SHOVED = {
    "duration": 0.9,
    "push": [{"t": 0.2, "duration": 0.1, "impulse": [3.0, 2.0, 0.0]}],
    "payload": {"mass": 2.0},
}


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
def test_body_motion_is_the_rate_of_the_centroidal_momentum(name: str) -> None:
    """d/dt of momentum by finite differences along a motion of constant acceleration; rotors are no bodies."""
    model, _ = robot(name)
    generator = np.random.default_rng(3)
    q, v = random_state(model, generator)
    acceleration = generator.normal(size=model.nv)
    data, step = model.pinocchio.createData(), 1e-6
    rates = []
    for sign in (-1.0, 1.0):
        there = pin.integrate(model.pinocchio, q, sign * step * v + 0.5 * step**2 * acceleration)
        rates.append(pin.computeCentroidalMomentum(model.pinocchio, data, there, v + sign * step * acceleration).vector)
    com = pin.centerOfMass(model.pinocchio, data, q).copy()
    force, moment = gravito_inertial_wrench(
        BodyMotionReader(model.pinocchio).read(q, v, acceleration), com, gravity=np.zeros(3)
    )
    np.testing.assert_allclose(-np.concatenate([force, moment]), (rates[1] - rates[0]) / (2.0 * step), atol=1e-4)


class _Recorder:
    def __init__(self) -> None:
        self.record: list[Any] = []

    def observe(self, period: Any) -> None:
        self.record.append(period)


@pytest.mark.parametrize("engine", ["rigid", "mujoco"])
def test_margins_from_motion_and_from_forces_agree_within_a_per_cent(engine: str) -> None:
    """Humanoid with a payload, dropped a millimetre and shoved: accelerations are far from zero."""
    if engine == "mujoco":
        pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")
    scenario = read_scenario(SHOVED | {"initial": {"drop": 0.001}}, "shoved")
    run = prepare("humanoid", scenario, {"simulation.backend": engine}, controller=HoldPosture)
    recorder = _Recorder()
    report = run.finish(run.loop.run([run.report, recorder]))
    found = report["zmp_margin_from_motion"]
    assert not report["fell"] and found["samples"] > 60
    assert found["apart_max"] < 0.01 and found["distance_apart_max_m"] < 1e-3
    assert found["min"] < 0.97  # the shove is seen
    again = MotionZmpMargin(run.model, TrueKinematics(run.model), run.backend.period_ns, run.loop.pushes.pushes)
    for period in recorder.record:
        again.observe(period)
    without_payload = again.result(Outcome(False, "", 0.0, 0.0, 0))["zmp_margin_from_motion"]
    assert without_payload["apart_max"] > found["apart_max"]


def test_instants_that_cannot_be_compared_are_left_out() -> None:
    """In flight, on the body, and while something pushes."""
    scenario = read_scenario({"duration": 0.25, "initial": {"drop": 0.5}}, "falling")
    run = prepare("quadruped", scenario, {"simulation.backend": "rigid"}, controller=HoldPosture)
    flight = run.finish(run.loop.run([run.report]))["zmp_margin_from_motion"]
    assert flight["samples"] == 0 and flight["mean"] is None and flight["apart_max"] is None
    recorder = _Recorder()
    standing = prepare(
        "quadruped", read_scenario({"duration": 0.05}, "x"), {"simulation.backend": "rigid"}, controller=HoldPosture
    )
    standing.loop.run([recorder])
    metric = MotionZmpMargin(standing.model, TrueKinematics(standing.model), 1_000_000)
    for period in recorder.record:
        truth: GroundTruth = replace(period.truth, other_contacts=("trunk",))
        metric.observe(replace(period, truth=truth))
    assert metric.result(Outcome(False, "", 0.0, 0.0, 0))["zmp_margin_from_motion"]["samples"] == 0
