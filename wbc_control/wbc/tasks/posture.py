"""Keep the joints near the standing posture, and all accelerations small."""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import TaskParameters
from wbc_control.state import PlanSample
from wbc_control.wbc.task import Array, SeparableTask, feedback_gains


class PostureTask(SeparableTask):
    """q̈ = kp (q_ref − q) − kd q̇ of every joint; the base is only regularised towards zero acceleration.

    Differences are taken joint by joint as angles, so continuous joints come back the short way.
    """

    def __init__(self, model: RobotModel, parameters: TaskParameters, regularisation: float) -> None:
        weights = np.full(model.nv, regularisation)
        weights[model.v_index] += parameters.weight
        super().__init__("posture", weights)
        self._model = model
        self._kp, self._kd = feedback_gains(parameters)
        # The regularisation pulls to zero, the task to its target: one wish at the weighted mean of the two.
        self._share = parameters.weight / (parameters.weight + regularisation)
        self._reference = model.joint_positions(model.standing_configuration())

    def write(self, terms: Kinodynamics, reference: PlanSample, target: Array) -> None:
        """See :class:`SeparableTask`."""
        model = self._model
        error = model.joint_error(self._reference, model.joint_positions(terms.q))
        error *= self._share * self._kp
        error -= self._share * self._kd * terms.v[model.v_joints]
        target[model.v_joints] = error
