"""How the base moves: height, tilt, velocity against command."""

from __future__ import annotations

import numpy as np

from wbc_control.recorded.page.run import Run, missing, tilt
from wbc_control.recorded.page.svg import COLOURS, Line
from wbc_control.recorded.recording import Series


def base_section(run: Run) -> list[str]:
    """Height, tilt and velocity."""
    rows = [(series, word) for series, word in _bases(run) if series is not None]
    if not rows:
        return [missing("odom")]
    height, lean = [], []
    for series, word in rows:
        dashed, colour, time_s = word == "true", COLOURS[0] if word != "true" else COLOURS[1], run.time(series)
        height.append(Line(word, time_s, series.fields["position"][:, 2], colour, dashed))
        lean.append(Line(word, time_s, np.degrees(tilt(series.fields["orientation"])), colour, dashed))
    return [run.plot("base height, m", height), run.plot("base tilt, °", lean), *_velocity(run, rows[0][0])]


def _bases(run: Run) -> list[tuple[Series | None, str]]:
    return [(run.recording.find("odom"), "estimated"), (run.recording.truth("odom"), "true")]


def _velocity(run: Run, base: Series) -> list[str]:
    """Velocity in the base's own axes against what was asked for."""
    command, time_s = run.recording.find("cmd_vel"), run.time(base)
    parts = []
    for label, field, axes in (("velocity, m/s", "linear", "xy"), ("yaw rate, rad/s", "angular", "z")):
        lines = []
        for axis in axes:
            place = "xyz".index(axis)
            lines.append(Line(axis, time_s, base.fields[field][:, place], COLOURS[place]))
            if command is not None:
                asked = command.fields[field][:, place]
                lines.append(Line(f"{axis} asked", run.time(command), asked, COLOURS[place], True))
        parts.append(run.plot(f"base {label}", lines))
    return parts
