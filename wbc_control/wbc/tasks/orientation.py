"""Hold the orientation of the torso."""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics
from wbc_control.parameters.controller import TaskParameters
from wbc_control.spatial import log_so3
from wbc_control.state import PlanSample
from wbc_control.wbc.task import Array, Task, feedback_gains


class TorsoOrientationTask(Task):
    """ω̇ = kd (ω_ref − ω) + kp log(R_ref Rᵀ), world axes, rad/s²."""

    def __init__(self, parameters: TaskParameters) -> None:
        super().__init__("torso orientation", 3, parameters.weight, parameters.priority)
        self._kp, self._kd = feedback_gains(parameters)

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        A[:] = terms.J_torso[3:]
        np.subtract(reference.base_angular_velocity, terms.torso_velocity[3:], out=b)
        b *= self._kd
        b += self._kp * log_so3(reference.base_rotation.dot(terms.torso_rotation.T))
        b -= terms.torso_drift[3:]
