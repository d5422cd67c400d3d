"""Move some joints on a trajectory of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.errors import ModelError
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import TaskParameters
from wbc_control.state import PlanSample
from wbc_control.wbc.task import Array, Task, feedback_gains


class JointTask(Task):
    """q̈ = q̈_ref + kd (q̇_ref − q̇) + kp (q_ref − q) of named joints, angles the short way round where joints turn freely.

    Attributes:
        position, velocity, acceleration: (rows,) target in the order of the names.

    Raises:
        ModelError: The robot has no such joint.
    """

    def __init__(self, model: RobotModel, joints: Sequence[str], parameters: TaskParameters) -> None:
        super().__init__(f"joints {', '.join(joints)}", len(joints), parameters.weight, parameters.priority)
        unknown = [name for name in joints if name not in model.joint_names]
        if unknown:
            raise ModelError(f"the robot has no joint {', '.join(unknown)}", where=model.parameters.name, value=unknown)
        self._model, self._joints = model, np.array([model.joint_names.index(name) for name in joints])
        self._columns = model.v_index[self._joints]
        room = model.limits.position_upper - model.limits.position_lower
        self._turns = ~np.isfinite(room[self._joints])
        self._kp, self._kd = feedback_gains(parameters)
        self.position = model.joint_positions(model.standing_configuration())[self._joints]
        self.velocity, self.acceleration = np.zeros(self.rows), np.zeros(self.rows)

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        A[:] = 0.0
        A[np.arange(self.rows), self._columns] = 1.0
        error = self.position - self._model.joint_positions(terms.q)[self._joints]
        error[self._turns] = (error[self._turns] + np.pi) % (2.0 * np.pi) - np.pi
        b[:] = self.acceleration + self._kd * (self.velocity - terms.v[self._columns]) + self._kp * error
