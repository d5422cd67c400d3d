"""What the whole-body controller hands on in one tick."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.state import JointCommand

Array = NDArray[np.float64]


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
class ControllerTelemetry:
    """What a person wants to see of a tick.

    Attributes:
        acceleration: (nv,) q̈ of the solution; zeros when not solved.
        foot_wrench: (n_feet, 6) planned force and moment on each sole, contact frame, N and N·m.
        friction_use: Largest ‖f_t‖ / (μ f_n) of all contacts, with the full μ.
        torque_use: Largest |τ| / τ_max.
        torque_rate_use: Largest |Δτ| / (rate · period).
        iterations: Solver iterations.
        solved: Whether the QP was solved this tick.
        cause: Why not, in the user's words; empty when solved.
        conflict: Names of the last set of constraints found not to go together; () while there was none.
        dynamics_residual: ‖M q̈ + h − Sᵀτ − Jᵀf‖∞ over ‖h‖∞.
        solve_ns: Time the solver took, ns.
    """

    acceleration: Array
    foot_wrench: Array
    friction_use: float
    torque_use: float
    torque_rate_use: float
    iterations: int
    solved: bool
    cause: str
    conflict: tuple[str, ...]
    dynamics_residual: float
    solve_ns: int


@dataclass(frozen=True, slots=True)
class ControllerOutput:
    """Command, how it came about, and the picture of the tick."""

    command: JointCommand
    status: ControllerStatus
    telemetry: ControllerTelemetry
