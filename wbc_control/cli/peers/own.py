"""Our controller on the common problem, every limit on, also those the peers do not have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pinocchio as pin

from wbc_control.cli.peers import problem
from wbc_control.cli.peers.problem import Kicks
from wbc_control.errors import BackendError
from wbc_control.model import RobotModel, load_robot
from wbc_control.simulation.benchmark_scene import observed_contact, standing_still
from wbc_control.state import Estimate, RobotState
from wbc_control.wbc import ControllerStatus, WholeBodyController

ROBOT = "g1"

_CAPSULES = {
    "pelvis": ("pelvis", (0.0, 0.0, -0.04), (0.0, 0.0, -0.08), 0.07),
    "torso": ("torso_link", (0.0, 0.0, 0.08), (0.0, 0.0, 0.22), 0.09),
    "head": ("torso_link", (0.0, 0.0, 0.35), (0.0, 0.0, 0.42), 0.09),
    "left_thigh": ("left_hip_yaw_link", (0.0, 0.0, 0.0), (-0.078, 0.0, -0.177), 0.06),
    "right_thigh": ("right_hip_yaw_link", (0.0, 0.0, 0.0), (-0.078, 0.0, -0.177), 0.06),
    "left_shin": ("left_knee_link", (0.0, 0.0, 0.0), (0.0, 0.0, -0.28), 0.05),
    "right_shin": ("right_knee_link", (0.0, 0.0, 0.0), (0.0, 0.0, -0.28), 0.05),
    "left_foot": ("left_ankle_roll_link", (-0.03, 0.0, -0.01), (0.1, 0.0, -0.01), 0.03),
    "right_foot": ("right_ankle_roll_link", (-0.03, 0.0, -0.01), (0.1, 0.0, -0.01), 0.03),
    "left_forearm": ("left_elbow_link", (0.02, 0.0, -0.01), (0.1, 0.0, -0.01), 0.035),
    "right_forearm": ("right_elbow_link", (0.02, 0.0, -0.01), (0.1, 0.0, -0.01), 0.035),
    "left_hand": ("left_wrist_yaw_link", (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), 0.04),
    "right_hand": ("right_wrist_yaw_link", (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), 0.04),
}
"""Capsule → link, ends of its axis in the link's frame and radius, m: for self-collision."""


def settings() -> dict[str, Any]:
    """``node.parameter`` → value that make our controller solve the common problem, with all limits on."""
    found: dict[str, Any] = {}
    for joint in RobotModel.from_parameters(load_robot(ROBOT).robot).joint_names:
        row = f"robot.joints.{joint}"
        # The peers know no rotor inertia.
        found |= {f"{row}.standing": problem.POSTURE.get(joint, 0.0), f"{row}.armature": 0.0}
        found[f"{row}.velocity"] = problem.SPEED_LIMIT
    for task, gains in (("com", problem.COM), ("torso", problem.TORSO_GAINS), ("posture", problem.POSTURE_GAINS)):
        found |= _task_settings(task, *gains)
    node = {
        "force_weight": problem.FORCE_WEIGHT,
        "contact.friction": problem.FRICTION,
        "contact.friction_margin": 0.0,
        "contact.stabilisation": problem.CONTACT_DAMPING,
        "limits.motor_corner": 0.5,
        "limits.motor_no_load": 1.0,
        "limits.self_collision.source": "shapes",
        "limits.self_collision.excluded": ("pelvis torso", "left_forearm left_hand", "right_forearm right_hand"),
    }
    for name, (link, start, end, radius) in _CAPSULES.items():
        shape = f"limits.self_collision.shapes.{name}"
        node |= {f"{shape}.link": link, f"{shape}.start": start, f"{shape}.end": end, f"{shape}.radius": radius}
    return found | {f"whole_body_qp.{name}": value for name, value in node.items()}


def _task_settings(task: str, weight: float, kp: float, kd: float) -> dict[str, float]:
    omega = math.sqrt(kp)
    values = {"weight": weight, "bandwidth": omega, "damping_ratio": 0.5 * kd / omega}
    return {f"whole_body_qp.{task}.{name}": value for name, value in values.items()}


class OwnLoop:
    """Our controller in the world that obeys it.

    Args:
        overrides: ``node.parameter`` → value, on top of :func:`settings`.
        clock: Reads the time, ns.

    Attributes:
        not_solved: Ticks, counted or not, whose command was not a solution of the full QP.
        stages_ns: Stage → its duration in every counted tick, ns of wall time.
    """

    def __init__(
        self, overrides: Mapping[str, Any] | None = None, clock: Callable[[], int] = problem.CLOCKS["wall"]
    ) -> None:
        self._clock = clock
        parameters = load_robot(ROBOT, {**settings(), **(overrides or {})})
        self.model = RobotModel.from_parameters(parameters.robot)
        self._controller = WholeBodyController(self.model, parameters.controller)
        self._q, self._v = self.model.standing_configuration(), np.zeros(self.model.nv)
        self._reference = standing_still(self.model, self._q)
        self._contact = observed_contact(self.model)
        self._kicks, self._step, self._time_ns = Kicks(), 0, 0
        self.not_solved = 0
        self.stages_ns: dict[str, list[int]] = {stage: [] for stage in self._controller.stage_ns}

    def run(self, lead_in: int, steps: int) -> list[int]:
        """Durations, ns, of ``steps`` ticks (state in to torques out), after ``lead_in`` uncounted ones."""
        for _ in range(lead_in):
            self._advance()
        durations = []
        for _ in range(steps):
            self._kicks.apply(self._step, self._v)
            self._step += 1
            durations.append(self._advance())
            for stage, duration in self._controller.stage_ns.items():
                self.stages_ns[stage].append(duration)
        return durations

    def _advance(self) -> int:
        estimate = Estimate(RobotState(self._time_ns, self._q, self._v), self._contact, True, "")
        started = self._clock()
        output = self._controller.update(estimate, self._reference)
        duration = self._clock() - started
        if output.status is ControllerStatus.HELD or output.status is ControllerStatus.DAMPING:
            raise BackendError(f"found no solution: {output.telemetry.cause}", where="our controller")
        self.not_solved += output.status is not ControllerStatus.SOLVED
        self._v = self._v + problem.PERIOD * output.telemetry.acceleration
        self._q = pin.integrate(self.model.pinocchio, self._q, problem.PERIOD * self._v)
        self._time_ns += round(1e9 * problem.PERIOD)
        return duration
