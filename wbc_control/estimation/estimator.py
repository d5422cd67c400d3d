"""The estimator: sensors in, state of base, joints and contacts out; never an exception, never a NaN."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from wbc_control.estimation.base_observer import BaseObserver
from wbc_control.estimation.centroidal import Centroidal
from wbc_control.estimation.contact_observer import ContactObserver, FootReading
from wbc_control.estimation.events import ContactEvent, ScheduleWatch
from wbc_control.estimation.foot_wrench import FootWrenches
from wbc_control.estimation.leg_kinematics import LegKinematics, as_slice
from wbc_control.estimation.rest_check import RestCheck
from wbc_control.estimation.sensor_intake import Intake
from wbc_control.estimation.signal_filter import SignalFilter
from wbc_control.estimation.soft_soles import SoftSoles
from wbc_control.estimation.torque_observer import TorqueObserver
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.state import CentroidalState, ContactState, Estimate, RobotState, SensorSample
from wbc_control.state.checks import BoolArray, unchecked

_EVENTS_KEPT = 64
_FRESH_S = 0.01


class Estimator:
    """State of a legged robot from its own sensors.

    World is placed at the first usable sample: origin on the ground amid the feet, x along the base's heading, z up.

    Args:
        model: Robot; with ``floating_base`` false only joints are estimated.
        parameters: May be replaced as a whole at any time through :attr:`parameters`.

    Attributes:
        model: The robot.
        floating: Whether the base moves freely.
        base: Pose, velocity and covariance of the base.
        contact: Contact of every foot with its evidence.
        wrenches: Sole wrenches without the foot's own weight, and centres of pressure.
        torques: Foot forces from joint torques.
        soles: How far soft soles sink under their load.
        signals: Low-passed readings.
        intake: Last good readings and counts of refused samples.
        rest: Sanity of the sensors at rest, with named causes.
        events: Latest touchdowns and lift-offs, oldest first, early and late ones marked; at most 64.
    """

    def __init__(self, model: RobotModel, parameters: EstimatorParameters) -> None:
        self.model = model
        self._parameters = parameters
        self.events: deque[ContactEvent] = deque(maxlen=_EVENTS_KEPT)
        self.floating = model.floating_base
        self.signals = SignalFilter(model.n)
        if model.floating_base:
            self.legs = LegKinematics(model)
            self.base = BaseObserver(model)
            self._pulls = self.legs.sole_vectors.reshape(-1, 12)[:, 6:]
        self.contact = ContactObserver(model, parameters)
        self.wrenches = FootWrenches(model, parameters)
        self.soles = SoftSoles(len(model.feet))
        self.soles.configure(parameters.soles)
        self.torques = TorqueObserver(model, self.legs if model.floating_base else None)
        self.centroid = Centroidal(model)
        self._schedule = ScheduleWatch(len(model.feet))
        self.rest = RestCheck(model)
        self._readings = [FootReading() for _ in model.feet]
        self._rest_speeds = [0.0] * len(model.feet)
        self._radii = [float(foot.radius) for foot in model.feet]
        self._simple = model.nq - model.nv == int(model.floating_base)
        self._joints, self._angles = as_slice(model.v_index), as_slice(model.q_index)
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
        self.soles.configure(parameters.soles)

    def reset(self) -> None:
        """Forget everything; the next usable sample places the world anew."""
        model = self.model
        self.intake = Intake(model.n, tuple(model.foot_names))
        self._started = False
        self._time_ns = -1
        self._good_since_ns = -1
        self._fault = "no sample yet"
        self._airborne_s = 0.0
        self._ground_m = 0.0
        self._since_refresh_s = math.inf
        self._since_look_s = 0.0
        self._sound = True
        self.torques.reset()
        self.wrenches.reset()
        self.soles.reset()
        self.contact.reset(0)
        self.centroid.reset()
        self.rest.reset()
        self.events.clear()
        self._robot = self._resting_state()

    def _resting_state(self) -> RobotState:
        return RobotState(0, self.model.standing_configuration(), np.zeros(self.model.nv))

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
        fault = self._judge(now)
        return unchecked(Estimate, self._robot, self.contact.state(now), not fault, fault)

    def _start(self, now: int) -> None:
        """Place the world once positions and IMU have spoken."""
        intake, floating = self.intake, self.model.floating_base
        if intake.position.time_ns < 0 or (floating and (intake.gyro.time_ns < 0 or intake.accelerometer.time_ns < 0)):
            return
        self._started = True
        self.signals.start(intake.now.changing)
        if floating:
            self.legs.place(intake.now.position)
            self.base.start(intake, self.legs, self._parameters)
        self.contact.reset(now)
        self._assemble(now)

    def _advance(self, now: int, dt: float, planned: BoolArray | None) -> None:
        intake, parameters = self.intake, self._parameters
        cutoff, bandwidth = parameters.sensors.joint_velocity_cutoff, parameters.observer.bandwidth
        self.signals.update(intake.now.changing, cutoff, bandwidth, dt)
        if self.floating:
            self._sense(now, dt)
            impact = self.base.jump > parameters.contact.impact_acceleration
            self.contact.update(self._readings, planned, impact, now, dt, parameters.contact)
            self._follow_contacts(now, dt, planned)
            if not self.rest.finished:
                self.rest.update(dt, self)
        self._assemble(now)

    def _sense(self, now: int, dt: float) -> None:
        """Kinematics and dynamics of this tick, with the base predicted from the IMU."""
        intake, base, legs, signals = self.intake, self.base, self.legs, self.signals
        values = intake.now
        base.predict(intake, dt)
        base.note_acceleration(signals.imu, signals.imu_change, dt)
        legs.update(values.position, values.velocity, signals.joint_change, dt, base.spin, base.acceleration)
        self.wrenches.update(intake, self._pulls, now)
        self.torques.update(legs.required, signals.effort)
        base.see_feet(legs)
        self.soles.raise_feet(base, dt)
        self._since_refresh_s += dt
        # Legs' Jacobians and external wrench change slowly, and take their turn with the filter's heavy work.
        if base.turns.others_due(dt):
            self.centroid.update(self, self._since_refresh_s)
            self.torques.refresh(legs, base.rotation[2], values.effort, self._parameters)
            self._since_refresh_s = 0.0
        self._read_feet()

    def _read_feet(self) -> None:
        """Gather what the sources say about every foot."""
        base, ages, radii, variances = self.base, self.wrenches.age_s, self._radii, self.torques.vertical_variance
        observed, above = self.torques.vertical(), base.filter.row[14] + base.to_base[2] - self._ground_m
        for k, reading in enumerate(self._readings):
            place, (vx, vy, vz), _, force, _ = base.seen[k]
            x, y, z = base.resting_velocity[k]
            reading.sensed, reading.sensed_variance = force[2], self._sensor_variance(ages[k])
            reading.observed, reading.observed_variance = observed[k], variances[k]
            reading.height = place[2] + above - radii[k]
            reading.speed = math.sqrt(vx * vx + vy * vy + vz * vz)
            reading.descent = -vz
            reading.slip = math.sqrt(x * x + y * y)
            self._rest_speeds[k] = math.sqrt(x * x + y * y + z * z)

    def _sensor_variance(self, age_s: float) -> float:
        """A held force is worth less the older it is, and nothing after the timeout: silence is not contact."""
        noise = self._parameters.sensors.wrench_noise
        if age_s <= _FRESH_S:
            return noise * noise
        timeout = self._parameters.contact.wrench_timeout
        if age_s > timeout:
            return math.inf
        stale = self.model.weight * (age_s - _FRESH_S) / timeout
        return noise * noise + stale * stale

    def _follow_contacts(self, now: int, dt: float, planned: BoolArray | None) -> None:
        """Anchor new contacts, correct the base with resting feet, and note events."""
        feet, parameters = self.contact.feet, self._parameters
        changed = sliding = False
        in_contact, stance, forces = [], [], []
        for foot in feet:
            rests, slides = foot.switch.in_contact, foot.slip.sliding
            changed, sliding = changed or foot.changed, sliding or slides
            in_contact.append(rests)
            stance.append(rests and not slides)
            forces.append(foot.force)
        if changed or sliding:
            self._anchor_feet()
        corrected = self.base.correct(stance, forces, self._rest_speeds, self.intake, dt, parameters)
        self._airborne_s = 0.0 if True in in_contact else self._airborne_s + dt
        self._since_look_s += dt
        if changed or corrected:
            self.wrenches.note_cop(in_contact, self._since_look_s, parameters.contact)
            self.events.extend(self._schedule.update(feet, planned, now))
            self._since_look_s = 0.0

    def _anchor_feet(self) -> None:
        """Put the anchor of a foot that landed or slides where the foot is; ground is the lowest foot that stands."""
        heights = []
        for k, foot in enumerate(self.contact.feet):
            if (foot.changed and foot.switch.in_contact) or foot.slip.sliding:
                self.base.place_foot(k, self._parameters)
            if foot.switch.in_contact:
                heights.append(float(self.base.filter.points[2 + k, 2]) - self._radii[k])
        self._ground_m = min(heights, default=self._ground_m)

    def _assemble(self, now: int) -> None:
        """Configuration and velocity from base and joints."""
        model, positions = self.model, self.intake.now.position
        q, v = self._robot.q.copy(), np.empty(model.nv)
        if self._simple:
            q[self._angles] = positions
        else:
            q = model.with_joint_positions(q, positions)
        v[self._joints] = self.signals.velocity
        if self.floating:
            q[:7], v[:6] = pose, twist = self.base.base_state()
            self._sound = math.isfinite(sum(pose) + sum(twist))
        self._robot = unchecked(RobotState, now, q, v)

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
        fault = self.intake.fault(now, self._parameters, not self.floating)
        if not self._started:
            return fault or "waiting for the IMU"
        if fault or not self.floating:
            return fault
        limit = self._parameters.contact.airborne_timeout
        if self._airborne_s > limit and self.model.feet:
            return (
                f"no foot has touched the ground for {limit:.2f} s: the robot is lifted, or its foot sensors are dead"
            )
        if not self._sound:
            self._started = False
            return "the filter diverged; it starts anew"
        return self.rest.refusal if self._parameters.start.check else ""

    def centroidal(self) -> CentroidalState:
        """Centre of mass, momentum and net contact wrench of the last tick, world axes."""
        return self.centroid.state(self._robot, self)

    @property
    def contact_state(self) -> ContactState:
        """Contact of the last tick."""
        return self.contact.state(self._time_ns)
