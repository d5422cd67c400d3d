"""Where and when to put the next foot, from the DCM: a small quadratic programme in footstep shift and step time.

With the ZMP p at rest under the standing feet, ξ(T′) = p + (ξ(T) − p) τ, τ = exp(ω (T′ − T)), is linear in τ, so a
footstep shift s (2) and a change σ = τ − 1 of the timing enter the miss at touch-down linearly:

    r(s, σ) = d σ + r₀ − κ s,        min ‖r‖² + w_s ‖s‖² + w_σ σ²,        bounds on s and σ.

Khadiv, Herzog, Moosavian, Righetti, *Walking control based on step timing adaptation*, IEEE T-RO 36(3), 2020, eq.
13–19, with the miss of the DCM offset in the cost instead of a constraint (so it is always feasible), and the whole
preview's sensitivity κ in place of 1 (double support included).
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wbc_control.planning.box_qp import solve_box_qp
from wbc_control.spatial import Array

SHIFT_WEIGHT = 0.02
"""w_s: cost of moving the footstep against missing the DCM, 1."""

TIMING_WEIGHT = 0.01
"""w_σ: cost of stretching time, m²."""


@dataclass(frozen=True, eq=False)
class StepBounds:
    """Room for the adaptation, in the heading frame.

    Attributes:
        lower: (2,) least shift forward and leftward, m.
        upper: (2,) largest shift, m.
        soonest: Least time to touch-down, s.
        latest: Largest, s.
    """

    lower: Array
    upper: Array
    soonest: float
    latest: float


@dataclass(frozen=True, eq=False)
class Adaptation:
    """Result.

    Attributes:
        shift: (2,) of the next footstep, heading frame, m.
        time: To touch-down, s.
        miss: (2,) DCM error left at touch-down, heading frame, m.
        cost: Value of the objective.
    """

    shift: Array
    time: float
    miss: Array
    cost: float


def adapt_step(dcm_arm: Array, miss: Array, share: float, time: float, omega: float, bounds: StepBounds) -> Adaptation:
    """Best shift and time of the next touch-down.

    Args:
        dcm_arm: (2,) forecast DCM at the nominal touch-down minus the ZMP before it, d, heading frame, m.
        miss: (2,) forecast DCM minus the DCM the plan needs there, r₀, heading frame, m.
        share: κ, sensitivity of the needed DCM to a shift of the footsteps, 1.
        time: Nominal time to touch-down, s.
        omega: √(g/h), 1/s.
        bounds: Room.
    """
    rows = np.array([[-share, 0.0, dcm_arm[0]], [0.0, -share, dcm_arm[1]]])
    weight = np.diag([SHIFT_WEIGHT, SHIFT_WEIGHT, TIMING_WEIGHT])
    stretch = [math.exp(omega * (limit - time)) - 1.0 for limit in (bounds.soonest, bounds.latest)]
    lower, upper = np.array([*bounds.lower, stretch[0]]), np.array([*bounds.upper, stretch[1]])
    solution = solve_box_qp(rows.T @ rows + weight, rows.T @ miss, lower, upper)
    left = rows @ solution + miss
    cost = float(left @ left + solution @ weight @ solution)
    return Adaptation(solution[:2], time + math.log1p(solution[2]) / omega, left, cost)


def ankle_correction(error: Array, growth: float) -> Array:
    """ZMP displacement (2,) that, held until touch-down, brings a DCM error (2,) to zero there: e E/(E − 1)."""
    return error * (growth / max(growth - 1.0, 1e-3))
