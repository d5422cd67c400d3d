"""The robot: one Pinocchio model with everything addressed by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.errors import ModelError
from wbc_control.model.feet import Foot, add_feet
from wbc_control.model.limits import JointLimits, read_limits
from wbc_control.model.pinocchio_builder import actuated_joints, build_pinocchio, set_joint
from wbc_control.model.urdf_source import resolve_urdf
from wbc_control.parameters.robot import RobotParameters
from wbc_control.spatial import GRAVITY_M_S2

Array = NDArray[np.float64]


class RobotModel:
    """Geometry, inertia and limits of one robot; immutable after construction, safe to share between components.

    Attributes:
        parameters: What the parameter file says of the robot.
        urdf_path: File the description came from.
        urdf_text: URDF after xacro.
        package_dirs: Folders in which ``package://`` mesh addresses are looked up.
        pinocchio: Pinocchio model: free-flyer root where the base floats, locked joints removed, a frame per sole.
        floating_base: Whether the base moves freely.
        nq: Length of the configuration.
        nv: Length of the velocity.
        n: Number of actuated joints.
        joint_names: Actuated joints in model order.
        q_index: (n,) index of each joint's first number in the configuration.
        v_index: (n,) index of each joint in the velocity.
        v_joints: The same as a slice: joints with one degree of freedom each lie side by side behind the base.
        limits: Joint limits.
        armature: (n,) rotor inertia reflected to the joint, kg·m².
        feet: Feet in the order of the parameter file.
        mass: Total mass, kg.
        weight: Total weight, N.
        base_link: Link of the base estimate.
        torso_frame_id: Frame whose orientation is controlled.
        imu_frame_id: Frame of the IMU.
        imu_placement: IMU frame in the base frame (root joint).
    """

    def __init__(
        self, parameters: RobotParameters, urdf_text: str, urdf_path: Path, package_dirs: tuple[Path, ...]
    ) -> None:
        self.parameters = parameters
        self.urdf_text, self.urdf_path, self.package_dirs = urdf_text, urdf_path, package_dirs
        self.pinocchio = build_pinocchio(urdf_text, parameters)
        self.floating_base = parameters.floating_base
        self.feet: tuple[Foot, ...] = add_feet(self.pinocchio, parameters)
        self._index_joints()
        self.limits: JointLimits = read_limits(urdf_text, self.joint_names, parameters)
        self._name_frames()
        self.mass = float(pin.computeTotalMass(self.pinocchio))
        self.weight = self.mass * GRAVITY_M_S2

    @classmethod
    def from_parameters(cls, parameters: RobotParameters) -> RobotModel:
        """Load the URDF the parameters name.

        Raises:
            ModelError: The description cannot be found or used; one sentence says why.
        """
        source = resolve_urdf(parameters.urdf)
        return cls(parameters, source.urdf_text, source.path, source.package_dirs)

    def _index_joints(self) -> None:
        model = self.pinocchio
        self.nq, self.nv = int(model.nq), int(model.nv)
        self.joint_names = actuated_joints(model)
        joints = [model.joints[model.getJointId(name)] for name in self.joint_names]
        many = [name for name, joint in zip(self.joint_names, joints) if joint.nv != 1]
        if many:
            raise ModelError(
                f"joints with more than one degree of freedom are not supported: {', '.join(many)}",
                where=self.parameters.name,
                value=many,
            )
        self.n = len(joints)
        self.q_index = np.array([j.idx_q for j in joints], dtype=np.intp)
        self.v_index = np.array([j.idx_v for j in joints], dtype=np.intp)
        self.armature = np.array(model.armature)[self.v_index]
        self._continuous = np.array([j.nq == 2 for j in joints], dtype=bool)
        self._any_continuous = bool(self._continuous.any())
        self.v_joints = slice(self.nv - self.n, self.nv)
        self._q_joints = slice(self.nq - self.n, self.nq)

    def _name_frames(self) -> None:
        model, parameters = self.pinocchio, self.parameters
        root = next(f.name for f in model.frames if f.type == pin.FrameType.BODY)
        self.base_link = parameters.base_link or root
        self.torso_frame_id = int(model.getFrameId(parameters.torso_link or self.base_link))
        self.imu_frame_id = int(model.getFrameId(parameters.imu_link or self.base_link))
        imu = model.frames[self.imu_frame_id]
        base_joint = 1 if self.floating_base else 0
        for key, name in (("imu_link", imu.name), ("base_link", self.base_link)):
            if model.frames[model.getFrameId(name)].parentJoint != base_joint:
                where = f"{parameters.name}, parameter 'robot.{key}'"
                raise ModelError(
                    f"'{name}' moves against the base: it must be fixed to the URDF's root link '{root}'",
                    where=where,
                    value=name,
                )
        self.imu_placement = imu.placement.copy()

    def joint_error(self, wanted: Array, positions: Array) -> Array:
        """(n,) wanted minus actual positions; continuous joints the short way round."""
        error: Array = wanted - positions
        if self._any_continuous:
            turns = error[self._continuous]
            error[self._continuous] = (turns + np.pi) % (2.0 * np.pi) - np.pi
        return error

    @property
    def foot_names(self) -> tuple[str, ...]:
        """Names of the feet, in order."""
        return tuple(foot.name for foot in self.feet)

    def joint_positions(self, q: Array) -> Array:
        """(n,) joint positions of a configuration; continuous joints as angles in (−π, π]."""
        if not self._any_continuous:
            return q[self._q_joints].copy()
        positions: Array = q[self.q_index]
        first = self.q_index[self._continuous]
        positions[self._continuous] = np.arctan2(q[first + 1], q[first])
        return positions

    def with_joint_positions(self, q: Array, positions: Array) -> Array:
        """The configuration ``q`` with (n,) joint positions written in place; returns ``q``."""
        q[self.q_index] = positions
        if self._any_continuous:
            first, angles = self.q_index[self._continuous], positions[self._continuous]
            q[first], q[first + 1] = np.cos(angles), np.sin(angles)
        return q

    def standing_configuration(self) -> Array:
        """(nq,) standing posture of the parameter file, base level at x = y = 0, lowest sole point on z = 0."""
        q: Array = pin.neutral(self.pinocchio)
        for name, row in self.parameters.joints.items():
            if name in self.joint_names:
                set_joint(self.pinocchio, q, name, row.standing)
        if self.floating_base and self.feet:
            q[2] = -self.lowest_sole_height(q)
        return q

    def lowest_sole_height(self, q: Array) -> float:
        """World height, m, of the lowest point of all soles at configuration ``q``."""
        data = self.pinocchio.createData()
        pin.framesForwardKinematics(self.pinocchio, data, q)
        heights = []
        for foot in self.feet:
            placement = data.oMf[foot.frame_id]
            heights.append(
                float((foot.corners @ placement.rotation.T)[:, 2].min() + placement.translation[2] - foot.radius)
            )
        return min(heights)
