"""Resamples the planner's horizon at the controller's rate; holds still when the plan is stale.

Between two samples of the plan, CoM and feet follow the quintic Hermite polynomial through both samples' position,
velocity and acceleration (C² across samples); rotations follow the geodesic; the rest is linear, contact is the earlier
sample's.  All that is a polynomial of the share of the interval that has passed: prepared once an interval, a sample is
one product of a row of powers with a matrix of coefficients.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from wbc_control.planning.hermite import braking_state, hermite_coefficients
from wbc_control.spatial import Array, log_so3
from wbc_control.state import Plan, PlanSample, unchecked

_LEAST_ANGLE = 1e-9
"""Rotations below this, rad, count as none: rounding alone can make the trace differ from 3."""
_TURN_SQUARED = 1e-15
"""Rotations over one interval whose 3 − trace (about the angle squared) is below this count as none."""
BRAKING_TIME_S = 0.3
"""Time in which the reference comes to rest once the plan is stale, s."""


class _Places(NamedTuple):
    """Where each quantity lies in the row of all of them."""

    com: slice
    com_velocity: slice
    com_acceleration: slice
    base_rate: slice
    position: slice
    velocity: slice
    acceleration: slice
    weight: slice
    force: slice
    zmp: slice


@cache
def _places(n_feet: int) -> _Places:
    sizes = (3, 3, 3, 3, 3 * n_feet, 6 * n_feet, 6 * n_feet, n_feet, n_feet, 2)
    ends = np.cumsum(sizes).tolist()
    return _Places(*(slice(end - size, end) for size, end in zip(sizes, ends)))


class _Interval(NamedTuple):
    """One interval of the plan, prepared for evaluation.

    Attributes:
        first: Sample at its start.
        start_ns: Its time, ns.
        duration: s.
        places: Where the quantities lie.
        coefficients: (6, m) of the powers 0..5 of the share of the interval that has passed.
        rotation: (1 + n_feet, 3, 9): R, R·K, R·K² of torso and feet, K the unit axis' cross-product matrix.
        angle: (1 + n_feet,) rotation angle over the interval, rad.
        turning: Whether any angle differs from 0.
        finite: Whether every coefficient is.
    """

    first: PlanSample
    start_ns: int
    duration: float
    places: _Places
    coefficients: Array
    rotation: Array
    angle: Array
    turning: bool
    finite: bool


class PlanSampler:
    """Holds the newest plan and evaluates it at any time.

    Args:
        timeout_s: Age of a plan after which its references brake to a standstill within ``BRAKING_TIME_S``.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_ns = round(timeout_s * 1e9)
        self._plan: Plan | None = None
        self._interval: _Interval | None = None
        self._held: PlanSample | None = None

    def set(self, plan: Plan | None) -> None:
        """Take a newer plan; None (the planner had nothing to say) keeps the old one, which then grows stale."""
        if plan is not None:
            self._plan, self._interval, self._held = plan, None, None

    @property
    def plan(self) -> Plan | None:
        """The newest plan."""
        return self._plan

    def age_s(self, time_ns: int) -> float:
        """Age of the plan at ``time_ns``, s; infinite without one."""
        return 1e-9 * (time_ns - self._plan.time_ns) if self._plan is not None else float("inf")

    def stale(self, time_ns: int) -> bool:
        """Whether there is no plan younger than the timeout at ``time_ns``."""
        return self._plan is None or time_ns - self._plan.time_ns > self._timeout_ns

    def sample(self, time_ns: int) -> PlanSample | None:
        """The reference at ``time_ns``; None before the first plan; before the plan's start, its first sample."""
        plan = self._plan
        if plan is None:
            return None
        braking_ns = plan.time_ns + min(self._timeout_ns, plan.samples[-1].time_ns - plan.time_ns)
        if time_ns > braking_ns:
            if self._held is None:
                self._held = self._inside(plan, braking_ns)
            return braking_sample(self._held, time_ns, BRAKING_TIME_S)
        return self._inside(plan, max(time_ns, plan.samples[0].time_ns))

    def _inside(self, plan: Plan, time_ns: int) -> PlanSample:
        interval = self._interval
        if interval is None or not 0 <= time_ns - interval.start_ns <= 1e9 * interval.duration:
            interval = self._interval = _interval_at(plan, time_ns)
        if interval.duration == 0.0:
            return interval.first
        return _evaluate(interval, time_ns)


def _interval_at(plan: Plan, time_ns: int) -> _Interval:
    """The interval that holds ``time_ns``; a plan of one sample gives an interval of no duration."""
    samples = plan.samples
    index = 0
    while index + 2 < len(samples) and samples[index + 1].time_ns <= time_ns:
        index += 1
    return _prepare(samples[index], samples[min(index + 1, len(samples) - 1)])


def _prepare(first: PlanSample, last: PlanSample) -> _Interval:
    rotation, angle = _geodesics(first, last)
    duration, places = 1e-9 * (last.time_ns - first.time_ns), _places(len(first.in_contact))
    coefficients = _coefficients(first, last, duration, places)
    return _Interval(
        first=first,
        start_ns=first.time_ns,
        duration=duration,
        places=places,
        coefficients=coefficients,
        rotation=rotation,
        angle=angle,
        turning=bool(angle.any()),
        finite=math.isfinite(np.vdot(coefficients, coefficients) + np.vdot(rotation, rotation) + angle.dot(angle)),
    )


