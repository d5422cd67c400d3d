"""What the scenario asks of the robot over time: velocity commands and live parameter changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wbc_control.simulation.scenario import CommandSettings, ParameterChange
from wbc_control.state import VelocityCommand


class CommandSchedule:
    """Velocity command by time: each line is held, and repeated every tick as a joystick would, until the next."""

    def __init__(self, lines: Sequence[CommandSettings]) -> None:
        self._lines = [(round(1e9 * line.t), np.array([line.vx, line.vy]), line.wz) for line in lines]
        self._next = 0

    def at(self, time_ns: int) -> VelocityCommand | None:
        """The command at ``time_ns``, stamped now; None before the first line.  Times must not decrease."""
        while self._next < len(self._lines) and self._lines[self._next][0] <= time_ns:
            self._next += 1
        if self._next == 0:
            return None
        _, linear, yaw_rate = self._lines[self._next - 1]
        return VelocityCommand(time_ns, linear, yaw_rate)


class ParameterSchedule:
    """Live parameter changes by time."""

    def __init__(self, changes: Sequence[ParameterChange]) -> None:
        self._pending = [(round(1e9 * change.t), change.values) for change in changes]

    def due(self, time_ns: int) -> Mapping[str, Any]:
        """``node.parameter`` → value of all changes that became due since the last call; later ones win."""
        values: dict[str, Any] = {}
        while self._pending and self._pending[0][0] <= time_ns:
            values |= self._pending.pop(0)[1]
        return values
