"""A time step split at the impacts of fast bodies: step to the contact, treat it, go on with the rest.

The path of each part is q ⊕ t v, on which conservative advancement (:mod:`time_of_impact`) finds the first contact.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.mechanism import Mechanism, Step
from wbc_control.contact_mechanics.time_of_impact import conservative_advancement

Array = NDArray[np.float64]
Stepper: TypeAlias = Callable[[Array, Array, float], Step]
"""(q, v, h) → Step: any scheme with its mechanism and settings bound."""


@dataclass(frozen=True, eq=False)
class SplitStep:
    """Outcome of a split step.

    Attributes:
        q: (nq,) at the end.
        v: (nv,) at the end.
        parts: The steps it was made of, in order.
        complete: Whether the whole duration was covered; False when ``max_parts`` ran out (a Zeno sequence).
        covered: s.
    """

    q: Array
    v: Array
    parts: tuple[Step, ...]
    complete: bool
    covered: float


def step_with_impacts(
    stepper: Stepper,
    mechanism: Mechanism,
    q: Array,
    v: Array,
    duration: float,
    speed_bound: Callable[[Array], float],
    *,
    tolerance: float = 1e-5,
    shortest: float = 1e-6,
    max_parts: int = 20,
) -> SplitStep:
    """Advance by ``duration``, s, stopping at each first contact.

    Args:
        stepper: The scheme.
        mechanism: Gives the gaps along the way.
        q, v: State at the start.
        duration: s.
        speed_bound: Of the velocity (nv,) to the largest rate at which any gap can close, m/s.
        tolerance: Gap taken for contact, m.
        shortest: Least length of a part, s: bounds the work where impacts accumulate.
        max_parts: Then ``complete`` is False.

    Raises:
        DomainError: The duration is not positive.
    """
    left = in_range("duration", duration, 0.0, open_low=True)
    parts: list[Step] = []
    while left > 0.0 and len(parts) < max_parts:
        part = _time_to_contact(mechanism, q, v, left, speed_bound(v), tolerance)
        part = min(left, max(part, shortest))
        # Do not leave a sliver for the next part.
        part = left if left - part < shortest else part
        step = stepper(q, v, part)
        parts.append(step)
        q, v, left = step.q, step.v, left - part
    return SplitStep(q, v, tuple(parts), left <= 0.0, duration - max(left, 0.0))


def _time_to_contact(
    mechanism: Mechanism, q: Array, v: Array, duration: float, speed: float, tolerance: float
) -> float:
    """When the nearest open gap closes along q ⊕ t v, s; the duration if none does."""
    open_now = mechanism.contacts(q).gap > tolerance
    if not open_now.any() or speed <= 0.0:
        return duration

    def distance(time: float) -> float:
        return float(mechanism.contacts(mechanism.integrate(q, time * v)).gap[open_now].min())

    return conservative_advancement(distance, speed, duration, tolerance=0.5 * tolerance).time
