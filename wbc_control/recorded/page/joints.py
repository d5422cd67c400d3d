"""Torque, speed and tracking of every joint, against its limits."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.recorded.page.run import Run, at_times, missing
from wbc_control.recorded.page.svg import COLOURS, Line

Array = NDArray[np.float64]

_LIMIT = "#c0392b"
_HIGH_USE = 0.95


@dataclass(frozen=True)
class JointUse:
    """What a joint had to give.

    Attributes:
        name: Joint.
        effort, velocity: Largest amounts, N·m and rad/s.
        effort_rms: Root mean square effort, N·m.
        effort_use, velocity_use: Share of the limits; NaN without one.
        error_rms: Root mean square of wanted less measured position, rad; NaN without a command.
    """

    name: str
    effort: float
    velocity: float
    effort_rms: float
    effort_use: float
    velocity_use: float
    error_rms: float


def efforts(run: Run) -> tuple[Array, Array] | None:
    """(T,) times and (T, n) efforts of the joints in :attr:`Run.joints`: those that reached the motors, else as sensed."""
    for series in (run.recording.truth("joint_states"), run.recording.find("joint_states")):
        if series is not None and np.isfinite(series.fields["effort"]).any():
            columns = [series.column(name, "effort") for name in run.joints]
            lost = np.full(len(series.time_s), np.nan)
            return run.time(series), np.array([lost if c is None else c for c in columns]).T
    return None


def joint_uses(run: Run) -> list[JointUse]:
    """Every joint's largest effort and speed, and how well it tracked."""
    torque, states = efforts(run), run.recording.find("joint_states")
    if torque is None or states is None:
        return []
    errors = _errors(run)
    found = []
    for number, name in enumerate(run.joints):
        effort, speed = torque[1][:, number], states.column(name, "velocity")
        largest = _largest(effort), np.nan if speed is None else _largest(speed)
        limits = [run.limits[kind].get(name, np.nan) for kind in ("effort", "velocity")]
        uses = largest[0] / limits[0], largest[1] / limits[1]
        found.append(JointUse(name, *largest, _rms(effort), *uses, _rms(errors[:, number])))
    return found


def _errors(run: Run) -> Array:
    """(T, n) wanted less measured positions, NaN without a command."""
    states, command = run.recording.find("joint_states"), run.recording.find("joint_command")
    if states is None or command is None:
        return np.full((1, len(run.joints)), np.nan)
    wanted = at_times(command, command.fields["position"], states.time_s)
    measured = [states.column(name) for name in command.names]
    lost = np.full(len(states.time_s), np.nan)
    return wanted - np.array([lost if m is None else m for m in measured]).T


def joints_section(run: Run) -> list[str]:
    """A table of use, then a small plot a joint."""
    torque, uses = efforts(run), joint_uses(run)
    if torque is None or not uses:
        return [missing("joint_states with efforts")]
    plots = "".join(_small(run, torque, number) for number in range(len(run.joints)))
    return [_table(uses), f'<div class="many">{plots}</div>']


def _small(run: Run, torque: tuple[Array, Array], number: int) -> str:
    name = run.joints[number]
    time_s, limit = torque[0], run.limits["effort"].get(name)
    lines = [Line("", time_s, torque[1][:, number], COLOURS[0])]
    if limit is not None:
        ends = np.array([0.0, run.end_s])
        lines += [Line("", ends, np.full(2, sign * limit), _LIMIT, True) for sign in (-1.0, 1.0)]
    return run.plot(f"{name}, N·m", lines, width=300.0, height=110.0)


def _table(uses: list[JointUse]) -> str:
    head = "joint", "largest, N·m", "of limit", "rms, N·m", "fastest, rad/s", "of limit", "tracking rms, rad"
    rows = []
    for use in uses:
        cells = [f"{use.effort:.2f}", _share(use.effort_use), f"{use.effort_rms:.2f}"]
        cells += [f"{use.velocity:.2f}", _share(use.velocity_use), _optional(use.error_rms)]
        rows.append(f"<tr><th>{html.escape(use.name)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return f"<table><tr>{''.join(f'<th>{word}</th>' for word in head)}</tr>{''.join(rows)}</table>"


def _share(value: float) -> str:
    if not np.isfinite(value):
        return "–"
    text = f"{100.0 * value:.0f} %"
    return f'<span class="bad">{text}</span>' if value > _HIGH_USE else text


def _optional(value: float) -> str:
    return f"{value:.4f}" if np.isfinite(value) else "–"


def _largest(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max()) if len(finite) else float("nan")


def _rms(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(finite**2))) if len(finite) else float("nan")
