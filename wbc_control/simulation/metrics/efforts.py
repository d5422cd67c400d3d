"""Use of the torque limits, from what the controller asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from wbc_control.model import RobotModel
from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric

_TOLERANCE = 1e-6
_POSITION_TOLERANCE_RAD = 1e-3


class EffortUse(Metric):
    """Largest share of torque and torque-rate limits, and how often a limit of the robot was broken.

    Args:
        model: The robot with its limits.
        torque_rate: Largest allowed change of a torque, N·m/s.
        period_ns: Control period, ns.
    """

    def __init__(self, model: RobotModel, torque_rate: float, period_ns: int) -> None:
        self._robot, limits = model, model.limits
        self._effort_share = 1.0 / limits.effort
        self._step_share = 1.0 / (torque_rate * 1e-9 * period_ns)
        speed = limits.velocity * (1.0 + _TOLERANCE)
        self._lower = np.concatenate([limits.position_lower - _POSITION_TOLERANCE_RAD, -speed])
        self._upper = np.concatenate([limits.position_upper + _POSITION_TOLERANCE_RAD, speed])
        self._state = np.zeros(2 * model.n)
        self._last: Any = None
        self._torque_use, self._rate_use, self._violations = 0.0, 0.0, 0

    def observe(self, period: Period) -> None:
        """Compare efforts with their limits, true joint positions and velocities with theirs."""
        use = float(np.abs(period.effort * self._effort_share).max()) if self._robot.n else 0.0
        self._torque_use = max(self._torque_use, use)
        if self._last is not None:
            self._rate_use = max(self._rate_use, float(np.abs(period.effort - self._last).max()) * self._step_share)
        self._last = period.effort.copy()
        self._state[: self._robot.n] = self._robot.joint_positions(period.truth.q)
        self._state[self._robot.n :] = period.truth.v[self._robot.v_index]
        outside = ((self._state < self._lower) | (self._state > self._upper)).any()
        self._violations += int(outside or use > 1.0 + _TOLERANCE or not np.isfinite(use))

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``torque_use_max``, ``torque_rate_use_max``, ``limit_violations`` (periods with any)."""
        return {
            "torque_use_max": self._torque_use,
            "torque_rate_use_max": self._rate_use,
            "limit_violations": self._violations,
        }
