"""The formulation of this stack: which tasks, contacts and limits its parameters ask for."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wbc_control.errors import ParameterError
from wbc_control.model import RobotModel
from wbc_control.parameters import ControllerParameters
from wbc_control.qp import QpWorkspace, create_workspace, predicting_workspace
from wbc_control.wbc.contacts import contact_for
from wbc_control.wbc.formulation import Formulation
from wbc_control.wbc.hierarchy_workspace import HierarchyWorkspace
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.limits import (
    EffortLimit,
    EffortRateLimit,
    MotorLimit,
    PositionVelocityLimit,
    RowLimit,
    SelfCollisionLimit,
    TorqueLimit,
)
from wbc_control.wbc.mixed_task import MixedTask
from wbc_control.wbc.task import Task
from wbc_control.wbc.tasks import (
    AngularMomentumTask,
    CentreOfMassTask,
    CentreOfPressureTask,
    PostureTask,
    SwingFootTask,
    TorqueTask,
    TorsoOrientationTask,
)

SOFT_LIMITS = ("position", "normal_force", "self_collision", "torque", "torque_rate", "motor")
"""Words of the parameter ``limits.soft``."""


def build_formulation(model: RobotModel, parameters: ControllerParameters, rate_limit: EffortRateLimit) -> Formulation:
    """Tasks, contacts and limits of ``model`` as ``parameters`` weigh them."""
    limits, period = parameters.limits, 1.0 / parameters.rate
    torque_limits = [*_motor_limits(model, parameters), rate_limit]
    _set_hardness(torque_limits, limits.soft)
    return Formulation(
        model,
        _tasks(model, parameters),
        PostureTask(model, parameters.posture, parameters.acceleration_weight),
        [contact_for(i, foot, parameters.contact) for i, foot in enumerate(model.feet)],
        [PositionVelocityLimit(model, limits.position_margin, limits.acceleration, period, limits.braking or math.inf)],
        torque_limits,
        parameters.force_weight,
        parameters.contact.ramp_weight,
        _row_limits(model, parameters),
        _mixed_tasks(model, parameters),
    )


def workspace_for(layout: Layout, parameters: ControllerParameters) -> QpWorkspace:
    """The solver of one contact set's problems: one QP, or one a level of strict priorities."""
    if parameters.priorities == "strict":
        return HierarchyWorkspace(layout, lambda: create_workspace(parameters.solver), parameters.posture.priority)
    return predicting_workspace(parameters.solver)


def _motor_limits(model: RobotModel, parameters: ControllerParameters) -> list[TorqueLimit]:
    motor = MotorLimit(model, parameters.limits)
    return [EffortLimit(model, parameters.limits.torque_margin), *([motor] if motor.active else [])]


def _set_hardness(limits: Sequence[TorqueLimit], soft: tuple[str, ...]) -> None:
    """Mark the limits that may give way.

    Raises:
        ParameterError: ``limits.soft`` names a limit that there is not.
    """
    unknown = [word for word in soft if word not in SOFT_LIMITS]
    if unknown:
        message = f"there is no limit '{unknown[0]}': choose among {', '.join(SOFT_LIMITS)}"
        raise ParameterError(message, where="limits.soft", value=unknown[0], bound=SOFT_LIMITS)
    for limit in limits:
        limit.hard = limit.key not in soft


def _row_limits(model: RobotModel, parameters: ControllerParameters) -> list[RowLimit]:
    collision = parameters.limits.self_collision
    if collision.source == "off":
        return []
    return [SelfCollisionLimit(model, collision, parameters.limits.acceleration, 1.0 / parameters.rate)]


def _tasks(model: RobotModel, parameters: ControllerParameters) -> list[Task]:
    momentum = AngularMomentumTask(parameters.angular_momentum_weight, parameters.angular_momentum_damping)
    momentum.priority = parameters.posture.priority
    tasks: list[Task] = [CentreOfMassTask(parameters.com), TorsoOrientationTask(parameters.torso), momentum]
    return tasks + [SwingFootTask(i, f.name, f.is_point, parameters.swing) for i, f in enumerate(model.feet)]


def _mixed_tasks(model: RobotModel, parameters: ControllerParameters) -> list[MixedTask]:
    tasks: list[MixedTask] = []
    if parameters.torque_weight > 0.0:
        tasks.append(TorqueTask(model, parameters.torque_weight))
    if parameters.centre_of_pressure_weight > 0.0:
        soles = [(i, foot.name) for i, foot in enumerate(model.feet) if len(foot.corners) > 2]
        tasks += [CentreOfPressureTask(i, name, parameters.centre_of_pressure_weight) for i, name in soles]
    return tasks
