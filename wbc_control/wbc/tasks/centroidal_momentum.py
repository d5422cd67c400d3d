"""Track linear and angular momentum of the whole body about its centre of mass."""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import TaskParameters
from wbc_control.state import PlanSample
from wbc_control.wbc.task import Array, Task, feedback_gains


class CentroidalMomentumTask(Task):
    """ḣ = A_G q̈ + Ȧ_G q̇ (Orin, Goswami, Lee 2013): linear rows follow the planned centre of mass,
    angular rows a target.

    Linear: m (c̈_ref + kd (ċ_ref − ċ) + kp (c_ref − c)); angular: L̇_ref + kd (L_ref − L); world axes, N and N·m.

    Attributes:
        angular_momentum: (3,) L_ref, kg·m²/s; angular_momentum_rate: (3,) L̇_ref, N·m.
    """

    def __init__(self, model: RobotModel, parameters: TaskParameters, angular_share: float = 1.0) -> None:
        super().__init__("centroidal momentum", 6, parameters.weight, parameters.priority)
        self.weights[3:] *= angular_share
        self._mass = model.mass
        self._kp, self._kd = feedback_gains(parameters)
        self.angular_momentum, self.angular_momentum_rate = np.zeros(3), np.zeros(3)

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        A[:] = terms.momentum_map
        wanted = reference.com_acceleration + self._kd * (reference.com_velocity - terms.com_velocity)
        wanted += self._kp * (reference.com_position - terms.com)
        b[:3] = self._mass * wanted
        b[3:] = self.angular_momentum_rate + self._kd * (self.angular_momentum - terms.momentum[3:])
        b -= terms.momentum_drift
