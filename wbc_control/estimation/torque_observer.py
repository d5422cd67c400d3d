"""Force on each foot from joint torques: a generalised-momentum observer in its inverse-dynamics form.

De Luca & Mattone (ICRA 2005) observe r = K(p − ∫(τ + Cᵀv − g + r)dt), which is the external generalised force
M·v̇ + h − τ through a first-order low-pass.  Here that low-pass is applied to the inverse dynamics of the measured
motion: the same transfer function for one recursive Newton–Euler pass, without M, C or their derivatives.  The foot's
force follows from τ_ext = Jᵀf by least squares with a prior of the size of the robot's weight, so that a straight knee,
which hides the vertical force from the torques, shows as a large variance and not as a foot without load.
"""
from __future__ import annotations

import numpy as np

from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.filters import LowPass
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array

_LEVER_M = 0.1
"""Half a sole: relates the prior of a foot's moment to that of its force."""
_MODEL_ERROR = 0.03
"""Standard deviation of the observed force from unmodelled masses and friction, share of weight."""


class TorqueObserver:
    """External joint torque and the foot forces behind it.

    Args:
        model: Robot with a floating base.

    Attributes:
        available: Whether the robot measures torques at all.
        foot_force: (N, 6) or (N, 3) force (and moment about the sole origin) of the ground on each foot, base axes.
        residual: (nv,) external generalised force, base frame.
    """

    def __init__(self, model: RobotModel) -> None:
        n_feet = len(model.feet)
        self._model = model
        self._rows = 3 if all(foot.is_point for foot in model.feet) else 6
        self._filter = LowPass(model.nv)
        self._raw = np.zeros(model.nv)
        self._prior = np.zeros((self._rows, self._rows))
        self.residual = self._filter.value
        self.available = False
        self.foot_force = np.zeros((n_feet, self._rows))
        self._covariance = np.zeros((n_feet, self._rows, self._rows))

    def reset(self) -> None:
        """Forget the filtered residual."""
        self._filter.reset()

    def update(self, legs: LegKinematics, effort: Array, dt: float, parameters: EstimatorParameters) -> None:
        """Take in (n,) measured efforts after :meth:`LegKinematics.update_dynamics`."""
        self.available = bool(effort.any())
        self._raw[:] = legs.required
        self._raw[self._model.v_index] -= effort
        residual = self._filter.update(self._raw, parameters.observer.bandwidth, dt)
        noise = parameters.sensors.torque_noise
        self._set_prior((noise / self._model.weight) ** 2)
        jacobian = legs.leg_jacobian[:, :, : self._rows]
        transposed = jacobian.transpose(0, 2, 1)
        inverse = np.linalg.inv(transposed @ jacobian + self._prior)
        torque = residual.take(legs.leg_index)[:, :, None]
        self.foot_force = (inverse @ (transposed @ torque))[:, :, 0]
        self._covariance = inverse

    def _set_prior(self, precision: float) -> None:
        diagonal = self._prior.reshape(-1)[:: self._rows + 1]
        diagonal[:3] = precision
        diagonal[3:] = precision / _LEVER_M**2

    def vertical(self, up: Array, parameters: EstimatorParameters) -> tuple[list[float], list[float]]:
        """Force of each foot along ``up`` (3,), base axes, N, and its variance, N²."""
        force = self.foot_force[:, :3].dot(up)
        spread = (self._covariance[:, :3, :3].dot(up)).dot(up)
        floor = (_MODEL_ERROR * self._model.weight) ** 2
        scale = parameters.sensors.torque_noise**2
        return force.tolist(), [scale * s + floor for s in spread.tolist()]
