"""A world without physics, for tests and dry runs: joints follow their torques as free rotors, the base stays put."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.backend import Backend, GroundTruth, InitialState
from wbc_control.simulation.placement import placed_on_ground, resting_forces
from wbc_control.simulation.terrain import Ground
from wbc_control.spatial import GRAVITY_M_S2, quaternion_to_matrix
from wbc_control.state import ImuSample, JointState, SensorSample

Array = NDArray[np.float64]


class FakeBackend(Backend):
    """Every joint is a rotor of inertia ``rotor_inertia``; base, IMU and foot wrenches stay as at the start.

    Args:
        model: The robot.
        period_ns: Control period, ns.
        rotor_inertia: kg·m².
    """

    def __init__(self, model: RobotModel, period_ns: int = 1_000_000, rotor_inertia: float = 1.0) -> None:
        self._robot, self._period_ns, self._inertia = model, period_ns, rotor_inertia
        self._ground = Ground()
        self.applied_wrenches: dict[str, Array] = {}
        self.reset(InitialState(model.standing_configuration(), np.zeros(model.nv)))

    @property
    def period_ns(self) -> int:
        """Control period, ns."""
        return self._period_ns

    def reset(self, initial: InitialState) -> None:
        """Back to time 0."""
        self._q = placed_on_ground(self._robot, initial.q, self._ground, initial.drop)
        self._v = initial.v.copy()
        self._effort, self._time_ns = np.zeros(self._robot.n), 0
        self._wrenches_world = resting_forces(self._robot, self._q, self._ground) or [
            np.zeros(6) for _ in self._robot.feet
        ]

    def read_sensors(self) -> SensorSample:
        """Joints as they are, an IMU at rest, the weight on the soles (sole axes taken as world axes)."""
        robot, now = self._robot, self._time_ns
        joints = JointState(now, robot.joint_positions(self._q), self._v[robot.v_index], self._effort.copy())
        rotation = robot.imu_placement.rotation
        orientation = np.array([0.0, 0.0, 0.0, 1.0])
        if robot.floating_base:
            rotation = quaternion_to_matrix(self._q[3:7]) @ rotation
            orientation = self._q[3:7].copy()
        imu = ImuSample(now, orientation, np.zeros(3), GRAVITY_M_S2 * rotation[2])
        feet = len(robot.feet)
        wrenches = np.array(self._wrenches_world).reshape(feet, 6)
        return SensorSample(now, joints, imu, wrenches, np.full(feet, now, dtype=np.int64), np.ones(feet, dtype=bool))

    def step(self, effort: Array) -> None:
        """Semi-implicit Euler of the free rotors."""
        robot, dt = self._robot, 1e-9 * self._period_ns
        self._effort = np.array(effort, dtype=float)
        self._v[robot.v_index] += dt / self._inertia * self._effort
        positions = robot.joint_positions(self._q) + dt * self._v[robot.v_index]
        robot.with_joint_positions(self._q, positions)
        self._time_ns += self._period_ns

    def apply_wrench(self, link: str, force: Array, torque: Array) -> None:
        """Remember the wrench in ``applied_wrenches``."""
        self.applied_wrenches[link] = np.concatenate([force, torque])

    def ground_truth(self) -> GroundTruth:
        """The state as it is; contacts as at the start."""
        forces = np.array(self._wrenches_world).reshape(-1, 6)[:, :3]
        positions = np.zeros_like(forces)
        contact = forces[:, 2] > 0.0
        return GroundTruth(
            self._time_ns,
            self._q.copy(),
            self._v.copy(),
            forces,
            positions,
            contact,
            positions[contact],
            forces[contact],
        )

    def close(self) -> None:
        """Nothing to release."""
