"""Thins a fast loop out for slow readers."""

from __future__ import annotations


class Every:
    """Due once a period of the loop's own time.

    Args:
        rate: Times per second; 0 is never.
    """

    def __init__(self, rate: float) -> None:
        self._period_ns = round(1e9 / rate) if rate > 0.0 else 0
        self._next_ns = 0

    def due(self, time_ns: int) -> bool:
        """Whether a period has passed since it was last due; a jump of time in either direction restarts it."""
        if self._period_ns == 0:
            return False
        if time_ns < self._next_ns - self._period_ns or time_ns >= self._next_ns + self._period_ns:
            self._next_ns = time_ns
        if time_ns < self._next_ns:
            return False
        self._next_ns += self._period_ns
        return True
