"""Touchdowns and lift-offs, told apart by whether the plan wanted them."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wbc_control.state.checks import BoolArray

if TYPE_CHECKING:
    from wbc_control.estimation.contact_observer import FootContact

_LATE_S = 0.005


class ContactEventKind(enum.Enum):
    """What happened to a foot."""

    TOUCHDOWN = "touchdown"
    EARLY_TOUCHDOWN = "early touchdown"
    LATE_TOUCHDOWN = "late touchdown"
    LIFT_OFF = "lift-off"
    EARLY_LIFT_OFF = "early lift-off"


@dataclass(frozen=True, slots=True)
class ContactEvent:
    """One event.

    Attributes:
        time_ns: When it was decided, ns.
        foot: Name of the foot.
        kind: A late touchdown is told when the plan's contact is overdue, not when it finally comes.
    """

    time_ns: int
    foot: str
    kind: ContactEventKind


class ScheduleWatch:
    """Compares decided with planned contact.

    Args:
        n_feet: Number of feet.
    """

    def __init__(self, n_feet: int) -> None:
        self._overdue_ns = [-1] * n_feet
        self._told = [True] * n_feet

    def update(self, feet: list[FootContact], planned: BoolArray | None, now: int) -> list[ContactEvent]:
        """Events of this tick; without a plan only plain touchdowns and lift-offs."""
        events: list[ContactEvent] = []
        plan = planned.tolist() if planned is not None and planned.shape == (len(feet),) else [None] * len(feet)
        for k, (foot, wanted) in enumerate(zip(feet, plan, strict=True)):
            if foot.changed:
                events.append(ContactEvent(now, foot.name, _kind_of_change(foot.switch.in_contact, wanted)))
            if foot.switch.in_contact or not wanted:
                self._overdue_ns[k], self._told[k] = -1, False
            elif self._is_overdue(k, now):
                events.append(ContactEvent(now, foot.name, ContactEventKind.LATE_TOUCHDOWN))
        return events

    def _is_overdue(self, k: int, now: int) -> bool:
        """True once per missing touchdown, a few ms after the plan wanted it."""
        if self._overdue_ns[k] < 0:
            self._overdue_ns[k] = now
        late = not self._told[k] and (now - self._overdue_ns[k]) * 1e-9 >= _LATE_S
        self._told[k] = self._told[k] or late
        return late


def _kind_of_change(in_contact: bool, wanted: bool | None) -> ContactEventKind:
    if in_contact:
        return ContactEventKind.EARLY_TOUCHDOWN if wanted is False else ContactEventKind.TOUCHDOWN
    return ContactEventKind.EARLY_LIFT_OFF if wanted is True else ContactEventKind.LIFT_OFF
