"""Health of the whole-body controller's solver over a run."""
from __future__ import annotations

from collections import Counter
from typing import Any

from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric, StackView


class SolverHealth(Metric):
    """Counts unsolved ticks, fallbacks and their named causes; keeps the largest dynamics residual."""

    def __init__(self, view: StackView) -> None:
        self._view = view
        self._not_solved = self._fallbacks = self._solved = self._iterations = 0
        self._causes: Counter[str] = Counter()
        self._residual: float | None = None

    def observe(self, period: Period) -> None:
        """Read the controller's last output."""
        output = self._view.output
        telemetry = getattr(output, "telemetry", None)
        if telemetry is None:
            return
        self._solved += 1
        self._iterations += telemetry.iterations

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``solver`` and ``dynamics_residual_max``."""
        solver = {
            "not_solved": self._not_solved,
            "fallbacks": self._fallbacks,
            "iterations_mean": self._iterations / self._solved if self._solved else None,
            "causes": dict(self._causes),
        }
        return {"solver": solver, "dynamics_residual_max": self._residual}
