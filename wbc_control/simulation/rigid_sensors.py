"""IMU and foot sensors of the rigid-contact engine, from the motion and the contact forces of the last step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.rigid_world import RigidWorld
from wbc_control.spatial import GRAVITY_M_S2, cross, matrix_to_quaternion
from wbc_control.state import ImuSample

Array = NDArray[np.float64]

_GRAVITY = pin.Motion(np.array([0.0, 0.0, -GRAVITY_M_S2]), np.zeros(3))


class RigidSensors:
    """What the robot feels.

    Args:
        model: The robot.
        world: Its world.
    """

    def __init__(self, model: RobotModel, world: RigidWorld) -> None:
        self._robot, self._world = model, world
        self._data = world.pinocchio.createData()
        self._joint = [int(model.pinocchio.frames[foot.frame_id].parentJoint) for foot in model.feet]
        self._sole = [model.pinocchio.frames[foot.frame_id].placement for foot in model.feet]
        self._below = {joint: [int(i) for i in world.pinocchio.subtrees[joint]] for joint in self._joint}
        self._imu = model.pinocchio.frames[model.imu_frame_id]

    def update(self, q: Array, v: Array, acceleration: Array) -> None:
        """Take the present state and the acceleration (nv,) of the step that led to it."""
        pin.forwardKinematics(self._world.pinocchio, self._data, q, v, acceleration)

    def foot_positions(self) -> Array:
        """(n_feet, 3) sole origins, world, m."""
        placed = [(self._data.oMi[j] * sole).translation for j, sole in zip(self._joint, self._sole)]
        return np.array(placed).reshape(-1, 3)

    def in_foot_joints(self, wrenches: Array) -> tuple[pin.Force, ...]:
        """Wrenches (n_feet, 6) about the soles' origins, world axes, in the frames of the feet's joints."""
        found = []
        for joint, sole, wrench in zip(self._joint, self._sole, wrenches):
            about_sole = pin.SE3(np.eye(3), (self._data.oMi[joint] * sole).translation).act(pin.Force(wrench))
            found.append(self._data.oMi[joint].actInv(about_sole))
        return tuple(found)

    def imu(self, time_ns: int) -> ImuSample:
        """Orientation and angular velocity of the present, specific force (acceleration minus gravity) at the IMU."""
        data, joint, placement = self._data, self._imu.parentJoint, self._imu.placement
        pose = data.oMi[joint] * placement
        velocity = placement.actInv(data.v[joint])
        spatial = placement.actInv(data.a[joint])
        classical = spatial.linear + cross(velocity.angular, velocity.linear)
        specific = classical + GRAVITY_M_S2 * pose.rotation[2]
        return ImuSample(time_ns, matrix_to_quaternion(pose.rotation), velocity.angular.copy(), specific)

    def wrenches(self, ground: Sequence[pin.Force], others: Sequence[tuple[int, pin.Force]]) -> Array:
        """(n_feet, 6) what each foot sensor reads: the ground's share less weight and inertia of what hangs below it.

        Args:
            ground: Per foot, the ground's wrench on it in its joint's frame.
            others: Joint and wrench, in that joint's frame, of everything else that acts from outside on the robot:
                hull contacts, pushes.
        """
        readings = np.zeros((len(self._joint), 6))
        for foot, (joint, below) in enumerate(zip(self._joint, self._world.below)):
            whole = below is None
            felt = self._subtree(joint, ground, others) if whole else ground[foot] - self._inertial(joint, below)
            readings[foot] = self._sole[foot].actInv(felt).vector
        return readings

    def _inertial(self, joint: int, inertia: pin.Inertia) -> pin.Force:
        """I (a − g) + v × I v of a body in the joint's frame: the wrench that moves and carries it."""
        data = self._data
        lifted = data.a[joint] - data.oMi[joint].actInv(_GRAVITY)
        return inertia * lifted + data.v[joint].cross(inertia * data.v[joint])

    def _subtree(self, joint: int, ground: Sequence[pin.Force], others: Sequence[tuple[int, pin.Force]]) -> pin.Force:
        """Outer wrenches less inertial ones of a joint's body and everything below it, in the joint's frame."""
        model, data = self._world.pinocchio, self._data
        total = pin.Force.Zero()
        for body in self._below[joint]:
            outer = -self._inertial(body, model.inertias[body])
            for foot, owner in enumerate(self._joint):
                if owner == body:
                    outer = outer + ground[foot]
            for pushed, wrench in others:
                if pushed == body:
                    outer = outer + wrench
            total = total + data.oMi[joint].actInv(data.oMi[body].act(outer))
        return total
