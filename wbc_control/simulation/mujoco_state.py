"""Pinocchio's state ↔ MuJoCo's: the one place where quaternion order and base velocity frame change.

==================  ============================  ======================================
                    Pinocchio                     MuJoCo
==================  ============================  ======================================
base quaternion     x, y, z, w                    w, x, y, z
base linear         in the base frame             in world
base angular        in the base frame             in the base frame
continuous joint    cos, sin                      angle, rad
==================  ============================  ======================================
"""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rotate(scalar: float, vector: Array, point: Array) -> Array:
    """``point`` (3,) rotated by the unit quaternion of ``scalar`` part w and ``vector`` part (x, y, z).

    p + 2w(u × p) + 2u × (u × p), written out in plain floats, which is several times faster than arrays of three.
    """
    w, (x, y, z), (px, py, pz) = float(scalar), vector.tolist(), point.tolist()
    tx, ty, tz = 2.0 * (y * pz - z * py), 2.0 * (z * px - x * pz), 2.0 * (x * py - y * px)
    return np.array([px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx])


class StateMap:
    """Converts states between the two conventions, joints by name.

    Args:
        pinocchio_model: Model of the controller's side.
        mujoco_model: Compiled model whose joints carry the same names.
        floating_base: Whether joint 1 is a free joint (MuJoCo's first).
    """

    def __init__(self, pinocchio_model: pin.Model, mujoco_model: mujoco.MjModel, floating_base: bool) -> None:
        self.floating_base = floating_base
        first = 2 if floating_base else 1
        joints = [(pinocchio_model.joints[i], pinocchio_model.names[i]) for i in range(first, pinocchio_model.njoints)]
        ours = [mujoco_model.joint(name) for _, name in joints]
        self._nq, self._nv = pinocchio_model.nq, pinocchio_model.nv
        self._mj_nq, self._mj_nv = mujoco_model.nq, mujoco_model.nv
        self._mj_q = np.array([int(joint.qposadr[0]) for joint in ours], dtype=int)
        self._mj_v = np.array([int(joint.dofadr[0]) for joint in ours], dtype=int)
        self._q = np.array([joint.idx_q for joint, _ in joints], dtype=int)
        self._v = np.array([joint.idx_v for joint, _ in joints], dtype=int)
        self._continuous = np.array([joint.nq == 2 for joint, _ in joints], dtype=bool)
        self._any_continuous = bool(self._continuous.any())

    def angles(self, q: Array) -> Array:
        """Joint angles of a Pinocchio configuration, in the order of Pinocchio's joints."""
        angles = q[self._q]
        if self._any_continuous:
            index = self._q[self._continuous]
            angles[self._continuous] = np.arctan2(q[index + 1], q[index])
        return angles

    def to_mujoco(self, q: Array, v: Array) -> tuple[Array, Array]:
        """qpos (mj nq,) and qvel (mj nv,) of a Pinocchio state."""
        qpos, qvel = np.zeros(self._mj_nq), np.zeros(self._mj_nv)
        qpos[self._mj_q], qvel[self._mj_v] = self.angles(q), v[self._v]
        if self.floating_base:
            qpos[:3], qpos[3], qpos[4:7] = q[:3], q[6], q[3:6]
            qvel[:3], qvel[3:6] = rotate(q[6], q[3:6], v[:3]), v[3:6]
        return qpos, qvel

    def to_pinocchio(self, qpos: Array, qvel: Array) -> tuple[Array, Array]:
        """q (nq,) and v (nv,) of a MuJoCo state."""
        q, v = np.zeros(self._nq), np.zeros(self._nv)
        angles = qpos[self._mj_q]
        q[self._q], v[self._v] = angles, qvel[self._mj_v]
        if self._any_continuous:
            index, turning = self._q[self._continuous], angles[self._continuous]
            q[index], q[index + 1] = np.cos(turning), np.sin(turning)
        if self.floating_base:
            q[:3], q[3:6], q[6] = qpos[:3], qpos[4:7], qpos[3]
            v[:3], v[3:6] = rotate(qpos[3], -qpos[4:7], qvel[:3]), qvel[3:6]
        return q, v
