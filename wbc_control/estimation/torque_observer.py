"""Force on each foot from joint torques: a generalised-momentum observer in its inverse-dynamics form.

De Luca & Mattone (ICRA 2005) observe r = K(p − ∫(τ + Cᵀv − g + r)dt), which is the external generalised force
M·v̇ + h − τ through a first-order low-pass.  Here that low-pass is applied to the inverse dynamics of the measured
motion, by low-passing accelerations and efforts before the (linear) recursion: the same transfer function for one
recursive Newton–Euler pass, without M, C or their derivatives.  The foot's
force follows from τ_ext = Jᵀf by least squares with a prior of the size of the robot's weight, so that a straight knee,
which hides the vertical force from the torques, shows as a large variance and not as a foot without load.
"""

from __future__ import annotations

import math

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
        model: Robot.
        legs: Its legs; None where the base is fixed.

    Attributes:
        available: Whether the robot measures torques at all (all zeros means it does not).
        residual: (L,) effort of each leg joint that only the ground explains.
        vertical_variance: Variance of each foot's vertical force, N².
    """

    def __init__(self, model: RobotModel, legs: LegKinematics | None) -> None:
        self._model = model
        self._leg_joints = legs.joints if legs is not None else slice(0)
        self._zero = np.zeros(0 if legs is None else len(legs.required))
        self._rows = 3 if all(foot.is_point for foot in model.feet) else 6
        n_feet, rows = len(model.feet), self._rows
        self._jacobian, self._leg_index = np.zeros((n_feet, 0, rows)), np.zeros((n_feet, 0), dtype=np.intp)
        self._prior = np.diag([1.0] * 3 + [1.0 / _LEVER_M**2] * (rows - 3))
        self._information = np.tile(np.eye(rows), (n_feet, 1, 1))
        self._vertical = np.zeros((n_feet, len(self._zero)))
        self._upward = np.zeros(rows)
        self._upward_of_all = np.broadcast_to(self._upward[:, None], (n_feet, rows, 1))
        self.reset()

    def reset(self) -> None:
        """Forget the filtered residual."""
        self.residual = self._zero
        self.available = False
        self.vertical_variance = [math.inf] * len(self._model.feet)

    def update(self, required: Array, effort: Array) -> None:
        """Take in the (L,) efforts the legs' motion needs and the robot's (n,) measured ones, both low-passed."""
        self.residual = required - effort[self._leg_joints]

    def refresh(self, legs: LegKinematics, up: Array, effort: Array, parameters: EstimatorParameters) -> None:
        """Recompute the map from torques to forces; legs move little in a few ms, so not every tick.

        Args:
            legs: Placed legs.
            up: (3,) world's z in base axes.
            effort: (n,) measured efforts.
            parameters: Noise of the torques.
        """
        noise, weight = parameters.sensors.torque_noise, self._model.weight
        self.available = parameters.sensors.joint_effort and bool(effort.any())
        self._leg_index, self._jacobian = legs.leg_index, legs.leg_jacobians()[:, :, : self._rows]
        self._information = self._jacobian.transpose(0, 2, 1) @ self._jacobian
        self._information += self._prior * (noise / weight) ** 2
        self._upward[:3] = up
        towards = np.linalg.solve(self._information, self._upward_of_all)
        rows = self._jacobian @ towards
        for k, index in enumerate(self._leg_index):
            self._vertical[k] = 0.0
            self._vertical[k, index] += rows[k, :, 0]
        floor = (_MODEL_ERROR * weight) ** 2
        spread = towards[:, :, 0].dot(self._upward)
        self.vertical_variance = (noise**2 * spread + floor).tolist() if self.available else [math.inf] * len(spread)

    def vertical(self) -> list[float]:
        """Vertical force of the ground on each foot, N."""
        return self._vertical.dot(self.residual).tolist()

    def foot_forces(self) -> Array:
        """(N, 6) force, N, and torque about the sole origin, N·m, of the ground on each foot, base axes."""
        forces = np.zeros((len(self._leg_index), 6))
        torque = self.residual.take(self._leg_index)[:, :, None]
        pulled = self._jacobian.transpose(0, 2, 1) @ torque
        forces[:, : self._rows] = np.linalg.solve(self._information, pulled)[:, :, 0]
        return forces
