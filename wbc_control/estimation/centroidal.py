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
        # Gravity comes in through the accelerometer, as in the legs' kinematics.
        self._weightless = pin.Model(model.pinocchio)
        self._weightless.gravity = pin.Motion.Zero()
        self._q, self._v, self._a = pin.neutral(self._model), np.zeros(model.nv), np.zeros(model.nv)
        self._filter = LowPass(6)
        self._unexplained = np.zeros(6)
        self.external_wrench = self._filter.value

    def reset(self) -> None:
        """Forget the filtered wrench."""
        self._filter.reset()

    def update(self, estimator: Estimator, dt: float) -> None:
        """Take in the wrench the whole body's measured motion needs at the base, and the sole wrenches.

        Motors do not act on the base: what the feet do not explain comes from outside.
        """
        force, torque = ground_wrench_in_base(estimator)
        self._unexplained[:] = self._needed_at_base(estimator)
        self._unexplained[:3] -= force
        self._unexplained[3:] -= torque
        self._filter.update(self._unexplained, estimator.parameters.observer.push_bandwidth, dt)

    def _needed_at_base(self, estimator: Estimator) -> Array:
        """(6,) wrench at the base, base axes, by inverse dynamics of the low-passed motion, base at the identity."""
        base, values, robot, smooth = estimator.base, estimator.intake.now, estimator.model, estimator.signals
        robot.with_joint_positions(self._q, values.position)
        self._v[3:6], self._v[robot.v_joints] = base.spin, values.velocity
        self._a[:6] = base.acceleration
        np.divide(smooth.joint_change, smooth.period_s, self._a[robot.v_joints])
        wrench: Array = pin.rnea(self._weightless, self._data, self._q, self._v, self._a)[:6]
        return wrench

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
    pulls = legs.sole_vectors[:, 2:] @ legs.foot_axes
    forces, torques = pulls[:, 0], pulls[:, 1]
    if max(wrenches.age_s, default=0.0) > timeout:
        dead = [age > timeout for age in wrenches.age_s]
        observed = estimator.torques.foot_forces()
        forces[dead], torques[dead] = observed[dead, :3], observed[dead, 3:]
    moments = (forces[:, None, :] @ skews(legs.foot_position))[:, 0]
    return forces.sum(axis=0), torques.sum(axis=0) - moments.sum(axis=0)
