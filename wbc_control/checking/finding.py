"""What a check found."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Level(enum.Enum):
    """How bad it is."""

    FINE = "ok"
    WARNING = "warning"
    ERROR = "ERROR"


@dataclass(frozen=True)
class Finding:
    """One result.

    Attributes:
        level: How bad.
        subject: What was looked at: model, limits, posture, soles, frames, sensors or gains.
        text: One sentence: which part, which value, which bound, what to do.
    """

    level: Level
    subject: str
    text: str


def fine(subject: str, text: str) -> Finding:
    """Nothing to complain of."""
    return Finding(Level.FINE, subject, text)


def warning(subject: str, text: str) -> Finding:
    """Unusual; the robot may run."""
    return Finding(Level.WARNING, subject, text)


def error(subject: str, text: str) -> Finding:
    """The robot must not run like this."""
    return Finding(Level.ERROR, subject, text)


def some(names: list[str], most: int = 4) -> str:
    """A list for a person: the first few, and how many more."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
