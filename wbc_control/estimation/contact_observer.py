"""Contact of every foot, fused from wrench sensor, joint torques, kinematics, impact and plan."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wbc_control.estimation.contact_evidence import (
    force_evidence,
    fuse,
    kinematic_evidence,
    plan_evidence,
    probability,
)
from wbc_control.estimation.contact_switch import ContactSwitch
from wbc_control.estimation.slip import SLIP_CUTOFF_HZ, SlipDetector
from wbc_control.filters import smoothing_factor
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.parameters.estimator import ContactDetectionParameters
from wbc_control.state import ContactPhase, ContactState
from wbc_control.state.checks import BoolArray, unchecked

_UNKNOWN, _IN_AIR, _CONTACT, _SLIDING, _LIFTING = (int(phase) for phase in ContactPhase)
_CERTAIN = 30.0
_CLEAR = 1.0
"""Log-odds from which the sources besides force count as agreeing."""
_TORQUE_CONFIDENCE, _CONTRADICTED_CONFIDENCE, _BLIND_CONFIDENCE = 0.6, 0.5, 0.3
_IMPACT_TIME_S = 0.01
_IMPACT_WEIGHT = 1.0
_AGREED_DWELL, _SURE_DWELL = 0.4, 0.25
_SURE = 5.0
"""Log-odds of all sources together from which two samples suffice."""
_UNLOADED = 0.2
"""Share of weight below which a foot counts as relieved before it lifts."""
_RECENT_S = 0.02
_LIFT_NOISES, _TOUCH_NOISES = 3.0, 6.0
"""Thresholds never fall below these multiples of the sensor's noise, however light the robot."""


@dataclass(slots=True)
class FootReading:
    """What the sources say about one foot in one tick.

    Attributes:
        sensed: Normal force from the wrench sensor, N.
        sensed_variance: Its variance, N²; infinite without a living sensor.
        observed: Normal force from the joint torques, N.
        observed_variance: Its variance, N²; infinite without torques.
        height: Sole above the ground last stood on, m.
        speed: Sole in world, m/s.
        slip: Horizontal speed of the sole's resting point in world, m/s.
        descent: Downward speed of the sole, m/s.
    """

    sensed: float = 0.0
    sensed_variance: float = math.inf
    observed: float = 0.0
    observed_variance: float = math.inf
    height: float = 0.0
    speed: float = 0.0
    slip: float = 0.0
    descent: float = 0.0


@dataclass(slots=True)
class Thresholds:
    """Forces at which one foot changes, N.

    Attributes:
        lift: Lift-off.
        touch: Touchdown.
        weight: The robot's weight.
    """

    lift: float
    touch: float
    weight: float


