"""Torque limits: what the motor can give, and how fast it may change."""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.wbc.limits.limit import Array, TorqueLimit


class EffortLimit(TorqueLimit):
    """|τ| ≤ (1 − margin) τ_max."""

    key, name = "torque", "torque limit"

    def __init__(self, model: RobotModel, margin: float) -> None:
        self._limit = (1.0 - margin) * model.limits.effort
        self._opposite = -self._limit

    def narrow(self, terms: Kinodynamics, lower: Array, upper: Array) -> None:
        """See :class:`Limit`."""
        np.minimum(upper, self._limit, out=upper)
        np.maximum(lower, self._opposite, out=lower)


class EffortRateLimit(TorqueLimit):
    """|τ − τ_last| ≤ rate · period; open until a first torque was sent."""

    key, name = "torque_rate", "torque rate limit"

    def __init__(self, rate: float, period: float) -> None:
        self._step = rate * period
        self._last: Array | None = None
        self._low = self._high = np.zeros(0)

    def remember(self, torque: Array | None) -> None:
        """The torque that was sent, N·m; None opens the limit until the next one."""
        self._last = torque
        if torque is not None:
            self._low, self._high = torque - self._step, torque + self._step

    def narrow(self, terms: Kinodynamics, lower: Array, upper: Array) -> None:
        """See :class:`Limit`."""
        if self._last is not None:
            # Clipped, not intersected: where another limit shrinks faster, the torque follows it as fast as it may.
            low, high = self._low, self._high
            np.minimum(np.maximum(upper, low, out=upper), high, out=upper)
            np.minimum(np.maximum(lower, low, out=lower), high, out=lower)
