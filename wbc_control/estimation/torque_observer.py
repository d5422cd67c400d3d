"""Force on each foot from joint torques: a generalised-momentum observer in its inverse-dynamics form.

De Luca & Mattone (ICRA 2005) observe r = K(p − ∫(τ + Cᵀv − g + r)dt), which is the external generalised force
M·v̇ + h − τ through a first-order low-pass.  Here that low-pass is applied to the inverse dynamics of the measured
motion, by low-passing accelerations and efforts before the (linear) recursion: the same transfer function for one
recursive Newton–Euler pass, without M, C or their derivatives.  The foot's
force follows from τ_ext = Jᵀf by least squares with a prior of the size of the robot's weight, so that a straight knee,
which hides the vertical force from the torques, shows as a large variance and not as a foot without load.
"""

from __future__ import annotations

import numpy as np

from wbc_control.estimation.leg_kinematics import LegKinematics
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
        available: Whether the robot measures torques at all (all zeros means it does not).
        residual: (nv,) external generalised force, base frame.
        vertical_variance: Variance of each foot's vertical force, N².
    """

    def __init__(self, model: RobotModel) -> None:
        self._model = model
        self._rows = 3 if all(foot.is_point for foot in model.feet) else 6
        self.residual = np.zeros(model.nv)
        self._joints = model.v_index
        self._from_torque = np.zeros((len(model.feet), self._rows, 0))
        self._leg_index = np.zeros((len(model.feet), 0), dtype=np.intp)
        self._vertical = np.zeros((len(model.feet), model.nv))
        self.reset()

    def reset(self) -> None:
        """Forget the filtered residual."""
        self.residual = np.zeros(self._model.nv)
        self.available = False
        self.vertical_variance = [np.inf] * len(self._model.feet)

    def update(self, required: Array, effort: Array) -> None:
        """Take in the (nv,) force the motion needs and the (n,) efforts, both low-passed; ``required`` is consumed."""
        required[self._joints] -= effort
        self.residual = required

    def refresh(self, legs: LegKinematics, up: Array, effort: Array, parameters: EstimatorParameters) -> None:
        """Recompute the map from torques to forces; legs move little in a few ms, so not every tick.

        Args:
            legs: Placed legs.
            up: (3,) world's z in base axes.
            effort: (n,) measured efforts.
            parameters: Noise of the torques.
        """
        noise = parameters.sensors.torque_noise
        self.available = bool(effort.any())
        jacobian = legs.leg_jacobians()[:, :, : self._rows]
        transposed = jacobian.transpose(0, 2, 1)
        covariance = np.linalg.inv(transposed @ jacobian + self._prior((noise / self._model.weight) ** 2))
        self._from_torque, self._leg_index = covariance @ transposed, legs.leg_index
        rows = up @ self._from_torque[:, :3]
        self._vertical[:] = 0.0
        for k, index in enumerate(legs.leg_index):
            self._vertical[k, index] += rows[k]
        floor = (_MODEL_ERROR * self._model.weight) ** 2
        spread = (covariance[:, :3, :3] @ up) @ up
        self.vertical_variance = (noise**2 * spread + floor).tolist() if self.available else [np.inf] * len(spread)

    def _prior(self, precision: float) -> Array:
        return np.diag([precision] * 3 + [precision / _LEVER_M**2] * (self._rows - 3))

    def vertical(self) -> list[float]:
        """Vertical force of the ground on each foot, N."""
        return self._vertical.dot(self.residual).tolist()

    def foot_forces(self) -> Array:
        """(N, 6) force, N, and torque about the sole origin, N·m, of the ground on each foot, base axes."""
        forces = np.zeros((len(self._from_torque), 6))
        torque = self.residual.take(self._leg_index)[:, :, None]
        forces[:, : self._rows] = (self._from_torque @ torque)[:, :, 0]
        return forces
