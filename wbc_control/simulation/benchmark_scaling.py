"""How the controller's tick grows with joints, contacts and facets of the friction cone.

12 joints: the quadruped; 18: the same with an arm of six joints on its back; 29: the humanoid, whose hands may push like
feet; 40: the humanoid with a chain of eleven more joints on its head.  The robot follows a small smooth motion around
its standing posture, so that every tick is another problem; there is no physics.
"""

from __future__ import annotations

import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np
import pinocchio as pin

from wbc_control.model import RobotModel, load_robot
from wbc_control.parameters import StackParameters
from wbc_control.simulation.benchmark import quiet_collector
from wbc_control.simulation.benchmark_scene import Array, observed_contact, standing_still
from wbc_control.simulation.metrics.metric import percentiles
from wbc_control.state import Estimate, RobotState
from wbc_control.wbc import ControllerStatus, WholeBodyController

_WARM_UP = 50
_AMPLITUDE, _FREQUENCY = 0.01, 2.0
"""Of the motion, rad and m, Hz."""


@dataclass(frozen=True)
class Body:
    """A shipped robot, perhaps with more joints.

    Attributes:
        robot: Shipped robot.
        link: Link that carries a chain of further joints.
        joints: Number of those.
    """

    robot: str
    link: str
    joints: int


BODIES = {
    12: Body("quadruped", "base_link", 0),
    18: Body("quadruped", "base_link", 6),
    29: Body("humanoid", "head_link", 0),
    40: Body("humanoid", "head_link", 11),
}
"""Joints → robot."""
CASES = tuple((joints, contacts, facets) for joints in BODIES for contacts in (1, 2, 4) for facets in (4, 8, 16))
"""(joints, contacts, facets) of every row."""


def measure_scaling(steps: int, on_case: Callable[[float], None] = lambda done: None) -> list[dict[str, Any]]:
    """One row a case: sizes of the QP and percentiles of the controller's tick, µs.

    Args:
        steps: Ticks to time in each case.
        on_case: Called with the number of cases done.
    """
    rows = []
    with tempfile.TemporaryDirectory() as folder, quiet_collector():
        for done, (joints, contacts, facets) in enumerate(CASES):
            rows.append(_measure(load_body(BODIES[joints], facets, Path(folder)), contacts, facets, steps))
            on_case(done + 1)
    return rows


def load_body(body: Body, facets: int, folder: Path) -> StackParameters:
    """Parameters of a body, its description written into ``folder``; two hands of a humanoid count as point feet."""
    overrides: dict[str, Any] = {
        "whole_body_qp.contact.facets": facets,
        "whole_body_qp.solver.time_budget": 0.0,
        "robot.mass_max": 1000.0,
    }
    if body.robot == "humanoid":
        for side in ("l", "r"):
            hand = f"robot.feet.{side}_hand"
            overrides |= {f"{hand}.link": f"{side}_gripper", f"{hand}.corners": (0.0, 0.0, 0.0)}
    if body.joints:
        urdf = folder / f"{body.robot}_{body.joints}.urdf"
        text = RobotModel.from_parameters(load_robot(body.robot).robot).urdf_text
        urdf.write_text(with_chain(text, body.link, body.joints), encoding="utf-8")
        overrides["robot.urdf"] = str(urdf)
    return load_robot(body.robot, overrides)


def with_chain(urdf: str, link: str, joints: int) -> str:
    """The description with a chain of light links on ``link``, its joints about y and z in turn."""
    root = ElementTree.fromstring(urdf)
    parent = link
    for number in range(joints):
        child = f"chain_{number}_link"
        body = ElementTree.SubElement(root, "link", name=child)
        inertial = ElementTree.SubElement(body, "inertial")
        ElementTree.SubElement(inertial, "origin", xyz="0 0 0.04")
        ElementTree.SubElement(inertial, "mass", value="0.2")
        inertia = {"ixx": "4e-4", "iyy": "4e-4", "izz": "2e-4", "ixy": "0", "ixz": "0", "iyz": "0"}
        ElementTree.SubElement(inertial, "inertia", inertia)
        joint = ElementTree.SubElement(root, "joint", name=f"chain_{number}_joint", type="revolute")
        ElementTree.SubElement(joint, "origin", xyz="0 0 0.08")
        ElementTree.SubElement(joint, "axis", xyz="0 1 0" if number % 2 else "0 0 1")
        ElementTree.SubElement(joint, "parent", link=parent)
        ElementTree.SubElement(joint, "child", link=child)
        ElementTree.SubElement(joint, "limit", lower="-2", upper="2", effort="20", velocity="10")
        parent = child
    return ElementTree.tostring(root, encoding="unicode")


def _measure(parameters: StackParameters, contacts: int, facets: int, steps: int) -> dict[str, Any]:
    model = RobotModel.from_parameters(parameters.robot)
    controller = WholeBodyController(model, parameters.controller)
    loaded = np.arange(len(model.feet)) < contacts
    reference = standing_still(model, model.standing_configuration(), loaded)
    contact, period = observed_contact(model, loaded), 1.0 / parameters.controller.rate
    ticks_us, not_solved = [], 0
    for step in range(_WARM_UP + steps):
        q, v = _wobbling(model, step * period)
        estimate = Estimate(RobotState(round(1e9 * step * period), q, v), contact, True, "")
        started = perf_counter_ns()
        output = controller.update(estimate, reference)
        duration = perf_counter_ns() - started
        if step >= _WARM_UP:
            ticks_us.append(1e-3 * duration)
            not_solved += output.status is not ControllerStatus.SOLVED
    sizes = {"robot": parameters.robot.name, "joints": model.n, "contacts": contacts, "facets": facets}
    problem = controller.problem(reference)
    sizes |= {"variables": problem.variables, "equalities": problem.equalities, "rows": problem.inequalities}
    sizes["not_solved"] = not_solved
    return {**sizes, "p10": round(float(np.percentile(ticks_us, 10.0)), 3), **percentiles(ticks_us)}


def _wobbling(model: RobotModel, time_s: float) -> tuple[Array, Array]:
    """Configuration and velocity of a small smooth motion of every degree of freedom."""
    omega = 2.0 * np.pi * _FREQUENCY
    phase = np.arange(model.nv)
    offset = _AMPLITUDE * (np.sin(omega * time_s + phase) - np.sin(phase))
    q: Array = pin.integrate(model.pinocchio, model.standing_configuration(), offset)
    return q, _AMPLITUDE * omega * np.cos(omega * time_s + phase)
