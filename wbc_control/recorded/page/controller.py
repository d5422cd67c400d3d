"""How long a tick took and what the solver said; what happened when."""

from __future__ import annotations

import html

from wbc_control.recorded.names import EVENTS
from wbc_control.recorded.page.run import Run, missing
from wbc_control.recorded.page.svg import COLOURS, Line

_SECONDARY = ("iterations", "dynamics_residual")
_DIAGNOSTICS = ("diagnostics", "rosout")
_LARGEST_NUMBER = 300


def controller_section(run: Run) -> list[str]:
    """Times of tick, solver and stages; iterations; unsolved ticks."""
    series = run.recording.find("wbc/solver")
    if series is None:
        return [missing("wbc/solver")]
    time_s, period_us = run.time(series), 1e-3 * run.about.get("period_ns", 0)
    durations = [name for name in series.names if name.endswith("_us")]
    lines = []
    for number, name in enumerate(durations):
        column = series.column(name)
        if column is not None:
            lines.append(
                Line(name[: -len("_us")], time_s, column, COLOURS[number % len(COLOURS)], number >= len(COLOURS))
            )
    if period_us:
        lines.append(Line("control period", time_s[[0, -1]], time_s[[0, -1]] * 0.0 + period_us, "#c0392b", True))
    parts = [run.plot("time, µs", lines)]
    for name in ("solved", *_SECONDARY):
        column = series.column(name) if name in series.names else None
        if column is not None:
            parts.append(run.plot(name, [Line("", time_s, column)], height=90.0))
    return parts


def events_section(run: Run) -> list[str]:
    """Events, and diagnostics whenever they change."""
    rows = [(time_s, text) for time_s, text in run.recording.text(EVENTS)]
    for topic in _DIAGNOSTICS:
        rows += _changes(run.recording.text(topic))
    if not rows:
        return [missing(EVENTS, *_DIAGNOSTICS)]
    listed = sorted(rows)[:_LARGEST_NUMBER]
    cells = "".join(f"<tr><td>{t - run.start_s:.3f} s</td><td>{html.escape(text)}</td></tr>" for t, text in listed)
    more = f"<p>… and {len(rows) - len(listed)} more</p>" if len(rows) > len(listed) else ""
    return [f"<table><tr><th>time</th><th>what</th></tr>{cells}</table>{more}"]


def _changes(texts: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Leaves out what repeats itself: the same source with the same words."""
    last: dict[str, str] = {}
    found = []
    for time_s, text in texts:
        source, _, words = text.partition(": ")
        if last.get(source) != words:
            found.append((time_s, text))
        last[source] = words
    return found
