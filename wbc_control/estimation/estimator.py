"""The estimator: sensors in, state of base, joints and contacts out, one pass a tick; never an exception, never a NaN."""
from __future__ import annotations

import math
from collections import deque

import numpy as np

from wbc_control.estimation.base_observer import BaseObserver
from wbc_control.estimation.centroidal import Centroidal
from wbc_control.estimation.contact_observer import ContactObserver, FootReading
from wbc_control.estimation.events import ContactEvent, ScheduleWatch
from wbc_control.estimation.foot_wrench import FootWrenches
from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.estimation.rest_check import RestCheck
from wbc_control.estimation.sensor_intake import Intake
from wbc_control.estimation.torque_observer import TorqueObserver
from wbc_control.filters import LowPass
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array, matrix_to_quaternion
from wbc_control.state import CentroidalState, ContactState, Estimate, RobotState, SensorSample
from wbc_control.state.checks import BoolArray

_EVENTS_KEPT = 64
_FRESH_S = 0.01
_SAG_S = 0.02


class Estimator:
    """State of a legged robot from its own sensors.

    World is placed at the first usable sample: origin on the ground amid the feet, x along the base's heading, z up.

    Args:
        model: Robot; with ``floating_base`` false only joints are estimated.
        parameters: May be replaced as a whole at any time through :attr:`parameters`.

    Attributes:
        base: Pose, velocity and covariance of the base.
        contact: Contact of every foot with its evidence.
        wrenches: Sole wrenches without the foot's own weight, and centres of pressure.
        torques: Foot forces from joint torques.
        intake: Last good readings and counts of refused samples.
        events: Latest touchdowns and lift-offs, oldest first, early and late ones marked; at most 64.
    """

    def __init__(self, model: RobotModel, parameters: EstimatorParameters) -> None:
        self._model = model
        self._parameters = parameters
        self.events: deque[ContactEvent] = deque(maxlen=_EVENTS_KEPT)
        self._velocity_filter = LowPass(model.n)
        if model.floating_base:
            self.legs = LegKinematics(model)
            self.base = BaseObserver(model)
        self.contact = ContactObserver(model, parameters)
        self.wrenches = FootWrenches(model, parameters)
        self.torques = TorqueObserver(model)
        self.centroid = Centroidal(model)
        self._schedule = ScheduleWatch(len(model.feet))
        self._rest = RestCheck(model)
        self._readings = [FootReading() for _ in model.feet]
        self.reset()

    @property
    def parameters(self) -> EstimatorParameters:
        """Parameters in use."""
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: EstimatorParameters) -> None:
        self._parameters = parameters
        self.contact.configure(parameters)
        self.wrenches.configure(parameters)

    def reset(self) -> None:
        """Forget everything; the next usable sample places the world anew."""
        model = self._model
        self.intake = Intake(model.n, len(model.feet))
        self._started = False
        self._time_ns = -1
        self._good_since_ns = -1
        self._fault = "no sample yet"
        self._airborne_s = 0.0
        self._ground_m = 0.0
        self._before_gyro, self._before_velocity = np.zeros(3), np.zeros(model.n)
        self._before_specific = np.zeros(3)
        self._spin_rate, self._acceleration = np.zeros(3), np.zeros(model.n)
        self._velocity_filter.reset()
        self.torques.reset()
        self.wrenches.reset()
        self.contact.reset(0)
        self.centroid.reset()
        self._rest.reset()
        self.events.clear()
        self._robot = self._resting_state()
        self._last: Estimate | None = None

    def _resting_state(self) -> RobotState:
        return RobotState(0, self._model.standing_configuration(), np.zeros(self._model.nv))

    def update(self, sample: SensorSample, planned_contact: BoolArray | None = None) -> Estimate:
        """One tick.

        Args:
            sample: All sensors; time may stand still or jump back (then nothing is integrated).
            planned_contact: (n_feet,) schedule of this instant as prior, or None.

        Returns:
            The state; ``healthy`` is False with a reason while it must not be used for control.
        """
        now = sample.time_ns
        dt = (now - self._time_ns) * 1e-9 if self._time_ns >= 0 else 0.0
        self._time_ns = now
        self.intake.take(sample)
        if not self._started:
            self._start(now)
        elif dt > 0.0:
            self._advance(now, dt, planned_contact)
        elif self._last is not None:
            return self._last
        self._last = self._estimate(now)
        return self._last

    def _start(self, now: int) -> None:
        """Place the world once positions and IMU have spoken."""
        intake = self.intake
        if intake.position.time_ns < 0 or (self._model.floating_base and not intake.new_imu):
            return
        self._started = True
        self._velocity_filter.update(intake.velocity.value, 1.0, 0.0)
        self._before_velocity[:], self._before_gyro[:] = intake.velocity.value, intake.gyro.value
        self._before_specific[:] = intake.accelerometer.value
        if self._model.floating_base:
            self.legs.place(intake.position.value)
            self.legs.update_motion(intake.position.value, intake.velocity.value)
            self.base.start(intake, self.legs, self._parameters)
        self.contact.reset(now)
        self._assemble(now)

    def _advance(self, now: int, dt: float, planned: BoolArray | None) -> None:
        cutoff = self._parameters.sensors.joint_velocity_cutoff
        self._velocity_filter.update(self.intake.velocity.value, cutoff, dt)
        if self._model.floating_base:
            self._advance_floating(now, dt, planned)
        self._assemble(now)

    def _advance_floating(self, now: int, dt: float, planned: BoolArray | None) -> None:
        intake, parameters, base, legs = self.intake, self._parameters, self.base, self.legs
        legs.update_motion(intake.position.value, intake.velocity.value)
        base.predict(intake, legs, dt, parameters)
        impact = self._differentiate()
        specific_force = base.specific_force(self._spin_rate)
        legs.update_dynamics(base.angular_velocity, specific_force, self._spin_rate, self._acceleration)
        self.torques.update(legs, intake.effort.value, dt, parameters)
        self.wrenches.update(intake, legs.foot_load, now)
        self._read_feet()
        self.contact.update(self._readings, planned, impact, now, dt, parameters)
        self._follow_contacts(now, dt, planned)
        if not self._rest.finished:
            self._rest.update(now, dt, self)

    def _differentiate(self) -> bool:
        """Spin rate and joint accelerations from successive readings; whether the accelerometer jumped."""
        intake = self.intake
        if intake.new_joints and intake.joint_period_s > 0.0:
            np.subtract(intake.velocity.value, self._before_velocity, out=self._acceleration)
            self._acceleration /= intake.joint_period_s
            self._before_velocity[:] = intake.velocity.value
        if not intake.new_imu or intake.imu_period_s <= 0.0:
            return False
        self._spin_rate = self.base.spin_rate(intake.gyro.value - self._before_gyro, intake.imu_period_s)
        self._before_gyro[:] = intake.gyro.value
        jump = intake.accelerometer.value - self._before_specific
        self._before_specific[:] = intake.accelerometer.value
        return float(jump.dot(jump)) > self._parameters.contact.impact_acceleration**2

    def _read_feet(self) -> None:
        """Gather what the sources say about every foot."""
        base, parameters = self.base, self._parameters
        up = base.rotation[2]
        sensed = (self.legs.foot_rotation.transpose(0, 2, 1).dot(up) * self.wrenches.wrench[:, :3]).sum(axis=1).tolist()
        available = self.torques.available
        observed, spread = self.torques.vertical(up, parameters) if available else (sensed, [math.inf] * len(sensed))
        heights = (base.foot_offset[:, 2] + (base.filter.points[1, 2] - self._ground_m)).tolist()
        resting, speeds = base.foot_velocity.tolist(), base.foot_speed.tolist()
        for k, reading in enumerate(self._readings):
            (x, y, _), (vx, vy, vz) = resting[k], speeds[k]
            reading.sensed, reading.sensed_variance = sensed[k], self._sensor_variance(self.wrenches.age_s[k])
            reading.observed, reading.observed_variance = observed[k], spread[k]
            reading.height = heights[k] - float(base.radius[k])
            reading.speed = math.sqrt(vx * vx + vy * vy + vz * vz)
            reading.descent = -vz
            reading.slip = math.sqrt(x * x + y * y)

    def _sensor_variance(self, age_s: float) -> float:
        """A held force is worth less the older it is, and nothing after the timeout: silence is not contact."""
        timeout = self._parameters.contact.wrench_timeout
        if age_s > timeout:
            return math.inf
        stale = self._model.weight * max(age_s - _FRESH_S, 0.0) / timeout
        return self._parameters.sensors.wrench_noise**2 + stale * stale

    def _follow_contacts(self, now: int, dt: float, planned: BoolArray | None) -> None:
        """Anchor new contacts, correct the base with resting feet, and note events."""
        feet, base, parameters = self.contact.feet, self.base, self._parameters
        for k, foot in enumerate(feet):
            if (foot.changed and foot.switch.in_contact) or foot.slip.sliding:
                base.place_foot(k, parameters)
        stance = [foot.switch.in_contact and not foot.slip.sliding for foot in feet]
        base.correct(stance, [foot.force for foot in feet], self.intake, dt, parameters)
        in_contact = [foot.switch.in_contact for foot in feet]
        self._airborne_s = 0.0 if any(in_contact) else self._airborne_s + dt
        heights = [base.filter.points[2 + k, 2] - base.radius[k] for k, rests in enumerate(in_contact) if rests]
        if heights:
            self._ground_m = float(min(heights))
        self.wrenches.update_cop(np.array(in_contact, dtype=bool), dt, parameters)
        self.centroid.update(self, dt)
        self.events.extend(self._schedule.update(feet, planned, now))

    def _assemble(self, now: int) -> None:
        """Configuration and velocity from base and joints."""
        model, intake = self._model, self.intake
        q = model.with_joint_positions(self._robot.q, intake.position.value)
        v = np.zeros(model.nv)
        v[model.v_index] = self._velocity_filter.value
        if model.floating_base:
            q[:3], q[3:7] = self.base.base_position(), matrix_to_quaternion(self.base.rotation)
            v[:3], v[3:6] = self.base.base_velocity(), self.base.angular_velocity
        self._robot = RobotState(now, q, v)

    def _estimate(self, now: int) -> Estimate:
        fault = self._judge(now)
        return Estimate(self._robot, self.contact.state(now), not fault, fault)

    def _judge(self, now: int) -> str:
        """Why the state must not be used; a sensor that comes back counts again after ``sensors.recovery``."""
        fault = self._present_fault(now)
        if fault:
            self._fault, self._good_since_ns = fault, -1
            return fault
        if self._good_since_ns < 0:
            self._good_since_ns = now
            if self._fault == "no sample yet":
                self._fault = ""
        if self._fault and (now - self._good_since_ns) * 1e-9 < self._parameters.sensors.recovery:
            return self._fault
        self._fault = ""
        return ""

    def _present_fault(self, now: int) -> str:
        if not self._started:
            return self.intake.fault(now, self._parameters, not self._model.floating_base) or "waiting for the IMU"
        fault = self.intake.fault(now, self._parameters, not self._model.floating_base)
        if fault or not self._model.floating_base:
            return fault
        limit = self._parameters.contact.airborne_timeout
        if self._airborne_s > limit and self._model.feet:
            return f"no foot has touched the ground for {limit:.2f} s: the robot is lifted, or its foot sensors are dead"
        if not math.isfinite(float(self._robot.q.sum() + self._robot.v.sum())):
            self._started = False
            return "the filter diverged; it starts anew"
        return self._rest.refusal if self._parameters.start.check else ""

    def centroidal(self) -> CentroidalState:
        """Centre of mass, momentum and net contact wrench of the last tick, world axes."""
        return self.centroid.state(self._robot, self)

    @property
    def contact_state(self) -> ContactState:
        """Contact of the last tick."""
        return self.contact.state(self._time_ns)
