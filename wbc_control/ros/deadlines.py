"""Absolute deadlines: a period that does not drift, overruns counted, never a burst to catch up."""

from __future__ import annotations

import math
import time

_LOG_WIDTH = math.log(1.02)
_BINS = 1200
_SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}


class Deadlines:
    """A grid of monotonic times, one period apart.

    A tick that takes too long loses the grid points it ran over: the next tick comes at once, the ones after it are on
    the grid again.

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

    def slip(self) -> None:
        """The world waited: deadlines that passed count as missed, and the grid begins anew, one whole period long."""
        late = time.monotonic_ns() - self.next_ns
        self.missed += 1 + late // self.period_ns if late > 0 else 0
        self.restart()

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

    Work times since the start are kept in bins two per cent wide, so that percentiles cost no memory and no sorting.

    Attributes:
        rate: Ticks per second over the last window.
        work_mean_us: Mean time inside a tick over the last window, µs.
        work_max_us: Longest in the last window, µs.
        overruns: Ticks longer than the period since the start.
    """

    def __init__(self, period_ns: int, window_s: float = 1.0) -> None:
        self._period_ns = period_ns
        self._window_ns = round(window_s * 1e9)
        self._begin = time.monotonic_ns()
        self._count = self._sum = self._longest = 0
        self._bins = [0] * _BINS
        self._longest_ever = 0
        self.rate = self.work_mean_us = self.work_max_us = 0.0
        self.overruns = 0

    def note(self, start_ns: int, end_ns: int) -> None:
        """Account for one tick between two monotonic times."""
        work = end_ns - start_ns
        self._count += 1
        self._sum += work
        self._longest = max(self._longest, work)
        self.overruns += work > self._period_ns
        self._bins[min(int(math.log(max(work, 1)) / _LOG_WIDTH), _BINS - 1)] += 1
        if end_ns - self._begin >= self._window_ns:
            self._close(end_ns)

    def percentiles_us(self) -> dict[str, float]:
        """p50, p90, p99, p999, max of the work times since the start, µs; within two per cent, the maximum exact."""
        total = sum(self._bins)
        found, passed, wanted = {}, 0, dict(_SHARES)
        for number, count in enumerate(self._bins):
            passed += count
            for name in [name for name, share in wanted.items() if total and passed >= share * total]:
                found[name] = 1e-3 * math.exp((number + 0.5) * _LOG_WIDTH)
                del wanted[name]
        return found | ({"max": 1e-3 * max(self._longest_ever, self._longest)} if total else {})

    def _close(self, now: int) -> None:
        self.rate = 1e9 * self._count / (now - self._begin)
        self.work_mean_us = 1e-3 * self._sum / self._count
        self.work_max_us = 1e-3 * self._longest
        self._longest_ever = max(self._longest_ever, self._longest)
        self._begin, self._count, self._sum, self._longest = now, 0, 0, 0
