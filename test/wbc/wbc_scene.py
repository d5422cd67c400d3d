"""What the tests of the whole-body controller share: states, references, and a world that obeys the
controller exactly."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.model.urdf_source import search_roots
from wbc_control.parameters import ControllerParameters, changed
from wbc_control.state import ContactState, Estimate, PlanSample, RobotState
from wbc_control.wbc import ControllerOutput, WholeBodyController

PERIOD = 0.001
HAS_DATA = any((root / "example-robot-data" / "robots").is_dir() for root in search_roots())
needs_data = pytest.mark.skipif(not HAS_DATA, reason="example-robot-data is not installed (extra `robots`)")
HUMANOIDS = ["humanoid", pytest.param("g1", marks=needs_data)]
ROBOTS = ["humanoid", "quadruped", pytest.param("g1", marks=needs_data), pytest.param("go2", marks=needs_data)]


@cache
def robot(name: str) -> RobotModel:
    return RobotModel.from_parameters(load_robot(name).robot)


def controller_parameters(name: str, **values: Any) -> ControllerParameters:
    """Parameters of a robot's controller, ``__`` in a name for a dot; no time budget, so that results
    never depend on load."""
    named = {key.replace("__", "."): value for key, value in values.items()}
    return changed(load_robot(name).controller, {"solver.time_budget": 0.0} | named)


def random_velocity(model: RobotModel, rng: np.random.Generator, size: float = 0.5) -> np.ndarray:
    return size * rng.standard_normal(model.nv)


def random_configuration(model: RobotModel, rng: np.random.Generator, size: float = 0.2) -> np.ndarray:
    """Near the standing posture, base anywhere and turned."""
    step = size * rng.standard_normal(model.nv)
    step[: model.nv - model.n] = rng.standard_normal(model.nv - model.n)
    q = pin.integrate(model.pinocchio, model.standing_configuration(), step)
    room = model.limits
    joints = np.clip(model.joint_positions(q), room.position_lower + 0.05, room.position_upper - 0.05)
    return model.with_joint_positions(q, joints)


def terms_at(model: RobotModel, q: np.ndarray, v: np.ndarray) -> Kinodynamics:
    terms = Kinodynamics(model)
    terms.update(q, v)
    return terms


def trajectory(
    model: RobotModel, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float
) -> tuple[np.ndarray, np.ndarray]:
    """(q, v) at time ``t`` of a motion with velocity v and acceleration a at 0; exact to second order."""
    return pin.integrate(model.pinocchio, q, v * t + 0.5 * a * t * t), v + a * t


def estimate(model: RobotModel, q: np.ndarray, v: np.ndarray, time_ns: int = 0) -> Estimate:
    feet = len(model.feet)
    ones = np.ones(feet)
    contact = ContactState(
        time_ns, np.ones(feet, dtype=bool), ones, ones * model.weight / feet, 0.0 * ones, 2.0 * ones, ones
    )
    return Estimate(RobotState(time_ns, q, v), contact, True, "")


def standing_reference(model: RobotModel, q: np.ndarray | None = None) -> PlanSample:
    """Stay where ``q`` (standing by default) is, all feet loaded alike."""
    terms = terms_at(model, model.standing_configuration() if q is None else q, np.zeros(model.nv))
    feet = len(model.feet)
    share = np.full(feet, model.weight / max(feet, 1))
    zeros = np.zeros((feet, 6))
    places = terms.foot_position.copy(), terms.foot_rotation.copy()
    base = terms.torso_rotation.copy()
    com, rest = terms.com.copy(), np.zeros(3)
    return PlanSample(
        0, com, rest, rest, base, rest, *places, zeros, zeros, np.ones(feet, bool), np.ones(feet), share, com[:2]
    )


def moved(reference: PlanSample, **fields: Any) -> PlanSample:
    return replace(reference, **fields)


class ObedientWorld:
    """The body accelerates exactly as the controller's q̈ says; constant over a period."""

    def __init__(
        self,
        name: str,
        q: np.ndarray | None = None,
        v: np.ndarray | None = None,
        model: RobotModel | None = None,
        **values: Any,
    ) -> None:
        self.model = model or robot(name)
        self.parameters = controller_parameters(name, **values)
        self.period = 1.0 / self.parameters.rate
        self.controller = WholeBodyController(self.model, self.parameters)
        self.q = self.model.standing_configuration() if q is None else q.copy()
        self.v = np.zeros(self.model.nv) if v is None else v.copy()
        self.tick = 0

    @property
    def joints(self) -> np.ndarray:
        return self.model.joint_positions(self.q)

    @property
    def joint_velocity(self) -> np.ndarray:
        return self.v[self.model.v_index]

    def step(self, reference: PlanSample) -> ControllerOutput:
        now = estimate(self.model, self.q.copy(), self.v.copy(), round(self.tick * self.period * 1e9))
        output = self.controller.update(now, reference)
        a, T = output.telemetry.acceleration, self.period
        self.q = pin.integrate(self.model.pinocchio, self.q, self.v * T + 0.5 * a * T * T)
        self.v = self.v + a * T
        self.tick += 1
        return output
