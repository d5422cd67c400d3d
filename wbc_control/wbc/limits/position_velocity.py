"""Joint position and velocity limits as acceleration bounds that stay compatible at any control period.

A. Del Prete, *Joint position and velocity bounds in discrete-time acceleration/torque control of robot manipulators*,
IEEE RA-L 2018: after the step the joint must still be able to brake before its limit with the available acceleration
(viability), eqs. 20–26.  Outside a limit the joint is led back, no faster than its velocity limit.
"""
from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.wbc.limits.limit import AccelerationLimit, Array

_RECOVERY_RATE = 10.0
"""Rate, 1/s, with which a joint outside its range returns: slow enough to be smooth, limited by the velocity limit."""


def viable_upper_acceleration(distance: Array, velocity: Array, velocity_limit: Array, acceleration: float, period: float) -> Array:
    """Largest acceleration after which a joint can still respect its upper limits; (n,) rad/s².

    Args:
        distance: (n,) upper position limit minus position, rad; negative outside.
        velocity: (n,) rad/s.
        velocity_limit: (n,) rad/s.
        acceleration: Braking acceleration that can be relied on, rad/s².
        period: Control period, s.
    """
    stop = -velocity / period
    b = period * (2.0 * velocity + acceleration * period)
    c = velocity * velocity - 2.0 * acceleration * (distance - period * velocity)
    discriminant = b * b - 4.0 * period * period * c
    root = np.sqrt(np.maximum(discriminant, 0.0))
    brake = np.where(discriminant >= 0.0, np.maximum(stop, (root - b) / (2.0 * period * period)), stop)
    speed = np.minimum(velocity_limit, -_RECOVERY_RATE * distance)
    back = (-speed - velocity) / period
    bound = np.where(distance < 0.0, back, brake)
    bound = np.minimum(bound, (velocity_limit - velocity) / period)
    # A joint that nothing can stop in time gets all there is, never an empty interval.
    return np.clip(bound, -acceleration, acceleration)


class PositionVelocityLimit(AccelerationLimit):
    """q_min + ε ≤ q ≤ q_max − ε, |q̇| ≤ q̇_max and |q̈| ≤ q̈_max, made one pair of compatible bounds."""

    name = "position and velocity limit"

    def __init__(self, model: RobotModel, margin: float, acceleration: float, period: float) -> None:
        limits = model.limits
        room = limits.position_upper - limits.position_lower
        margins = np.minimum(margin, 0.25 * np.where(np.isfinite(room), room, np.inf))
        self._lower, self._upper = limits.position_lower + margins, limits.position_upper - margins
        # An unlimited joint would make ∞ − ∞ of its braking distance; this far away braking never matters.
        self._lower, self._upper = np.maximum(self._lower, -1e6), np.minimum(self._upper, 1e6)
        self._velocity = np.minimum(limits.velocity, 1e6)
        self._model, self._acceleration, self._period = model, acceleration, period

    def narrow(self, terms: Kinodynamics, lower: Array, upper: Array) -> None:
        """See :class:`Limit`."""
        q, v = self._model.joint_positions(terms.q), terms.v[self._model.v_index]
        common = (self._velocity, self._acceleration, self._period)
        np.minimum(upper, viable_upper_acceleration(self._upper - q, v, *common), out=upper)
        np.maximum(lower, -viable_upper_acceleration(q - self._lower, -v, *common), out=lower)
        # Both directions can only contradict each other when the range is smaller than one step: meet in the middle.
        crossed = lower > upper
        if crossed.any():
            middle = 0.5 * (lower + upper)[crossed]
            lower[crossed], upper[crossed] = middle, middle
