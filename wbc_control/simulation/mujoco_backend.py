"""MuJoCo as the robot's world: the :class:`Backend` contract on a world compiled by :mod:`mjcf`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import BackendError
from wbc_control.model import RobotModel
from wbc_control.parameters import SimulatorParameters
from wbc_control.simulation.backend import Backend, GroundTruth, InitialState
from wbc_control.simulation.carried_bodies import joint_of_link
from wbc_control.simulation.contact_reading import ContactReading
from wbc_control.simulation.mjcf import IMU_SITE, compile_world, sole_site
from wbc_control.simulation.mujoco_contacts import ContactReader
from wbc_control.simulation.mujoco_state import StateMap
from wbc_control.simulation.placement import placed_on_ground, resting_forces
from wbc_control.simulation.terrain import Ground
from wbc_control.state import ImuSample, JointState, SensorSample

Array = NDArray[np.float64]

_WXYZ_TO_XYZW = np.array([1, 2, 3, 0])


class MujocoBackend(Backend):
    """One robot in MuJoCo.

    Positions, velocities, gyroscope and orientation are those of the present instant; accelerometer and foot wrenches
    are those of the physics step that led to it, as a sensor that integrates over its sampling period would give.

    Args:
        model: The robot.
        simulator: Time step, control rate, damping, ground softness.
        ground: The ground; flat without one.
        payload: Link name → added point mass, kg.
        with_visuals: Whether to load visual meshes (for pictures).

    Raises:
        BackendError: The model cannot be carried to MuJoCo.
    """

    def __init__(
        self,
        model: RobotModel,
        simulator: SimulatorParameters,
        ground: Ground | None = None,
        payload: Mapping[str, float] | None = None,
        with_visuals: bool = False,
    ) -> None:
        self._robot = model
        self.ground = ground or Ground()
        self.mujoco_model = compile_world(model, simulator, self.ground, payload, with_visuals)
        self.mujoco_data = mujoco.MjData(self.mujoco_model)
        self.state_map = StateMap(model.pinocchio, self.mujoco_model, model.floating_base)
        self._period_ns = round(1e9 / simulator.control_rate)
        self._substeps = max(1, round(1.0 / (simulator.control_rate * simulator.timestep)))
        self._contacts = ContactReader(self.mujoco_model, model.foot_names)
        self._index_model()
        self._time_ns = 0
        self._reading: ContactReading = self._contacts.nothing

    def _index_model(self) -> None:
        """Addresses of joints, sensors and sites, once."""
        ours, robot = self.mujoco_model, self._robot
        self._joint_q = np.array([int(ours.joint(name).qposadr[0]) for name in robot.joint_names], dtype=int)
        self._joint_v = np.array([int(ours.joint(name).dofadr[0]) for name in robot.joint_names], dtype=int)
        limit = robot.limits.effort
        self._effort_limit = np.where(np.isfinite(limit), limit, 1e9)
        self._effort = np.zeros(robot.n)
        self._sites = np.array([ours.site(sole_site(name)).id for name in robot.foot_names], dtype=int)
        first = {
            kind: [int(ours.sensor(f"{sole_site(n)}/{kind}").adr[0]) for n in robot.foot_names]
            for kind in ("force", "torque")
        }
        rows = [list(range(f, f + 3)) + list(range(t, t + 3)) for f, t in zip(first["force"], first["torque"])]
        self._wrench = np.array(rows, dtype=int).reshape(-1, 6)
        self._gyro, self._accelerometer = (self._slice(kind, 3) for kind in ("gyro", "accelerometer"))
        self._quaternion = self._slice("quaternion", 4)
        self._wrench_valid = np.ones(len(robot.feet), dtype=bool)

    def _slice(self, kind: str, size: int) -> slice:
        start = int(self.mujoco_model.sensor(f"{IMU_SITE}/{kind}").adr[0])
        return slice(start, start + size)

    @property
    def period_ns(self) -> int:
        """Control period, ns."""
        return self._period_ns

    def reset(self, initial: InitialState) -> None:
        """Put the robot at ``initial`` at time 0.

        Without a drop and without velocity the first sensor reading is that of a robot at rest, its weight on the
        corners that touch; otherwise that of a robot without motor torques.
        """
        data = self.mujoco_data
        mujoco.mj_resetData(self.mujoco_model, data)
        q = placed_on_ground(self._robot, initial.q, self.ground, initial.drop)
        data.qpos[:], data.qvel[:] = self.state_map.to_mujoco(q, initial.v)
        self._time_ns = 0
        self._effort[:] = 0.0
        mujoco.mj_forward(self.mujoco_model, data)
        self._reading = self._contacts.read(data)
        if initial.drop == 0.0 and not initial.v.any():
            self._sense_rest(q)
        mujoco.mj_step1(self.mujoco_model, data)

    def _sense_rest(self, q: Array) -> None:
        """Acceleration sensors as if nothing accelerated and the ground carried the weight."""
        wrenches = resting_forces(self._robot, q, self.ground) if self._robot.feet else []
        if wrenches is None:
            return
        model, data = self.mujoco_model, self.mujoco_data
        data.qacc[:] = 0.0
        data.efc_force[:] = 0.0  # those of a robot without torques, which would count on top
        for foot, site, wrench in zip(self._robot.feet, self._sites, wrenches):
            body = self._body_of_foot(foot.name)
            data.xfrc_applied[body, :3] += wrench[:3]
            data.xfrc_applied[body, 3:] += wrench[3:] + np.cross(data.site_xpos[site] - data.xipos[body], wrench[:3])
        mujoco.mj_rnePostConstraint(model, data)
        mujoco.mj_sensorAcc(model, data)
        data.xfrc_applied[:] = 0.0
        forces = np.array(wrenches).reshape(-1, 6)[:, :3]
        loaded = forces[:, 2] > 0.0
        self._reading = ContactReading(forces, data.site_xpos[self._sites][loaded], forces[loaded], loaded, ())

    def _body_of_foot(self, foot: str) -> int:
        return int(self.mujoco_model.site_bodyid[self.mujoco_model.site(sole_site(foot)).id])

    def read_sensors(self) -> SensorSample:
        """Noise-free sensors at the present time, in the robot model's order.

        MuJoCo's force and torque sensors read what the parent exerts on the foot; the ground's share is the opposite.
        """
        data, now = self.mujoco_data, self._time_ns
        readings = data.sensordata
        joints = JointState(now, data.qpos[self._joint_q], data.qvel[self._joint_v], self._effort.copy())
        orientation = readings[self._quaternion][_WXYZ_TO_XYZW]
        imu = ImuSample(now, orientation, readings[self._gyro].copy(), readings[self._accelerometer].copy())
        times: Any = np.full(len(self._sites), now, dtype=np.int64)
        return SensorSample(now, joints, imu, -readings[self._wrench], times, self._wrench_valid)

    def step(self, effort: Array) -> None:
        """Apply (n,) joint efforts for one control period; clipped to the motors' limits, non-finite ones become zero.

        Raises:
            BackendError: The simulation diverged.
        """
        model, data = self.mujoco_model, self.mujoco_data
        np.clip(effort, -self._effort_limit, self._effort_limit, out=self._effort)
        self._effort[~np.isfinite(self._effort)] = 0.0
        data.qfrc_applied[self._joint_v] = self._effort
        for substep in range(self._substeps):
            mujoco.mj_step2(model, data)
            if substep == self._substeps - 1:
                self._reading = self._contacts.read(data)
            mujoco.mj_step1(model, data)
        self._time_ns += self._period_ns
        if data.time < 1e-9 * self._time_ns - 0.5 * model.opt.timestep:
            raise BackendError(
                f"MuJoCo diverged at t = {1e-9 * self._time_ns:.3f} s; lower mujoco_sim.timestep", where="mujoco"
            )

    def apply_wrench(self, link: str, force: Array, torque: Array) -> None:
        """Hold a world-frame force, N, at the centre of mass of the body ``link`` belongs to, and a torque, N·m.

        Raises:
            BackendError: The robot has no such link.
        """
        body = self._body_of_link(link)
        self.mujoco_data.xfrc_applied[body, :3] = force
        self.mujoco_data.xfrc_applied[body, 3:] = torque

    def _body_of_link(self, link: str) -> int:
        owner = next((foot.name for foot in self._robot.feet if foot.link == link), None)
        if owner is not None:
            return self._body_of_foot(owner)
        joint_id = joint_of_link(self._robot, link)
        return 0 if joint_id == 0 else int(self.mujoco_model.body(self._robot.pinocchio.names[joint_id]).id)

    def ground_truth(self) -> GroundTruth:
        """The true state; contacts are those of the last physics step."""
        data, reading = self.mujoco_data, self._reading
        q, v = self.state_map.to_pinocchio(data.qpos, data.qvel)
        return GroundTruth(
            time_ns=self._time_ns,
            q=q,
            v=v,
            foot_force=reading.foot_force,
            foot_position=data.site_xpos[self._sites],
            in_contact=reading.in_contact,
            contact_points=reading.points,
            contact_forces=reading.forces,
            other_contacts=reading.others,
        )

    def close(self) -> None:
        """Release MuJoCo's memory."""
        del self.mujoco_data, self.mujoco_model
