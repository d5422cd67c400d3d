"""Estimated contacts against true ones: false transitions and detection delay."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric, StackView

Bools = NDArray[np.bool_]

_BOUNCE_S = 0.03
"""Gaps and touches of the true contact shorter than this belong to one landing or one lift-off."""
_EARLY_S, _LATE_S = 0.03, 0.15
"""A transition this much before or after the true one is still the detection of it."""


class ContactDetection(Metric):
    """Matches every estimated transition of a foot with a true one in the same direction, each used once."""

    def __init__(self, view: StackView, period_ns: int) -> None:
        self._view, self._dt = view, 1e-9 * period_ns
        self._true: list[Bools] = []
        self._estimated: list[Bools] = []

    def observe(self, period: Period) -> None:
        """Keep both contact states."""
        estimate = self._view.estimate
        if estimate is not None:
            self._true.append(period.truth.in_contact)
            self._estimated.append(estimate.contact.in_contact.copy())

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``contact``: true ``transitions`` after the first second's settling, false ones and the delay's p95."""
        true, estimated = np.array(self._true, dtype=bool), np.array(self._estimated, dtype=bool)
        transitions, false, missed = 0, 0, 0
        delays: list[float] = []
        for foot in range(true.shape[1] if true.ndim == 2 else 0):
            actual = transitions_of(without_bounces(true[:, foot], round(_BOUNCE_S / self._dt)))
            found = transitions_of(estimated[:, foot])
            matched = match(actual, found, round(_EARLY_S / self._dt), round(_LATE_S / self._dt))
            delays += [self._dt * 1e3 * delay for delay in matched]
            transitions, false, missed = (
                transitions + len(actual),
                false + len(found) - len(matched),
                missed + len(actual) - len(matched),
            )
        p95 = float(np.percentile(delays, 95)) if delays else None
        contact = {
            "transitions": transitions,
            "false_transitions": false,
            "missed_transitions": missed,
            "detection_delay_ms_p95": p95,
        }
        return {"contact": contact}


def transitions_of(contact: Bools) -> list[tuple[int, bool]]:
    """(index, new state) of every change; the state before the first sample counts as that of the air."""
    padded = np.concatenate([[False], contact])
    changes = np.flatnonzero(padded[1:] != padded[:-1])
    return [(int(i), bool(contact[i])) for i in changes]


def without_bounces(contact: Bools, shortest: int) -> Bools:
    """``contact`` with every gap and then every touch shorter than ``shortest`` samples filled in."""
    return _fill_short(_fill_short(contact, False, shortest), True, shortest)


def _fill_short(contact: Bools, state: bool, shortest: int) -> Bools:
    filled = contact.copy()
    edges = np.flatnonzero(np.diff(np.concatenate([[not state], contact, [not state]]).astype(np.int8)))
    for start, end in zip(edges[::2], edges[1::2]):
        inside = start > 0 and end < len(contact)
        if inside and end - start < shortest:
            filled[start:end] = not state
    return filled


def match(actual: list[tuple[int, bool]], found: list[tuple[int, bool]], early: int, late: int) -> list[int]:
    """Delays, in samples, of the found transitions that belong to an actual one, in order of time."""
    delays, free = [], list(actual)
    for index, state in found:
        own = next((a for a in free if a[1] == state and -early <= index - a[0] <= late), None)
        if own is not None:
            free.remove(own)
            delays.append(index - own[0])
    return delays
