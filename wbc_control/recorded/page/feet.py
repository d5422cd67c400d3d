"""What the feet carry, and what was thought and planned of their contacts."""

from __future__ import annotations

import numpy as np

from wbc_control.recorded.page.run import Run, missing
from wbc_control.recorded.page.svg import COLOURS, Line


def feet_section(run: Run) -> list[str]:
    """A plot of forces a foot, then all contacts as bars."""
    if not run.feet:
        return [missing("contact_state", "<foot>/wrench")]
    forces = [run.plot(f"{foot}: normal force, N", _forces(run, foot), height=150.0) for foot in run.feet]
    return forces + [_schedule(run)]


def _forces(run: Run, foot: str) -> list[Line]:
    """Measured in the sole's frame; estimated, true and planned ones upward."""
    recording, lines = run.recording, []
    wrench = recording.find(f"{foot}/wrench")
    if wrench is not None:
        lines.append(Line("measured", run.time(wrench), wrench.fields["force"][:, 2], COLOURS[0]))
    said = (
        ("estimated", recording.find("contact_state"), COLOURS[2]),
        ("true", recording.truth("contact_state"), COLOURS[1]),
    )
    for label, series, colour in said:
        column = None if series is None else series.column(foot, "effort")
        if series is not None and column is not None:
            lines.append(Line(label, run.time(series), column, colour, label == "true"))
    plan = recording.find("planner/reference")
    force = None if plan is None else plan.column(foot, "force")
    if plan is not None and force is not None:
        lines.append(Line("planned", run.time(plan), force[:, 2], COLOURS[3], True))
    return lines


def _schedule(run: Run) -> str:
    """A bar where a foot is in contact: estimated, true, planned."""
    lines, rows = [], []
    for number, foot in enumerate(reversed(run.feet)):
        for shift, (label, time_s, contact) in enumerate(_contacts(run, foot)):
            level = number + 0.22 * shift
            bar = np.where(contact, level, np.nan)
            lines.append(Line(label, time_s, bar, COLOURS[{"estimated": 2, "true": 1, "planned": 3}[label]]))
        rows.append(f"{number}: {foot}")
    label = f"contacts ({', '.join(rows)})"
    return run.plot(label, lines, height=60.0 + 40.0 * len(run.feet), y_range=(-0.2, len(run.feet) - 0.2))


def _contacts(run: Run, foot: str) -> list[tuple[str, np.ndarray, np.ndarray]]:
    recording, found = run.recording, []
    said = recording.find("contact_state")
    if said is not None and foot in said.names:
        row = f"{foot}/decision" if f"{foot}/decision" in said.names else foot
        column = said.column(row)
        assert column is not None
        found.append(("estimated", run.time(said), column > 0.5))
    truth = recording.truth("contact_state")
    column = None if truth is None else truth.column(foot)
    if truth is not None and column is not None:
        found.append(("true", run.time(truth), column > 0.5))
    plan = recording.find("planner/reference")
    force = None if plan is None else plan.column(foot, "force")
    if plan is not None and force is not None:
        found.append(("planned", run.time(plan), force[:, 2] > 0.0))
    return found
