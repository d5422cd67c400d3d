"""What lies between a commanded torque and the joint: transport delay and a torque that is not quite as asked."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.scenario import ActuationSettings

Array = NDArray[np.float64]


class Actuation:
    """Delays efforts by a whole number of control periods and scales them.

    Args:
        settings: Delay (rounded to periods) and torque factor.
        period_ns: Control period, ns.
        n_joints: Length of an effort; before the first command arrives the motors are slack.
    """

    def __init__(self, settings: ActuationSettings, period_ns: int, n_joints: int) -> None:
        self.delay_ticks = round(1e9 * settings.delay / period_ns)
        self._scale = settings.torque_scale
        self._line = deque(np.zeros(n_joints) for _ in range(self.delay_ticks))

    def apply(self, effort: Array) -> Array:
        """The effort that acts now."""
        self._line.append(self._scale * effort)
        return self._line.popleft()
