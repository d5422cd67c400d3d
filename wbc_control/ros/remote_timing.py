"""How long the nodes take to answer a sensor sample, and how even the periods are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_SHARES = {"p10": 10.0, "p50": 50.0, "p90": 90.0, "p99": 99.0, "p999": 99.9, "max": 100.0}


class Timing:
    """Collects times of a run.

    Attributes:
        periods: Control periods seen.
        missed: Of those, the ones that ended before a command came.
    """

    def __init__(self) -> None:
        self._round_trips: list[int] = []
        self._periods: list[int] = []
        self._last_ns = 0
        self._sent_ns = 0
        self._answered = True
        self.periods = 0
        self.missed = 0

    def sent(self, now_ns: int) -> None:
        """The sample of a period leaves, at a monotonic time."""
        if self._last_ns:
            self._periods.append(now_ns - self._last_ns)
        self._last_ns = self._sent_ns = now_ns
        self._answered = False
        self.periods += 1

    def answered(self, now_ns: int) -> None:
        """A command arrives; the first of a period counts."""
        if not self._answered:
            self._answered = True
            self._round_trips.append(now_ns - self._sent_ns)

    def closed(self) -> None:
        """The period ends, by its deadline; an answer after that is late but still timed."""
        self.missed += not self._answered

    def pause(self) -> None:
        """What follows does not belong to the periods before, and answers none of their samples."""
        self._last_ns, self._answered = 0, True

    def round_trip_us(self) -> dict[str, float]:
        """Percentiles from sample to command, µs."""
        return _percentiles(self._round_trips)

    def period_us(self) -> dict[str, float]:
        """Percentiles of the time between two samples, µs."""
        return _percentiles(self._periods)


def _percentiles(times_ns: Sequence[int]) -> dict[str, float]:
    if not times_ns:
        return {}
    found = np.percentile(times_ns, list(_SHARES.values()))
    return {name: round(1e-3 * float(value), 1) for name, value in zip(_SHARES, found, strict=True)}
