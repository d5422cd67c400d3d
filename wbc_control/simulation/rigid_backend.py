"""Rigid contact as the robot's world: Pinocchio's dynamics, our contact solvers, no physics engine.

Contacts are unilateral with exact Coulomb friction and no restitution; one step is semi-implicit Euler with the contact
problem solved at the end of the step (:mod:`wbc_control.contact_mechanics.warm_stepper`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.mechanism import StepSettings
from wbc_control.contact_mechanics.warm_stepper import WarmStepper
from wbc_control.errors import BackendError, DomainError
from wbc_control.model import RobotModel
from wbc_control.parameters import SimulatorParameters
from wbc_control.simulation.backend import Backend, GroundTruth, InitialState
from wbc_control.simulation.contact_reading import ContactReading
from wbc_control.simulation.placement import placed_on_ground, resting_forces
from wbc_control.simulation.rigid_contacts import RigidContactReader, StepForces
from wbc_control.simulation.rigid_sensors import RigidSensors
from wbc_control.simulation.rigid_world import RigidWorld
from wbc_control.simulation.terrain import Ground
from wbc_control.state import JointState, SensorSample

Array = NDArray[np.float64]

_SOLVER_TOLERANCE_M_S = 1e-7


class RigidBackend(Backend):
    """One robot on rigid ground.

    Positions, velocities, gyroscope and orientation are those of the present instant; accelerometer, foot wrenches and
    contact forces are means over the physics step that led to it, impacts included.

    Args:
        model: The robot.
        simulator: Time step, control rate, joint damping; the softness of the ground does not apply.
        ground: The ground; flat without one.
        payload: Link name → added point mass, kg.

    Raises:
        BackendError: A ground with steps, or an unknown payload link.
    """

    def __init__(
        self,
        model: RobotModel,
        simulator: SimulatorParameters,
        ground: Ground | None = None,
        payload: Mapping[str, float] | None = None,
    ) -> None:
        self._robot = model
        self.ground = ground or Ground()
        self.world = RigidWorld(model, simulator, self.ground, payload)
        self.stepper = WarmStepper(StepSettings(tolerance=_SOLVER_TOLERANCE_M_S))
        self._sensors = RigidSensors(model, self.world)
        self._contacts = RigidContactReader(model, self.world)
        self._period_ns = round(1e9 / simulator.control_rate)
        self._substeps = max(1, round(1.0 / (simulator.control_rate * simulator.timestep)))
        self._duration = simulator.timestep
        limit = model.limits.effort
        self._effort_limit = np.where(np.isfinite(limit), limit, 1e9)
        self._continuous = _continuous(model)
        self._wrench_valid = np.ones(len(model.feet), dtype=bool)
        self.reset(InitialState(model.standing_configuration(), np.zeros(model.nv)))

    @property
    def period_ns(self) -> int:
        """Control period, ns."""
        return self._period_ns

    def reset(self, initial: InitialState) -> None:
        """Put the robot at ``initial`` at time 0.

        Without a drop and without velocity the first sensor reading is that of a robot at rest, its weight on the
        corners that touch; otherwise that of a robot without motor torques.
        """
        self.world.effort[:] = 0.0
        self.world.pushes.clear()
        self.stepper.reset()
        self._time_ns = 0
        self._q = placed_on_ground(self._robot, initial.q, self.ground, initial.drop)
        self._v = np.array(initial.v, dtype=float)
        self._v_last = self._v
        self._angles = self._robot.joint_positions(self._q)
        resting = initial.drop == 0.0 and not self._v.any()
        if not (resting and self._sense_rest()):
            self._sense_limp()

    def _sense_limp(self) -> None:
        """Sensors of the first step without torques, which is then not taken."""
        step = self.stepper.step(self.world.mechanism, self._q, self._v, self._duration, self.world.damping(self._v))
        self._forces = self._contacts.read(step, self._duration)
        _, acceleration = self.world.settled(self._q, self._v, self._q, step.v, self._duration)
        self._sensors.update(self._q, self._v, acceleration)
        self.stepper.reset()

    def _sense_rest(self) -> bool:
        """Sensors as if nothing accelerated and the ground carried the weight; False where it cannot."""
        feet = self._robot.feet
        wrenches = resting_forces(self._robot, self._q, self.ground) if feet else []
        if wrenches is None:
            return False
        self._sensors.update(self._q, self._v, np.zeros(self._robot.nv))
        positions = self._sensors.foot_positions()
        forces = np.array(wrenches).reshape(-1, 6)
        loaded = forces[:, 2] > 0.0
        reading = ContactReading(forces[:, :3], positions[loaded], forces[loaded, :3], loaded, ())
        self._forces = StepForces(reading, self._sensors.in_foot_joints(forces), ())
        return True

    def read_sensors(self) -> SensorSample:
        """Noise-free sensors at the present time, in the robot model's order."""
        now = self._time_ns
        joints = JointState(now, self._angles.copy(), self._v[self._robot.v_index], self.world.effort.copy())
        others = [*self._forces.hulls, *self.world.pushed(self.world.mechanism.data)]
        wrenches = self._sensors.wrenches(self._forces.feet, others)
        times: Any = np.full(len(wrenches), now, dtype=np.int64)
        return SensorSample(now, joints, self._sensors.imu(now), wrenches, times, self._wrench_valid)

    def step(self, effort: Array) -> None:
        """Apply (n,) joint efforts for one control period; clipped to the motors' limits, non-finite ones become zero.

        Raises:
            BackendError: The simulation diverged.
        """
        np.clip(effort, -self._effort_limit, self._effort_limit, out=self.world.effort)
        self.world.effort[~np.isfinite(self.world.effort)] = 0.0
        for _ in range(self._substeps):
            self._substep()
        self._time_ns += self._period_ns

    def _substep(self) -> None:
        before = self._v
        try:
            damping = self.world.damping(2.0 * before - self._v_last)
            step = self.stepper.step(self.world.mechanism, self._q, before, self._duration, damping)
        except DomainError as error:
            raise self._diverged() from error
        if not np.isfinite(step.v).all():
            raise self._diverged()
        self._forces = self._contacts.read(step, self._duration)
        velocity, acceleration = self.world.settled(self._q, before, step.q, step.v, self._duration)
        self._q, self._v, self._v_last = step.q, velocity, before
        self._turn_joints()
        self._sensors.update(self._q, self._v, acceleration)

    def _turn_joints(self) -> None:
        """Joint angles; those of continuous joints count on beyond half a turn."""
        angles = self._robot.joint_positions(self._q)
        turns = np.round((self._angles - angles) / (2.0 * np.pi))
        self._angles = angles + 2.0 * np.pi * np.where(self._continuous, turns, 0.0)

    def _diverged(self) -> BackendError:
        message = f"the rigid engine diverged at t = {1e-9 * self._time_ns:.3f} s; lower mujoco_sim.timestep"
        return BackendError(message, where="simulation.backend=rigid", value=self._duration)

    def apply_wrench(self, link: str, force: Array, torque: Array) -> None:
        """Hold a world-frame force, N, at the centre of mass of the body ``link`` belongs to, and a torque, N·m.

        Raises:
            BackendError: The robot has no such link.
        """
        self.world.push(link, force, torque)

    def ground_truth(self) -> GroundTruth:
        """The true state; contacts are those of the last physics step."""
        reading = self._forces.reading
        return GroundTruth(
            time_ns=self._time_ns,
            q=self._q.copy(),
            v=self._v.copy(),
            foot_force=reading.foot_force,
            foot_position=self._sensors.foot_positions(),
            in_contact=reading.in_contact,
            contact_points=reading.points,
            contact_forces=reading.forces,
            other_contacts=reading.others,
        )

    def close(self) -> None:
        """Nothing to release."""


def _continuous(model: RobotModel) -> NDArray[np.bool_]:
    """(n,) which joints have no end and are kept as cosine and sine."""
    joints = [model.pinocchio.joints[model.pinocchio.getJointId(name)] for name in model.joint_names]
    return np.array([joint.nq == 2 for joint in joints], dtype=bool)
