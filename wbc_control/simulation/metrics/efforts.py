"""Use of the torque limits, from what the controller asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from wbc_control.model import RobotModel
from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric

_TOLERANCE = 1e-6
_TOLERANCE_RAD = 1e-3
_BLOCK = 256


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
        self._lower, self._upper = limits.position_lower - _TOLERANCE_RAD, limits.position_upper + _TOLERANCE_RAD
        self._speed = limits.velocity * (1.0 + _TOLERANCE)
        self._rows = 0
        self._efforts, self._q = np.zeros((_BLOCK + 1, model.n)), np.zeros((_BLOCK, model.nq))
        self._v = np.zeros((_BLOCK, model.nv))
        self._first = True
        self._torque_use, self._rate_use, self._violations = 0.0, 0.0, 0

    def observe(self, period: Period) -> None:
        """Keep efforts and the true state; whole blocks are judged at once because that is many times cheaper."""
        row = self._rows
        self._efforts[row + 1] = period.effort
        self._q[row], self._v[row] = period.truth.q, period.truth.v
        self._rows += 1
        if self._rows == _BLOCK:
            self._judge()

    def _judge(self) -> None:
        """Judge the rows kept so far.  Row 0 of the efforts is the last one of the block before."""
        rows = self._rows
        if not rows:
            return
        use = np.abs(self._efforts[1 : rows + 1] * self._effort_share).max(axis=1, initial=0.0)
        steps = np.abs(np.diff(self._efforts[int(self._first) : rows + 1], axis=0))
        self._torque_use = max(self._torque_use, float(use.max()))
        self._rate_use = max(self._rate_use, float(steps.max(initial=0.0)) * self._step_share)
        # a continuous joint shows its cosine here, and has no limits
        position, speed = self._q[:rows, self._robot.q_index], np.abs(self._v[:rows, self._robot.v_index])
        outside = (position < self._lower) | (position > self._upper) | (speed > self._speed)
        self._violations += int((outside.any(axis=1) | ~(use <= 1.0 + _TOLERANCE)).sum())
        self._efforts[0] = self._efforts[rows]
        self._rows, self._first = 0, False

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``torque_use_max``, ``torque_rate_use_max``, ``limit_violations`` (periods with any)."""
        self._judge()
        return {
            "torque_use_max": self._torque_use,
            "torque_rate_use_max": self._rate_use,
            "limit_violations": self._violations,
        }
