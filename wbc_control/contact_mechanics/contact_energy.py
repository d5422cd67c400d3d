"""Energy (Lyapunov) functions of a system in contact, and the check that a recorded motion dissipates.

V = ½ vᵀM v + U(q) and V_c = V + ½ Σ k_i δ_i² (linear contacts; any law's ``energy`` may be added instead).  A passive
system satisfies V(t₂) − V(t₁) ≤ work of the actuators in between.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, in_range
from wbc_control.errors import ShapeError

Array = NDArray[np.float64]


def mechanical_energy(mass_matrix: Array, velocity: Array, potential: float) -> float:
    """V = ½ vᵀM v + U, J."""
    return 0.5 * float(velocity @ mass_matrix @ velocity) + potential


def contact_energy(stiffness: Array, penetration: Array) -> float:
    """½ Σ k δ², J, of contacts (n,) that penetrate (δ > 0), N/m and m."""
    return 0.5 * float((stiffness * np.maximum(penetration, 0.0) ** 2).sum())


@dataclass(frozen=True)
class DissipationReport:
    """What a recorded energy did.

    Attributes:
        passive: Whether no interval created more than the tolerance, and the whole did not either.
        worst_creation: Largest energy created in one interval beyond the work done, J (negative: all lost some).
        worst_index: That interval.
        total_loss: Energy lost over the record beyond the work done, J.
        decay_rate: α of the least-squares fit V ∝ exp(−αt), 1/s; NaN where V is not positive throughout.
    """

    passive: bool
    worst_creation: float
    worst_index: int
    total_loss: float
    decay_rate: float


def check_dissipation(
    time: Array, energy: Array, work: Array | None = None, tolerance: float = 1e-9
) -> DissipationReport:
    """Judge a record.

    Args:
        time: (k,) increasing, s; k ≥ 2.
        energy: (k,) V or V_c, J.
        work: (k,) work done by actuators and pushes since the start, J; none by default.
        tolerance: J an interval may create by discretisation.

    Raises:
        ShapeError: Lengths disagree or k < 2.
        DomainError: Values not finite, or time that does not increase.
    """
    moments = finite_array("time", time, (-1,))
    if len(moments) < 2:
        raise ShapeError("a record needs two samples", where="time", value=len(moments), bound=2)
    values = finite_array("energy", energy, (len(moments),))
    done = np.zeros(len(moments)) if work is None else finite_array("work", work, (len(moments),))
    in_range("smallest time step", float(np.diff(moments).min()), 0.0, open_low=True)
    created = np.diff(values - done)
    worst = int(np.argmax(created))
    total = float(-created.sum())
    rate = float("nan")
    if values.min() > 0.0:
        rate = -float(np.polyfit(moments, np.log(values), 1)[0])
    passive = float(created[worst]) <= tolerance and total >= -tolerance
    return DissipationReport(passive, float(created[worst]), worst, total, rate)
