"""What the motors get when the QP has no answer: the last good command, fading, then damping."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.state import JointCommand
from wbc_control.wbc.output import ControllerStatus

Array = NDArray[np.float64]


class FallbackLadder:
    """Hold the last good command while its feed-forward decays linearly over ``hold_time``, then damp only.

    Damping means: the measured position as reference, zero velocity, zero feed-forward, so that the PD bridge brakes.
    """

    def __init__(self, hold_time: float) -> None:
        self._hold_ns = int(hold_time * 1e9)
        self._good: JointCommand | None = None

    def remember(self, command: JointCommand) -> None:
        """A command that came from a solved QP."""
        self._good = command

    def forget(self) -> None:
        """Go straight to damping until a QP is solved again."""
        self._good = None

    def command(self, time_ns: int, positions: Array) -> tuple[JointCommand, ControllerStatus]:
        """The command for a tick without a solution; ``positions`` (n,) are the measured ones."""
        good = self._good
        age = time_ns - good.time_ns if good is not None else self._hold_ns
        if good is None or not 0 <= age < self._hold_ns:
            zeros = np.zeros_like(positions)
            return JointCommand(time_ns, positions.copy(), zeros, zeros), ControllerStatus.DAMPING
        share = 1.0 - age / self._hold_ns
        return JointCommand(time_ns, good.position, share * good.velocity, share * good.effort), ControllerStatus.HELD
