"""Track the centre of mass."""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics
from wbc_control.parameters.controller import TaskParameters
from wbc_control.state import PlanSample
from wbc_control.wbc.task import Array, Task, feedback_gains


class CentreOfMassTask(Task):
    """c̈ = c̈_ref + kd (ċ_ref − ċ) + kp (c_ref − c), world axes, m/s²."""

    def __init__(self, parameters: TaskParameters) -> None:
        super().__init__("centre of mass", 3, parameters.weight, parameters.priority)
        self._kp, self._kd = feedback_gains(parameters)
        self._scratch = np.zeros(3)

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        A[:] = terms.J_com
        scratch = self._scratch
        np.subtract(reference.com_velocity, terms.com_velocity, out=b)
        b *= self._kd
        np.subtract(reference.com_position, terms.com, out=scratch)
        scratch *= self._kp
        b += scratch
        b += reference.com_acceleration
        b -= terms.com_drift
