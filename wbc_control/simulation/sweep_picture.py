"""Polar diagram of a push sweep: how hard a push from each side the robot took."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wbc_control.errors import BackendError


def draw_polar(rows: Sequence[Mapping[str, Any]], title: str, path: Path) -> None:
    """Write the diagram of the rows of :func:`wbc_control.simulation.sweep_pushes.push_table`: PNG, PDF or SVG.

    Radius is the impulse as a share of m·ω·d of its direction; the circle at 1 is the pendulum's zero-step limit.  Green
    dots stood, red crosses fell, the filled region is what was stood without exception.

    Raises:
        BackendError: matplotlib is not installed, or the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise BackendError("--polar needs matplotlib: pip install matplotlib", where=str(path)) from error
    figure = Figure(figsize=(7, 7), layout="constrained")
    axes: Any = figure.subplots(subplot_kw={"projection": "polar"})
    angles = [math.radians(row["direction_deg"]) for row in rows]
    survived = [row["survived_ratio"] for row in rows]
    closed = [*angles, angles[0] + 2.0 * math.pi], [*survived, survived[0]]
    axes.fill(*closed, color="tab:green", alpha=0.2)
    axes.plot(*closed, color="tab:green")
    circle = [2.0 * math.pi * k / 180 for k in range(181)]
    axes.plot(circle, [1.0] * 181, color="black", linestyle="--", linewidth=1.0, label="zero-step limit m·ω·d")
    for angle, row in zip(angles, rows):
        for cell in row["ratios"]:
            stood = cell["successes"] == cell["n"]
            axes.plot(angle, cell["ratio"], "o" if stood else "x", color="tab:green" if stood else "tab:red")
    axes.set_theta_zero_location("N")
    axes.set_ylim(0.0, 1.05 * max(1.0, *(cell["ratio"] for row in rows for cell in row["ratios"])))
    axes.set_title(f"{title}: impulse over m·ω·d, 0° forward, 90° left")
    axes.legend(loc="lower right")
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise BackendError(f"cannot be written: {error}", where=str(path)) from error
