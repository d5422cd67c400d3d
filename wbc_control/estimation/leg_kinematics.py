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

_BASE_AXES = pin.LOCAL_WORLD_ALIGNED


class LegKinematics:
    """Kinematics of all feet against the base, and inverse dynamics from measured motion.

    Args:
        model: Robot with a floating base.

    Attributes:
        foot_position: (N, 3) sole origins in the base frame, m.
        foot_rotation: (N, 3, 3) sole frame → base frame.
        foot_motion: (N, 3, 3) each sole's position, velocity and angular velocity, base axes, for a base that turns but
            does not move.
        required: (nv,) generalised force the measured motion needs, base wrench in the base frame first.
        foot_load: (N, 6) force, N, and torque about the sole origin, N·m, sole frame, that the foot's own motion and
            weight need.
        leg_index: (N, L) rows of the joints of each foot's chain in the velocity vector.
    """

    def __init__(self, model: RobotModel) -> None:
        self._model = pin.Model(model.pinocchio)
        self._model.gravity = pin.Motion.Zero()
        self._data = self._model.createData()
        self._robot = model
        self._q = pin.neutral(self._model)
        self._v, self._a = np.zeros(self._model.nv), np.zeros(self._model.nv)
        self._index_joints()
        frames = [foot.frame_id for foot in model.feet]
        self.leg_index, self._padding = leg_columns(self._model, frames)
        self._feet = [_Foot(self._model, self._data, foot.frame_id, foot.link) for foot in model.feet]
        # Per foot: position, linear velocity, angular velocity; one block, so that one product turns them all.
        self.foot_motion = np.zeros((len(frames), 3, 3))
        self.foot_position = self.foot_motion[:, 0]
        self._twist = self.foot_motion.reshape(len(frames), 9)[:, 3:]
        self.foot_rotation, self.foot_load = np.tile(np.eye(3), (len(frames), 1, 1)), np.zeros((len(frames), 6))
        self.required = np.zeros(self._model.nv)

    def _index_joints(self) -> None:
        """A plain slice where the joints lie in order, which copies faster than an index."""
        model, n = self._robot, self._robot.n
        self._simple = bool(self._model.nq == self._model.nv + 1)
        in_order = bool(np.array_equal(model.v_index, np.arange(6, 6 + n)))
        self._joints: slice | NDArray[np.intp] = slice(6, 6 + n) if in_order else model.v_index
        self._angles: slice | NDArray[np.intp] = slice(7, 7 + n) if in_order else model.q_index

    def place(self, positions: Array) -> None:
        """Positions only: soles against the base for (n,) joint positions; enough to initialise."""
        if self._simple:
            self._q[self._angles] = positions
        else:
            self._q[:] = self._robot.with_joint_positions(self._q, positions)
        pin.forwardKinematics(self._model, self._data, self._q)
        for k, foot in enumerate(self._feet):
            pin.updateFramePlacement(self._model, self._data, foot.frame)
            self.foot_position[k] = foot.placement.translation
            self.foot_rotation[k] = foot.placement.rotation

    def update(
        self,
        positions: Array,
        velocities: Array,
        accelerations: Array,
        base_spin: list[float],
        base_acceleration: list[float],
    ) -> None:
        """Kinematics and inverse dynamics of one tick.

        Args:
            positions: (n,) rad or m.
            velocities: (n,) rad/s or m/s.
            accelerations: (n,) rad/s² or m/s².
            base_spin: Three angular velocities of the base, base axes, rad/s.
            base_acceleration: Six numbers, base axes: specific force at the base origin, m/s², then angular
                acceleration, rad/s².
        """
        self.place(positions)
        self._v[3:6] = base_spin
        self._v[self._joints], self._a[self._joints] = velocities, accelerations
        self._a[:6] = base_acceleration
        self.required = pin.rnea(self._model, self._data, self._q, self._v, self._a)
        for k, foot in enumerate(self._feet):
            self._twist[k] = pin.getFrameVelocity(self._model, self._data, foot.frame, _BASE_AXES).vector
            self.foot_load[k] = foot.load()

    def leg_jacobians(self) -> Array:
        """(N, L, 6) transposed Jacobians of the soles, linear then angular, base axes, each for its leg's L joints."""
        pin.computeJointJacobians(self._model, self._data, self._q)
        jacobian = self._data.J.T.take(self.leg_index, axis=0)
        jacobian *= self._padding
        jacobian[:, :, :3] += jacobian[:, :, 3:] @ skews(self.foot_position)
        return jacobian


class _Foot:
    """Live references into Pinocchio's data for one foot."""

    def __init__(self, model: pin.Model, data: pin.Data, frame: int, link: str) -> None:
        joint = model.frames[frame].parentJoint
        body = model.frames[model.getFrameId(link)]
        self.frame = frame
        self.placement = data.oMf[frame]
        self._to_joint = model.frames[frame].placement
        self._force, self._acceleration = data.f[joint], data.a_gf[joint]
        # A foot fixed to its joint's link has an inertia of its own; otherwise it is that link.
        self._inertia = body.placement.act(body.inertia) if body.inertia.mass > 0.0 else None

    def load(self) -> Array:
        """(6,) force the foot's own motion needs: the recursion's joint force, or inertia times acceleration."""
        force = self._force if self._inertia is None else self._inertia * self._acceleration
        return self._to_joint.actInv(force).vector


def leg_columns(model: pin.Model, frames: list[int]) -> tuple[NDArray[np.intp], Array]:
    """Velocity indices (N, L) of the joints between base and each frame, and (N, L, 1) zeros where an entry pads."""
    chains = []
    for frame in frames:
        support = list(model.supports[model.frames[frame].parentJoint])[2:]
        chains.append([model.joints[j].idx_v + i for j in support for i in range(model.joints[j].nv)])
    longest = max((len(chain) for chain in chains), default=0)
    index = np.zeros((len(frames), longest), dtype=np.intp)
    real = np.zeros((len(frames), longest, 1))
    for k, chain in enumerate(chains):
        index[k, : len(chain)], real[k, : len(chain)] = chain, 1.0
    return index, real