class FootContact:
    """Contact of one foot: evidence, decision, slip and how sure it is.

    Attributes:
        force: Fused normal force, N, never negative.
        recent_force: The same, low-passed; starts high at touchdown, so that a bounce does not look unloaded.
        log_odds: Of contact.
        confidence: 0..1; 1 with a living sensor that nothing contradicts.
        switch: The decision with its dwell.
        slip: The slip detector.
        changed: Whether the decision changed in the last tick.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.force, self.log_odds, self.confidence, self.recent_force = 0.0, _CERTAIN, 0.0, 0.0
        self.switch, self.slip, self.changed = ContactSwitch(), SlipDetector(), False

    def reset(self, time_ns: int) -> None:
        """Start standing."""
        self.force, self.log_odds, self.confidence, self.changed = 0.0, _CERTAIN, 0.0, False
        self.recent_force = 0.0
        self.switch.reset(True, time_ns)
        self.slip.reset()

    def update(
        self,
        reading: FootReading,
        planned: bool | None,
        impact: bool,
        limits: Thresholds,
        time_ns: int,
        dt: float,
        smoothing: float,
        contact: ContactDetectionParameters,
    ) -> None:
        """One tick: weigh the sources, decide, watch for sliding (``smoothing`` of its speed, 0..1)."""
        force, variance = fuse(reading.sensed, reading.sensed_variance, reading.observed, reading.observed_variance)
        known, standing = variance < math.inf, self.switch.in_contact
        other = kinematic_evidence(reading.height, reading.speed, contact.kinematic_weight)
        if planned is not None:
            other += plan_evidence(planned, contact.plan_weight, known)
        if impact and reading.descent > 0.0 and not standing:
            other += _IMPACT_WEIGHT
        total = other + force_evidence(force, variance, limits.lift, limits.touch) if known else other
        if not known:  # what a standing robot's foot would carry, so that nobody divides by a guess of zero
            force = limits.touch if standing else 0.0
        self.force = force if force > 0.0 else 0.0
        self.log_odds = total
        self.confidence = confidence(reading, limits.weight)
        self.recent_force += (self.force - self.recent_force) * (dt / _RECENT_S if dt < _RECENT_S else 1.0)
        self._decide(total, other, time_ns, limits.weight, contact)
        loaded = self.switch.in_contact and force >= limits.touch
        self.slip.update(reading.slip, loaded, dt, smoothing, contact.slip_speed, contact.slip_dwell)

    @property
    def probability(self) -> float:
        """Of contact, 0..1."""
        return probability(self.log_odds)

    def _decide(
        self, total: float, other: float, time_ns: int, weight: float, contact: ContactDetectionParameters
    ) -> None:
        """Dwell is cut short where a mistake is unlikely: sure evidence of landing, or a relieved foot lifts.

        Right after a change the opposite is likely a bounce, or a scuff of a foot that lifts: then it must last.
        """
        touch = contact.touch_dwell * (_SURE_DWELL if total > _SURE else _AGREED_DWELL if other > _CLEAR else 1.0)
        unloaded = self.recent_force < _UNLOADED * weight
        lift = contact.lift_dwell * (_AGREED_DWELL if other < -_CLEAR or unloaded else 1.0)
        if (time_ns - self.switch.changed_ns) * 1e-9 < contact.bounce_time:
            touch, lift = max(touch, contact.bounce_dwell), max(lift, contact.bounce_dwell)
        self.changed = self.switch.update(total, time_ns, touch, lift)
        if self.changed:
            self.slip.reset()
            self.recent_force = weight if self.switch.in_contact else 0.0

    def phase(self, lift: float) -> int:
        """What the foot is doing, a :class:`ContactPhase` value, given its lift-off force, N."""
        if not self.switch.in_contact:
            return _IN_AIR
        if self.slip.sliding:
            return _SLIDING
        if self.switch.pending_ns >= 0 or self.force < lift:
            return _LIFTING
        return _CONTACT if self.confidence > 0.0 else _UNKNOWN


def confidence(reading: FootReading, weight: float) -> float:
    """How far the decision can be trusted, 0..1, by which sources live and whether they agree; ``weight`` in N."""
    sensed, observed = reading.sensed_variance < math.inf, reading.observed_variance < math.inf
    if not sensed:
        return _TORQUE_CONFIDENCE if observed else _BLIND_CONFIDENCE
    apart = abs(reading.sensed - reading.observed)
    if observed and apart > 0.1 * weight:
        tolerated = 4.0 * math.sqrt(reading.sensed_variance + reading.observed_variance) + 0.1 * weight
        return _CONTRADICTED_CONFIDENCE if apart > tolerated else 1.0
    return 1.0


class ContactObserver:
    """Contact of all feet.

    Args:
        model: Robot; thresholds are shares of its weight.

    Attributes:
        feet: One :class:`FootContact` a foot, in the model's order.
        thresholds: Lift and touch force, and the weight, N, of each foot.
        impact_age_s: Time since the accelerometer last jumped.
    """

    def __init__(self, model: RobotModel, parameters: EstimatorParameters) -> None:
        self._weight = model.weight
        self.feet = [FootContact(name) for name in model.foot_names]
        self.thresholds: list[Thresholds] = []
        self.impact_age_s = math.inf
        self.configure(parameters)

    def configure(self, parameters: EstimatorParameters) -> None:
        """Take over thresholds, each foot's own where calibration set them."""
        self.thresholds = [self._thresholds_of(foot.name, parameters) for foot in self.feet]

    def _thresholds_of(self, name: str, parameters: EstimatorParameters) -> Thresholds:
        own = parameters.sensors.feet.get(name)
        lift = own.lift_force if own is not None and own.lift_force else parameters.contact.lift_force
        touch = own.touch_force if own is not None and own.touch_force else parameters.contact.touch_force
        noise = parameters.sensors.wrench_noise
        lift_n = max(lift * self._weight, _LIFT_NOISES * noise)
        return Thresholds(lift_n, max(touch * self._weight, _TOUCH_NOISES * noise, lift_n + noise), self._weight)

    def reset(self, time_ns: int) -> None:
        """Start with all feet standing."""
        self.impact_age_s = math.inf
        for foot in self.feet:
            foot.reset(time_ns)

    def update(
        self,
        readings: list[FootReading],
        planned: BoolArray | None,
        impact: bool,
        time_ns: int,
        dt: float,
        contact: ContactDetectionParameters,
    ) -> None:
        """One tick of all feet."""
        self.impact_age_s = 0.0 if impact else self.impact_age_s + dt
        struck = self.impact_age_s < _IMPACT_TIME_S
        smoothing = smoothing_factor(SLIP_CUTOFF_HZ, dt)
        plan = planned.tolist() if planned is not None and planned.shape == (len(self.feet),) else None
        for k, foot in enumerate(self.feet):
            foot.update(
                readings[k],
                None if plan is None else plan[k],
                struck,
                self.thresholds[k],
                time_ns,
                dt,
                smoothing,
                contact,
            )

    def state(self, time_ns: int) -> ContactState:
        """The decided contact of all feet, as it crosses the border."""
        probabilities, forces, speeds, sure, phases, in_contact = [], [], [], [], [], []
        for foot, limits in zip(self.feet, self.thresholds, strict=True):
            rests = foot.switch.in_contact
            in_contact.append(rests)
            probabilities.append(probability(foot.log_odds))
            forces.append(foot.force)
            speeds.append(foot.slip.speed if rests else 0.0)
            sure.append(foot.confidence)
            phases.append(foot.phase(limits.lift) if rests else _IN_AIR)
        numbers = np.array((probabilities, forces, speeds, sure))
        contact = np.array(in_contact, dtype=bool)
        speed, sure_of, phase = numbers[2], numbers[3], np.array(phases)
        return unchecked(ContactState, time_ns, contact, numbers[0], numbers[1], speed, phase, sure_of)