def _coefficients(first: PlanSample, last: PlanSample, duration: float, places: _Places) -> Array:
    """(6, m): linear everywhere, then quintic where position, velocity and acceleration are known at both ends."""
    start, end = _row(first, places), _row(last, places)
    coefficients = np.zeros((6, len(start)))
    coefficients[0], coefficients[1] = start, end - start
    if duration <= 0.0:
        return coefficients
    quintic = hermite_coefficients(np.concatenate((_knots(first), _knots(last))), duration)
    n_feet = len(first.in_contact)
    motions = (places.com, places.position), (places.com_velocity, places.velocity)
    for values, (com, feet) in zip(quintic, (*motions, (places.com_acceleration, places.acceleration))):
        coefficients[:, com] = values[:, :3]
        coefficients[:, feet].reshape(6, n_feet, -1)[:, :, :3] = values[:, 3:].reshape(6, n_feet, 3)
    return coefficients


def _row(sample: PlanSample, places: _Places) -> Array:
    """(m,) every quantity of a sample but the rotations, at its place."""
    row = np.empty(places.zmp.stop)
    row[places.com], row[places.com_velocity] = sample.com_position, sample.com_velocity
    row[places.com_acceleration], row[places.base_rate] = sample.com_acceleration, sample.base_angular_velocity
    row[places.position], row[places.velocity] = sample.foot_position.ravel(), sample.foot_velocity.ravel()
    row[places.acceleration], row[places.zmp] = sample.foot_acceleration.ravel(), sample.zmp
    row[places.weight], row[places.force] = sample.contact_weight, sample.normal_force
    return row


def _knots(sample: PlanSample) -> Array:
    """(3, 3 + 3 n_feet): position, velocity, acceleration of the CoM, then of the feet."""
    knots = np.empty((3, 3 + sample.foot_position.size))
    knots[0, :3], knots[1, :3], knots[2, :3] = sample.com_position, sample.com_velocity, sample.com_acceleration
    knots[0, 3:] = sample.foot_position.ravel()
    knots[1, 3:] = sample.foot_velocity[:, :3].ravel()
    knots[2, 3:] = sample.foot_acceleration[:, :3].ravel()
    return knots


def _geodesics(first: PlanSample, last: PlanSample) -> tuple[Array, Array]:
    """R, R·K, R·K² and the angles of the rotations from ``first`` to ``last``, torso then feet (Rodrigues' formula)."""
    starts, ends = _rotation_stack(first), _rotation_stack(last)
    differences = np.matmul(starts.transpose(0, 2, 1), ends)
    parts, angles = np.zeros((len(starts), 3, 3, 3)), np.zeros(len(starts))
    parts[:, 0] = starts
    turns = 3.0 - differences.reshape(-1, 9)[:, ::4].sum(axis=1)
    for index in np.flatnonzero(~(turns <= _TURN_SQUARED)).tolist():
        vector = log_so3(differences[index])
        angle = math.sqrt(vector.dot(vector))
        if angle < _LEAST_ANGLE:
            continue
        x, y, z = (vector / angle).tolist()
        hat = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turned = starts[index] @ hat
        parts[index, 1], parts[index, 2], angles[index] = turned, turned @ hat, angle
    return parts.reshape(-1, 3, 9), angles


def _rotation_stack(sample: PlanSample) -> Array:
    stack = np.empty((1 + len(sample.foot_rotation), 3, 3))
    stack[0], stack[1:] = sample.base_rotation, sample.foot_rotation
    return stack


def _evaluate(interval: _Interval, time_ns: int) -> PlanSample:
    s = 1e-9 * (time_ns - interval.start_ns) / interval.duration
    square = s * s
    cube = s * square
    row = np.array((1.0, s, square, cube, square * square, square * cube)) @ interval.coefficients
    first, at = interval.first, interval.places
    n_feet, rotation = len(first.in_contact), _rotations(interval, s)
    return unchecked(
        PlanSample,
        time_ns,
        row[at.com],
        row[at.com_velocity],
        row[at.com_acceleration],
        rotation[0],
        row[at.base_rate],
        row[at.position].reshape(n_feet, 3),
        rotation[1:],
        row[at.velocity].reshape(n_feet, 6),
        row[at.acceleration].reshape(n_feet, 6),
        first.in_contact,
        row[at.weight],
        row[at.force],
        row[at.zmp],
        interval.finite,
    )


def _rotations(interval: _Interval, share: float) -> Array:
    """(1 + n_feet, 3, 3): torso and feet at ``share`` of the interval."""
    if not interval.turning:
        return interval.rotation[:, 0].reshape(-1, 3, 3)
    angles = [share * angle for angle in interval.angle.tolist()]
    shares = np.array([[[1.0, math.sin(angle), 1.0 - math.cos(angle)]] for angle in angles])
    return (shares @ interval.rotation).reshape(-1, 3, 3)


def braking_sample(held: PlanSample, time_ns: int, braking_time: float) -> PlanSample:
    """``held`` brought to rest: velocities decay to 0 within ``braking_time`` s, then nothing moves; contacts stay."""
    elapsed = 1e-9 * (time_ns - held.time_ns)
    com = braking_state(held.com_position, held.com_velocity, held.com_acceleration, elapsed, braking_time)
    feet = braking_state(
        held.foot_position, held.foot_velocity[:, :3], held.foot_acceleration[:, :3], elapsed, braking_time
    )
    zeros = np.zeros_like(held.foot_position)
    return PlanSample(
        time_ns=time_ns,
        com_position=com[0],
        com_velocity=com[1],
        com_acceleration=com[2],
        base_rotation=held.base_rotation,
        base_angular_velocity=np.zeros(3),
        foot_position=feet[0],
        foot_rotation=held.foot_rotation,
        foot_velocity=np.hstack((feet[1], zeros)),
        foot_acceleration=np.hstack((feet[2], zeros)),
        in_contact=held.in_contact,
        contact_weight=held.contact_weight,
        normal_force=held.normal_force,
        zmp=held.zmp,
    )
