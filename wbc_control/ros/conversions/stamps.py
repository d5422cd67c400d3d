"""Time: ``time_ns: int`` ↔ builtin_interfaces Time and Duration."""

from __future__ import annotations

from typing import Any

NANOSECONDS = 1_000_000_000


def stamp_ns(stamp: Any) -> int:
    """Nanoseconds of a Time or Duration message."""
    return int(stamp.sec) * NANOSECONDS + int(stamp.nanosec)


def set_stamp(stamp: Any, time_ns: int) -> None:
    """Write nanoseconds into a Time or Duration message in place."""
    stamp.sec, stamp.nanosec = divmod(time_ns, NANOSECONDS)
