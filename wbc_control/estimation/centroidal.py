"""Centre of mass, momentum and external wrench: what the planner plans with, and how a push is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pinocchio as pin

from wbc_control.estimation.vectors import skews
from wbc_control.filters import LowPass
from wbc_control.model import RobotModel
from wbc_control.spatial import Array, quaternion_to_matrix
from wbc_control.state import CentroidalState, RobotState

if TYPE_CHECKING:
    from wbc_control.estimation.estimator import Estimator


class Centroidal:
    """Centroidal state on demand, external wrench every tick.

    Args:
        model: Robot.

    Attributes:
        external_wrench: (6,) force, N, and torque about the base origin, N·m, base axes, that neither gravity nor the
            sensed feet explain; low-passed.  A push shows here.
    """

    def __init__(self, model: RobotModel) -> None:
        self._model, self._data = model.pinocchio, model.pinocchio.createData()
        self._filter = LowPass(6)
        self._unexplained = np.zeros(6)
        self.external_wrench = self._filter.value

    def reset(self) -> None:
        """Forget the filtered wrench."""
        self._filter.reset()

    def update(self, estimator: Estimator, dt: float) -> None:
        """Take in the observer's base rows (already low-passed, motors do not act on them) and the sole wrenches."""
        force, torque = ground_wrench_in_base(estimator)
        self._unexplained[:] = estimator.torques.residual[:6]
        self._unexplained[:3] -= force
        self._unexplained[3:] -= torque
        self._filter.update(self._unexplained, estimator.parameters.observer.push_bandwidth, dt)

    def state(self, robot: RobotState, estimator: Estimator) -> CentroidalState:
        """Centroidal state of ``robot``; the wrench is the sensed feet's, about the centre of mass, world axes."""
        pin.forwardKinematics(self._model, self._data, robot.q, robot.v)
        momentum = pin.computeCentroidalMomentum(self._model, self._data)
        com = np.array(self._data.com[0])
        mass = self._data.mass[0]
        force, torque = np.zeros(3), np.zeros(3)
        if estimator.floating:
            rotation = quaternion_to_matrix(robot.q[3:7])
            base_force, base_torque = ground_wrench_in_base(estimator)
            force, torque = rotation.dot(base_force), rotation.dot(base_torque)
            torque -= skews(com - robot.q[:3]).dot(force)
        velocity = np.array(momentum.linear) / mass
        return CentroidalState(robot.time_ns, com, velocity, np.array(momentum.angular), force, torque)


def ground_wrench_in_base(estimator: Estimator) -> tuple[Array, Array]:
    """Sum of the sole wrenches: force (3,), N, and torque (3,) about the base origin, N·m, base axes.

    Feet in contact without a living sensor count with what the joint torques say.
    """
    legs, wrenches = estimator.legs, estimator.wrenches
    timeout = estimator.parameters.contact.wrench_timeout
    rotated = legs.foot_rotation @ wrenches.wrench.reshape(-1, 2, 3).transpose(0, 2, 1)
    forces, torques = rotated[:, :, 0], rotated[:, :, 1]
    observed = estimator.torques.foot_forces() if max(wrenches.age_s, default=0.0) > timeout else None
    for k, age in enumerate(wrenches.age_s):
        if age > timeout and observed is not None:
            forces[k], torques[k] = observed[k, :3], observed[k, 3:]
    moments = (forces[:, None, :] @ skews(legs.foot_position))[:, 0]
    return forces.sum(axis=0), torques.sum(axis=0) - moments.sum(axis=0)
