"""Targets for drives that take positions only: no jump at the start, none above the joints' speed, a halt in place of damping."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.joint_control.pd_bridge import PdLaw
from wbc_control.model import RobotModel

Array = NDArray[np.float64]


class PositionTargets:
    """Positions for stiff drives, which have no torque to limit and nothing to damp with.

    At the start the target moves from where the joint is to where the command wants it as the bridge's start ramp rises.
    When the bridge damps, the drive is told to hold the position at which that began.  A target never moves faster than
    the joint's velocity limit and never leaves its position limits, except on the way back from outside them.

    Args:
        model: Limits.
        rate: Targets per second, Hz.
    """

    def __init__(self, model: RobotModel, rate: float) -> None:
        limits = model.limits
        self._lower, self._upper = limits.position_lower, limits.position_upper
        self._step = limits.velocity / rate
        self._last: Array | None = None
        self._start: Array | None = None
        self._held: Array | None = None

    def reset(self) -> None:
        """Forget everything: the next target is the measured position."""
        self._last = self._start = self._held = None

    def update(self, law: PdLaw) -> Array:
        """(n,) positions to send, rad (m)."""
        if self._last is None:
            self._last = law.measured_position.copy()
        wanted = self._ramped(law) if law.share > 0.0 else self._halted(law)
        wanted = np.clip(wanted, self._lower, self._upper)
        self._last = np.clip(wanted, self._last - self._step, self._last + self._step)
        return self._last

    def _ramped(self, law: PdLaw) -> Array:
        if self._start is None:
            self._start = law.measured_position.copy()
        self._held = None
        result: Array = self._start + law.share * (law.position - self._start)
        return result

    def _halted(self, law: PdLaw) -> Array:
        if self._held is None:
            self._held = law.measured_position.copy()
        self._start = None
        return self._held
