"""Joint position and velocity limits as acceleration bounds that stay compatible at any control period.

A. Del Prete, *Joint position and velocity bounds in discrete-time acceleration/torque control of robot manipulators*,
IEEE RA-L 2018: after the step the joint must still be able to brake before its limit with the available acceleration
(viability), eqs. 20–26.  Outside a limit the joint is led back, no faster than its velocity limit.
"""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.wbc.limits.limit import AccelerationLimit, Array

_FAR = 1e6
"""Stands for an infinite limit, rad and rad/s."""
_CALM_SPEED = 3.0
"""Below this speed of all joints together, rad/s, one braking distance is judged for all of them."""
_RECOVERY_RATE = 10.0
"""Rate, 1/s, with which a joint outside its range returns: slow enough to be smooth, limited by the velocity limit."""


def viable_upper_acceleration(
    distance: Array,
    velocity: Array,
    velocity_limit: Array,
    acceleration: float,
    period: float,
    braking: float = np.inf,
) -> Array:
    """Largest acceleration after which a joint can still respect its upper limits; (n,) rad/s².

    Args:
        distance: (n,) upper position limit minus position, rad; negative outside.
        velocity: (n,) rad/s.
        velocity_limit: (n,) rad/s.
        acceleration: Largest acceleration, rad/s².
        period: Control period, s.
        braking: Acceleration that can be relied on for braking, rad/s²; at most ``acceleration``.
    """
    relied = min(braking, acceleration)
    stop = -velocity / period
    b = period * (2.0 * velocity + relied * period)
    c = velocity * velocity - 2.0 * relied * (distance - period * velocity)
    discriminant = b * b - 4.0 * period * period * c
    root = np.sqrt(np.maximum(discriminant, 0.0))
    halt = -velocity * velocity / (2.0 * np.maximum(distance, 1e-12))
    # A joint that got nearer than it can brake from takes what a steady stop at the limit needs.
    late = np.maximum(stop, halt) if relied < acceleration else stop
    brake = np.where(discriminant >= 0.0, np.maximum(stop, (root - b) / (2.0 * period * period)), late)
    # Viability looks at the end of the step; a joint close to its limit must also stay inside during it (Algorithm 1).
    reach = 2.0 * (distance - period * velocity) / (period * period)
    inside = np.where((velocity > 0.0) & (reach <= stop), np.minimum(stop, halt), reach)
    brake = np.minimum(brake, inside)
    speed = np.minimum(velocity_limit, -_RECOVERY_RATE * distance)
    back = (-speed - velocity) / period
    bound = np.where(distance < 0.0, back, brake)
    bound = np.minimum(bound, (velocity_limit - velocity) / period)
    # A joint that nothing can stop in time gets all there is, never an empty interval.
    return np.clip(bound, -acceleration, acceleration)


class PositionVelocityLimit(AccelerationLimit):
    """q_min + ε ≤ q ≤ q_max − ε, |q̇| ≤ q̇_max and |q̈| ≤ q̈_max, made one pair of compatible bounds."""

    key, name = "position", "position and velocity limit"

    def __init__(
        self, model: RobotModel, margin: float, acceleration: float, period: float, braking: float = np.inf
    ) -> None:
        limits, n = model.limits, model.n
        room = limits.position_upper - limits.position_lower
        margins = np.minimum(margin, 0.25 * np.where(np.isfinite(room), room, np.inf))
        lower, upper = limits.position_lower + margins, limits.position_upper - margins
        # Lower limits are upper limits of the mirrored joint: both directions go through the same arithmetic at once.
        # An unlimited joint would make ∞ − ∞ of its braking distance; this far away braking never matters.
        self._limit = np.minimum(np.concatenate([upper, -lower]), _FAR)
        self._velocity = np.minimum(np.concatenate([limits.velocity, limits.velocity]), _FAR)
        self._distance, self._approach = np.zeros(2 * n), np.zeros(2 * n)
        self._model, self._acceleration, self._period = model, acceleration, period
        self._braking = braking = min(braking, acceleration)
        # Far from every limit the bounds are ±q̈_max: judged by the widest braking distance, once for all joints.
        self._free_speed = self._velocity - 2.0 * acceleration * period
        self._calm_speed = max(0.0, min(_CALM_SPEED, float(self._free_speed.min())))
        reach = self._calm_speed + 2.0 * acceleration * period
        stopping = reach * (0.5 / braking * reach + 2.0 * period)
        self._middle = 0.5 * (self._limit[:n] - self._limit[n:])
        self._room = 0.5 * (self._limit[:n] + self._limit[n:]) - stopping
        self._away = np.zeros(n)

    def narrow(self, terms: Kinodynamics, lower: Array, upper: Array) -> None:
        """See :class:`Limit`."""
        n, model = self._model.n, self._model
        q, v = model.joint_positions(terms.q), terms.v[model.v_joints]
        if self._is_calm(q, v) or self._is_free(q, v):
            np.minimum(upper, self._acceleration, out=upper)
            np.maximum(lower, -self._acceleration, out=lower)
            return
        bound = viable_upper_acceleration(
            self._distance, self._approach, self._velocity, self._acceleration, self._period, self._braking
        )
        np.minimum(upper, bound[:n], out=upper)
        np.maximum(lower, -bound[n:], out=lower)
        # Both directions can only contradict each other when the range is smaller than one step: meet in the middle.
        crossed = lower > upper
        if crossed.any():
            middle = 0.5 * (lower + upper)[crossed]
            lower[crossed], upper[crossed] = middle, middle

    def _is_calm(self, q: Array, v: Array) -> bool:
        """Whether all joints are slow, and further from their limits than slow joints need; the usual case, cheap."""
        if not v.dot(v) < self._calm_speed * self._calm_speed:
            return False
        away = np.subtract(q, self._middle, out=self._away)
        np.abs(away, out=away)
        away -= self._room
        return bool(away.max() < 0.0)

    def _is_free(self, q: Array, v: Array) -> bool:
        """Whether no joint could come near a limit even after accelerating fully for one period; notes how far and how
        fast each is from both its limits."""
        n = self._model.n
        self._approach[:n] = v
        np.negative(v, out=self._approach[n:])
        np.subtract(self._limit[:n], q, out=self._distance[:n])
        np.add(self._limit[n:], q, out=self._distance[n:])
        step = self._acceleration * self._period
        reach = self._approach + 2.0 * step
        np.maximum(reach, 0.0, out=reach)
        slow = bool((self._approach < self._free_speed).all())
        return slow and bool((self._distance > reach * (0.5 / self._braking * reach + 2.0 * self._period)).all())
