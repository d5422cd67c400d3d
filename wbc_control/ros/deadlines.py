"""Absolute deadlines: a period that does not drift, overruns counted, never a burst to catch up."""
from __future__ import annotations

import time


class Deadlines:
    """A grid of monotonic times, one period apart.

    A tick that takes too long loses the grid points it ran over; the next one keeps the phase.

    Attributes:
        period_ns: Distance of the grid, ns.
        ticks: Deadlines met or missed so far.
        missed: Grid points lost.
    """

    def __init__(self, period_ns: int) -> None:
        self.period_ns = period_ns
        self.ticks = 0
        self.missed = 0
        self.next_ns = time.monotonic_ns() + period_ns

    def restart(self) -> None:
        """Begin a new grid now, for instance after a pause that was meant."""
        self.next_ns = time.monotonic_ns() + self.period_ns

    def remaining_ns(self) -> int:
        """Time to the next deadline, ns; negative when it has passed."""
        return self.next_ns - time.monotonic_ns()

    def advance(self) -> int:
        """Move to the first grid point in the future; how many were lost on the way."""
        late = time.monotonic_ns() - self.next_ns
        lost = max(0, late // self.period_ns)
        self.next_ns += (1 + lost) * self.period_ns
        self.ticks += 1
        self.missed += lost
        return lost

    def sleep(self) -> int:
        """Sleep until the deadline and move on; how many deadlines were lost."""
        remaining = self.remaining_ns()
        if remaining > 0:
            time.sleep(1e-9 * remaining)
        return self.advance()


class Pace:
    """Rate and work time of a loop, for the status line and diagnostics.

    Attributes:
        rate: Ticks per second over the last window.
        work_mean_us: Mean time inside a tick over the last window, µs.
        work_max_us: Longest, µs.
        overruns: Ticks longer than the period since the start.
    """

    def __init__(self, period_ns: int, window_s: float = 1.0) -> None:
        self._period_ns = period_ns
        self._window_ns = round(window_s * 1e9)
        self._begin = time.monotonic_ns()
        self._count = self._sum = self._longest = 0
        self.rate = self.work_mean_us = self.work_max_us = 0.0
        self.overruns = 0

    def note(self, start_ns: int, end_ns: int) -> None:
        """Account for one tick between two monotonic times."""
        work = end_ns - start_ns
        self._count += 1
        self._sum += work
        self._longest = max(self._longest, work)
        self.overruns += work > self._period_ns
        if end_ns - self._begin >= self._window_ns:
            self._close(end_ns)

    def _close(self, now: int) -> None:
        self.rate = 1e9 * self._count / (now - self._begin)
        self.work_mean_us = 1e-3 * self._sum / self._count
        self.work_max_us = 1e-3 * self._longest
        self._begin, self._count, self._sum, self._longest = now, 0, 0, 0
