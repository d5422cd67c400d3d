"""What happened when: pushes, faults, parameter changes, health of the estimate, the fall."""

from __future__ import annotations

from typing import Any

from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric, StackView
from wbc_control.simulation.scenario import Scenario

_LARGEST_NUMBER = 200


class Events(Metric):
    """A list of ``{t, event, detail}`` in order of time, at most 200."""

    def __init__(self, scenario: Scenario, view: StackView) -> None:
        self._view = view
        self._rows = _planned(scenario)
        self._healthy: bool | None = None

    def observe(self, period: Period) -> None:
        """Note when the estimate becomes healthy or ceases to be."""
        estimate = self._view.estimate
        if estimate is None or estimate.healthy == self._healthy:
            return
        self._healthy = estimate.healthy
        name = "estimate healthy" if estimate.healthy else "estimate unhealthy"
        self._rows.append({"t": 1e-9 * period.time_ns, "event": name, "detail": estimate.reason})

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``events``: only those up to the end of the run."""
        rows = [row for row in self._rows if row["t"] <= outcome.sim_time_s]
        if outcome.fell:
            rows.append({"t": outcome.sim_time_s, "event": "fall", "detail": outcome.reason})
        return {"events": sorted(rows, key=lambda row: row["t"])[:_LARGEST_NUMBER]}


def _planned(scenario: Scenario) -> list[dict[str, Any]]:
    """What the scenario itself does."""
    rows = [
        {"t": p.t, "event": "push", "detail": f"{list(p.impulse)} N·s on {p.link or 'torso'}"} for p in scenario.push
    ]
    rows += [{"t": f.t, "event": "fault", "detail": f"{f.kind} on {f.topic}"} for f in scenario.fault]
    rows += [
        {"t": c.t, "event": "parameters", "detail": ", ".join(f"{k}={v}" for k, v in c.values.items())}
        for c in scenario.set
    ]
    return rows
