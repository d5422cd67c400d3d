"""How fast the run was: tick times, missed deadlines, real-time factor, memory."""

from __future__ import annotations

import resource
import sys
from typing import Any

from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric, percentiles


class Pace(Metric):
    """Wall time of the controller's ticks against the control period."""

    def __init__(self, period_ns: int) -> None:
        self._period_ns = period_ns
        self._ticks_ns: list[int] = []

    def observe(self, period: Period) -> None:
        """Keep the tick's duration."""
        self._ticks_ns.append(period.tick_ns)

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``real_time_factor``, ``ticks``, ``tick_us``, ``deadline_misses``, ``peak_memory_mb`` of this process."""
        return {
            "real_time_factor": round(outcome.sim_time_s / max(outcome.wall_time_s, 1e-9), 3),
            "ticks": len(self._ticks_ns),
            "tick_us": percentiles([1e-3 * t for t in self._ticks_ns]),
            "deadline_misses": sum(t > self._period_ns for t in self._ticks_ns),
            "peak_memory_mb": round(peak_memory_mb(), 1),
        }


def peak_memory_mb() -> float:
    """Largest resident size of this process so far, MB (the system counts in KiB, on macOS in bytes)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
