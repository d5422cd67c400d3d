"""Turns evidence into a decided contact: two thresholds with hysteresis, and a dwell on continuous time."""

from __future__ import annotations

from wbc_control.estimation.contact_evidence import DECISION


class ContactSwitch:
    """Contact of one foot.

    Attributes:
        in_contact: The decision.
        pending_ns: Since when the evidence contradicts the decision, ns; −1 while it does not.
        changed_ns: Time of the last change, ns.
    """

    __slots__ = ("changed_ns", "in_contact", "pending_ns")

    def __init__(self) -> None:
        self.in_contact = True
        self.pending_ns = -1
        self.changed_ns = 0

    def reset(self, in_contact: bool, time_ns: int) -> None:
        """Start decided, at ``time_ns``."""
        self.in_contact, self.pending_ns, self.changed_ns = in_contact, -1, time_ns

    def update(self, log_odds: float, time_ns: int, touch_dwell_s: float, lift_dwell_s: float) -> bool:
        """Judge the evidence at ``time_ns``; whether the decision changed.

        Once beyond the threshold the evidence must not turn to the other side for the dwell: a landing that bounces
        faster than ``lift_dwell_s`` is one touchdown, and a spike shorter than ``touch_dwell_s`` is none.
        """
        against = -log_odds if self.in_contact else log_odds
        if against <= 0.0 or (self.pending_ns < 0 and against <= DECISION):
            self.pending_ns = -1
            return False
        if self.pending_ns < 0:
            self.pending_ns = time_ns
        dwell_s = lift_dwell_s if self.in_contact else touch_dwell_s
        if (time_ns - self.pending_ns) * 1e-9 < dwell_s - 1e-9:
            return False
        self.in_contact = not self.in_contact
        self.pending_ns, self.changed_ns = -1, time_ns
        return True
