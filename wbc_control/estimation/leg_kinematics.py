"""Feet as the base sees them, and what the joints say about external forces: one pass of kinematics and dynamics.

Everything is computed in the base frame with the base at the identity, so that no error of the base estimate enters.
Gravity comes in through the accelerometer: a body at rest is dynamically the same as one accelerated upwards at g, and
the measured specific force is exactly that acceleration.
"""
from __future__ import annotations

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.estimation.vectors import skews
from wbc_control.model import RobotModel
from wbc_control.spatial import Array


class LegKinematics:
    """Kinematics of all feet against the base, and inverse dynamics from measured motion.

    Args:
        model: Robot with a floating base.

    Attributes:
        foot_position: (N, 3) sole origins in the base frame, m.
        foot_rotation: (N, 3, 3) sole frame → base frame.
        foot_velocity: (N, 3) of the sole origin against the base, base axes, m/s.
        foot_spin: (N, 3) angular velocity of the sole against the base, base axes, rad/s.
        leg_jacobian: (N, L, 6) transposed Jacobian of the sole, linear then angular, base axes, for the foot's L joints.
        leg_index: (N, L) rows of the joints of each foot's chain in the velocity vector.
        required: (nv,) generalised force the measured motion needs, base wrench in the base frame first.
        foot_load: (N, 6) force, N, and torque about the sole origin, N·m, sole frame, that foot's own motion and weight need.
    """

    def __init__(self, model: RobotModel) -> None:
        self._model = pin.Model(model.pinocchio)
        self._model.gravity = pin.Motion.Zero()
        self._data = self._model.createData()
        self._robot = model
        self._simple = bool(self._model.nq == self._model.nv + 1)
        n_feet = len(model.feet)
        self._q = pin.neutral(self._model)
        self._v, self._a = np.zeros(self._model.nv), np.zeros(self._model.nv)
        self._frames = [foot.frame_id for foot in model.feet]
        self._placements = [self._data.oMf[frame] for frame in self._frames]
        self.leg_index, self._padding = leg_columns(self._model, self._frames)
        self._padded = not bool(self._padding.all())
        self._attachments = [_foot_attachment(self._model, foot.frame_id, foot.link) for foot in model.feet]
        self._joint_forces = [self._data.f[self._model.frames[frame].parentJoint] for frame in self._frames]
        self._joint_motions = [self._data.a_gf[self._model.frames[frame].parentJoint] for frame in self._frames]
        self.foot_position, self.foot_velocity = np.zeros((n_feet, 3)), np.zeros((n_feet, 3))
        self.foot_spin, self.foot_rotation = np.zeros((n_feet, 3)), np.tile(np.eye(3), (n_feet, 1, 1))
        self.leg_jacobian = np.zeros(self.leg_index.shape + (6,))
        self.foot_load = np.zeros((n_feet, 6))
        self.required = np.zeros(self._model.nv)

    def place(self, positions: Array) -> None:
        """Positions only: soles against the base for (n,) joint positions; enough to initialise."""
        self._set_positions(positions)
        pin.computeJointJacobians(self._model, self._data, self._q)
        for k, (frame, placement) in enumerate(zip(self._frames, self._placements, strict=True)):
            pin.updateFramePlacement(self._model, self._data, frame)
            self.foot_position[k] = placement.translation
            self.foot_rotation[k] = placement.rotation

    def update_motion(self, positions: Array, velocities: Array) -> None:
        """Soles, their velocity against the base and the legs' Jacobians for (n,) positions and velocities."""
        self.place(positions)
        self._v[self._robot.v_index] = velocities
        jacobian = self._data.J.T.take(self.leg_index, axis=0)
        if self._padded:
            jacobian *= self._padding[:, :, None]
        self.leg_jacobian = jacobian
        jacobian[:, :, :3] += jacobian[:, :, 3:] @ skews(self.foot_position)
        twist = (self._v.take(self.leg_index)[:, None, :] @ jacobian)[:, 0]
        self.foot_velocity, self.foot_spin = twist[:, :3], twist[:, 3:]

    def update_dynamics(self, angular_velocity: Array, specific_force: Array, spin_rate: Array, accelerations: Array) -> None:
        """Inverse dynamics with the IMU's reading at the base origin, base axes, after :meth:`update_motion`.

        Args:
            angular_velocity: (3,) of the base, rad/s.
            specific_force: (3,) acceleration of the base origin minus gravity, m/s².
            spin_rate: (3,) angular acceleration of the base, rad/s².
            accelerations: (n,) joint accelerations, rad/s².
        """
        self._v[3:6] = angular_velocity
        self._a[:3], self._a[3:6] = specific_force, spin_rate
        self._a[self._robot.v_index] = accelerations
        self.required = pin.rnea(self._model, self._data, self._q, self._v, self._a)
        self._v[3:6] = 0.0
        for k, (inertia, at_joint) in enumerate(self._attachments):
            self._load_foot(k, inertia, at_joint)

    def _load_foot(self, k: int, inertia: pin.Inertia | None, to_joint: pin.SE3) -> None:
        """Whole last link below the sensor: the recursion's own joint force; a fixed foot: its inertia times acceleration."""
        force = self._joint_forces[k] if inertia is None else inertia * self._joint_motions[k]
        seen = to_joint.actInv(force)
        self.foot_load[k, :3], self.foot_load[k, 3:] = seen.linear, seen.angular

    def _set_positions(self, positions: Array) -> None:
        if self._simple:
            self._q[self._robot.q_index] = positions
        else:
            self._q[:] = self._robot.with_joint_positions(self._q, positions)


def leg_columns(model: pin.Model, frames: list[int]) -> tuple[NDArray[np.int64], Array]:
    """Velocity indices (N, L) of the joints between base and each frame, and 1/0 where the entry is real or padding."""
    chains = []
    for frame in frames:
        support = list(model.supports[model.frames[frame].parentJoint])[2:]
        chains.append([model.joints[j].idx_v + i for j in support for i in range(model.joints[j].nv)])
    longest = max((len(chain) for chain in chains), default=0)
    index = np.zeros((len(frames), longest), dtype=np.int64)
    real = np.zeros((len(frames), longest))
    for k, chain in enumerate(chains):
        index[k, : len(chain)], real[k, : len(chain)] = chain, 1.0
    return index, real


def _foot_attachment(model: pin.Model, sole_frame: int, link: str) -> tuple[pin.Inertia | None, pin.SE3]:
    """Inertia of a foot link fixed to its joint's link (None: the foot is that link), and sole → joint placement."""
    frame = model.frames[sole_frame]
    body = model.frames[model.getFrameId(link)]
    fixed = body.inertia.mass > 0.0
    return (body.placement.act(body.inertia) if fixed else None), frame.placement
