"""What is recorded of the control stack and of balance: estimate, plan, command, telemetry; true CoM, ZMP and margins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from wbc_control.contact_mechanics.support_plane import virtual_horizontal_plane
from wbc_control.contact_mechanics.zmp import zmp_of_contacts
from wbc_control.model import RobotModel
from wbc_control.recorded.names import JOINT_STATE, MULTI_DOF, ODOMETRY, POINT, TRUTH
from wbc_control.simulation import recording_messages as messages
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.metrics.balance import ZmpMargin
from wbc_control.simulation.metrics.metric import StackView
from wbc_control.simulation.metrics.truth import TrueKinematics
from wbc_control.simulation.recording_channels import Channel, base_values
from wbc_control.simulation.recording_messages import stamp_values
from wbc_control.spatial import matrix_to_quaternion

SOLVER = ("solved", "iterations", "dynamics_residual", "solve_us", "tick_us")
SHARES = ("friction_use", "torque_use", "torque_rate_use")
TRUE_MARGINS = ("zmp_distance_m", "zmp_margin")
_STAGE = "{}_us"
_ODOM, _WORLD = "odom", "world"


class EstimateChannels:
    """``odom``, ``contact_state`` and ``centroidal/com``, by the estimator."""

    def __init__(self, model: RobotModel, view: StackView) -> None:
        self._model, self._view = model, view
        self._data = model.pinocchio.createData()

    def channels(self) -> list[Channel]:
        """What a stack with an estimator says."""
        feet = self._model.foot_names
        rows = [*feet, *(f"{foot}/decision" for foot in feet), "estimate"]
        odometry = messages.odometry(_ODOM, self._model.base_link)
        found = [Channel("contact_state", JOINT_STATE, messages.joint_state(rows), self._contact)]
        if self._model.floating_base:
            found.append(Channel("odom", ODOMETRY, odometry, self._base))
        return [*found, Channel("centroidal/com", POINT, messages.point(_ODOM), self._com)]

    def _base(self, period: Period) -> list[float] | None:
        estimate = self._view.estimate
        return None if estimate is None else base_values(period.time_ns, estimate.robot.q, estimate.robot.v)

    def _contact(self, period: Period) -> list[float] | None:
        estimate = self._view.estimate
        if estimate is None:
            return None
        said = estimate.contact
        columns = (
            [*said.probability.tolist(), *said.in_contact.astype(float).tolist(), float(estimate.healthy)],
            [*said.slip_speed.tolist(), *said.confidence.tolist(), 0.0],
            [*said.normal_force.tolist(), *said.phase.astype(float).tolist(), 0.0],
        )
        return [*stamp_values(period.time_ns), *columns[0], *columns[1], *columns[2]]

    def _com(self, period: Period) -> list[float] | None:
        estimate = self._view.estimate
        if estimate is None or not estimate.healthy:
            return None
        com = pin.centerOfMass(self._model.pinocchio, self._data, estimate.robot.q)
        return [*stamp_values(period.time_ns), *com.tolist()]


class CommandChannels:
    """``planner/reference``, ``joint_command``, ``wbc/solver`` and ``wbc/margins``, by planner and controller."""

    def __init__(self, model: RobotModel, view: StackView, controller: Any) -> None:
        self._view, self._controller = view, controller
        self._joints, self._feet = model.joint_names, model.foot_names
        self._torso = model.pinocchio.frames[model.torso_frame_id].name
        self._stages = tuple(getattr(controller, "stage_ns", {}))

    def channels(self) -> list[Channel]:
        """What a stack with planner and whole-body controller says."""
        bodies = ("com", self._torso, *self._feet, "zmp")
        solver = (*SOLVER, *(_STAGE.format(stage) for stage in self._stages))
        return [
            Channel("planner/reference", MULTI_DOF, messages.multi_dof(bodies, _ODOM), self._reference),
            Channel("joint_command", JOINT_STATE, messages.joint_state(self._joints), self._command),
            Channel("wbc/solver", JOINT_STATE, messages.scalars(solver), self._solver),
            Channel("wbc/margins", JOINT_STATE, messages.scalars(SHARES), self._shares),
        ]

    def _reference(self, period: Period) -> list[float] | None:
        plan = self._view.reference
        if plan is None:
            return None
        level = [0.0, 0.0, 0.0, 1.0]
        poses = [*plan.com_position.tolist(), *level, 0.0, 0.0, 0.0, *matrix_to_quaternion(plan.base_rotation).tolist()]
        for position, rotation in zip(plan.foot_position, plan.foot_rotation):
            poses += [*position.tolist(), *matrix_to_quaternion(rotation).tolist()]
        poses += [*plan.zmp.tolist(), 0.0, *level]
        twists = [*plan.com_velocity.tolist(), *([0.0] * 6), *plan.base_angular_velocity.tolist()]
        twists += [*plan.foot_velocity.ravel().tolist(), *([0.0] * 6)]
        force = np.zeros((len(self._feet) + 3, 6))
        force[0, 2], force[2:-1, 2] = plan.normal_force.sum(), plan.normal_force
        return [*stamp_values(period.time_ns), *poses, *twists, *force.ravel().tolist()]

    def _command(self, period: Period) -> list[float] | None:
        output = self._view.output
        if output is None:
            return None
        command = output.command
        rows = (command.position.tolist(), command.velocity.tolist(), command.effort.tolist())
        return [*stamp_values(command.time_ns), *rows[0], *rows[1], *rows[2]]

    def _solver(self, period: Period) -> list[float] | None:
        output = self._view.output
        if output is None:
            return None
        told, stages = output.telemetry, getattr(self._controller, "stage_ns", {})
        numbers = [float(told.solved), float(told.iterations), told.dynamics_residual]
        durations = [told.solve_ns, period.tick_ns, *(stages.get(stage, 0) for stage in self._stages)]
        return [*stamp_values(period.time_ns), *numbers, *(1e-3 * ns for ns in durations)]

    def _shares(self, period: Period) -> list[float] | None:
        output = self._view.output
        if output is None or not output.telemetry.solved:
            return None
        told = output.telemetry
        return [*stamp_values(period.time_ns), told.friction_use, told.torque_use, told.torque_rate_use]


class TrueBalanceChannels:
    """True centre of mass, ZMP and margins, a hundred times a second: they cost more than the rest together."""

    def __init__(self, model: RobotModel, period_ns: int) -> None:
        self._kinematics = TrueKinematics(model)
        self._margins = ZmpMargin(model, self._kinematics) if model.feet else None
        self._every = max(1, round(1e7 / period_ns))

    def channels(self) -> list[Channel]:
        """CoM always, ZMP and margins of a robot with feet."""
        found = [Channel(f"{TRUTH}/com", POINT, messages.point(_WORLD), self._com)]
        if self._margins is not None:
            found.append(Channel(f"{TRUTH}/zmp", POINT, messages.point(_WORLD), self._zmp))
            found.append(Channel(f"{TRUTH}/margins", JOINT_STATE, messages.scalars(TRUE_MARGINS), self._distances))
        return found

    def _com(self, period: Period) -> list[float] | None:
        if period.index % self._every:
            return None
        self._kinematics.update(period.truth)
        return [*stamp_values(period.time_ns), *self._kinematics.com.tolist()]

    def _zmp(self, period: Period) -> list[float] | None:
        """On the level plane through the mean contact point; nothing in flight."""
        if period.index % self._every:
            return None
        plane = virtual_horizontal_plane(period.truth.contact_points)
        zmp = (
            None if plane is None else zmp_of_contacts(period.truth.contact_forces, period.truth.contact_points, plane)
        )
        if plane is None or zmp is None:
            return None
        return [*stamp_values(period.time_ns), *plane.world_point(np.array([zmp.x, zmp.y])).tolist()]

    def _distances(self, period: Period) -> list[float] | None:
        if period.index % self._every or period.index == 0 or self._margins is None:
            return None
        margins = self._margins.margins(period.truth)
        if margins is None:
            return None
        return [*stamp_values(period.time_ns), margins.distance, margins.normalised]
