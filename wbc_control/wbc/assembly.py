"""The formulation of this stack: which tasks, contacts and limits its parameters ask for."""
from __future__ import annotations

from wbc_control.model import RobotModel
from wbc_control.parameters import ControllerParameters
from wbc_control.qp import QpWorkspace, create_workspace
from wbc_control.wbc.contacts import contact_for
from wbc_control.wbc.formulation import Formulation
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.limits import EffortLimit, EffortRateLimit, PositionVelocityLimit
from wbc_control.wbc.task import Task
from wbc_control.wbc.tasks import AngularMomentumTask, CentreOfMassTask, PostureTask, SwingFootTask, TorsoOrientationTask


def build_formulation(model: RobotModel, parameters: ControllerParameters, rate_limit: EffortRateLimit) -> Formulation:
    """Tasks, contacts and limits of ``model`` as ``parameters`` weigh them."""
    limits, period = parameters.limits, 1.0 / parameters.rate
    return Formulation(
        model,
        _tasks(model, parameters),
        PostureTask(model, parameters.posture, parameters.acceleration_weight),
        [contact_for(i, foot, parameters.contact) for i, foot in enumerate(model.feet)],
        [PositionVelocityLimit(model, limits.position_margin, limits.acceleration, period)],
        [EffortLimit(model, limits.torque_margin), rate_limit],
        parameters.force_weight,
    )


def workspace_for(layout: Layout, parameters: ControllerParameters) -> QpWorkspace:
    """The solver of one contact set's problems."""
    return create_workspace(parameters.solver)


def _tasks(model: RobotModel, parameters: ControllerParameters) -> list[Task]:
    tasks: list[Task] = [
        CentreOfMassTask(parameters.com),
        TorsoOrientationTask(parameters.torso),
        AngularMomentumTask(parameters.angular_momentum_weight, parameters.angular_momentum_damping),
    ]
    return tasks + [SwingFootTask(i, f.name, f.is_point, parameters.swing) for i, f in enumerate(model.feet)]
