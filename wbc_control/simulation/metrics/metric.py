"""What every metric offers, and how it looks at the control stack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.closed_loop import Outcome, Period

Array = NDArray[np.float64]


class Metric(ABC):
    """Watches a run and contributes keys to its report."""

    @abstractmethod
    def observe(self, period: Period) -> None:
        """Called once a control period."""

    @abstractmethod
    def result(self, outcome: Outcome) -> dict[str, Any]:
        """Keys and values for the report; numbers are finite or None where undefined."""


class StackView:
    """Read access to the last tick of a control stack; a controller that lacks a part shows None there."""

    def __init__(self, controller: Any) -> None:
        self._controller = controller

    @property
    def estimate(self) -> Any:
        """Last :class:`~wbc_control.state.Estimate`."""
        return getattr(self._controller, "estimate", None)

    @property
    def reference(self) -> Any:
        """Last :class:`~wbc_control.state.PlanSample` the whole-body controller followed."""
        return getattr(self._controller, "reference", None)

    @property
    def output(self) -> Any:
        """Last output of the whole-body controller."""
        return getattr(self._controller, "output", None)


def root_mean_square(values: Sequence[float]) -> float | None:
    """Root mean square; None without values."""
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else None


def percentiles(values: Sequence[float] | Array) -> dict[str, float]:
    """p50, p90, p99, p999 and max."""
    if not len(values):
        return {}
    names = {"p50": 50.0, "p90": 90.0, "p99": 99.0, "p999": 99.9, "max": 100.0}
    found = np.percentile(values, list(names.values()))
    return {name: round(float(value), 3) for name, value in zip(names, found)}
