"""What the whole-body controller hands on in one tick."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from wbc_control.state import JointCommand
from wbc_control.wbc.telemetry import ControllerTelemetry


class ControllerStatus(enum.Enum):
    """Which rung of the ladder the command comes from.

    SOLVED: every constraint kept.  RELAXED: equation of motion, torque limits and friction kept, the rest as well as
    possible.  HELD: the last good command, its feed-forward fading.  DAMPING: the joints are only braked.
    """

    SOLVED = "solved"
    RELAXED = "relaxed"
    HELD = "held"
    DAMPING = "damping"


@dataclass(frozen=True, slots=True)
class ControllerOutput:
    """Command, how it came about, and the picture of the tick."""

    command: JointCommand
    status: ControllerStatus
    telemetry: ControllerTelemetry
