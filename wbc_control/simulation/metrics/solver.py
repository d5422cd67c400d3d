"""Health of the whole-body controller's solver over a run, from the stack's own telemetry."""

from __future__ import annotations

from collections import Counter
from typing import Any

from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric, StackView


class SolverHealth(Metric):
    """Unsolved ticks by cause, ticks on a fallback, mean iterations, largest dynamics residual."""

    def __init__(self, view: StackView) -> None:
        self._view = view
        self._ticks = self._not_solved = self._fallbacks = self._iterations = 0
        self._causes: Counter[str] = Counter()
        self._conflicts: Counter[str] = Counter()
        self._last_conflict: tuple[str, ...] = ()
        self._residual = 0.0

    def observe(self, period: Period) -> None:
        """Read the controller's last output."""
        output = self._view.output
        if output is None:
            return
        telemetry = output.telemetry
        self._ticks += 1
        self._iterations += telemetry.iterations
        self._residual = max(self._residual, telemetry.dynamics_residual)
        self._fallbacks += output.status.value != "solved"
        if telemetry.conflict and telemetry.conflict is not self._last_conflict:
            self._last_conflict = telemetry.conflict
            self._conflicts[" + ".join(telemetry.conflict)] += 1
        if not telemetry.solved:
            self._not_solved += 1
            self._causes[telemetry.cause] += 1

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``solver`` and ``dynamics_residual_max`` (relative); both count only ticks on which the controller ran."""
        solver = {
            "ticks": self._ticks,
            "not_solved": self._not_solved,
            "fallbacks": self._fallbacks,
            "iterations_mean": self._iterations / self._ticks if self._ticks else None,
            "causes": dict(self._causes),
            "conflicts": dict(self._conflicts),
        }
        return {"solver": solver, "dynamics_residual_max": self._residual if self._ticks else None}
