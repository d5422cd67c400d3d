"""A picture of a run: what a person looks at first, over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wbc_control.errors import BackendError
from wbc_control.simulation.closed_loop import ClosedLoop, Period
from wbc_control.simulation.metrics.metric import StackView
from wbc_control.simulation.metrics.truth import TrueKinematics

_EVERY_S = 0.01


class Plotter:
    """An observer that keeps a hundred samples a second and draws them at the end.

    Args:
        loop: The run.
        path: PNG, PDF or SVG to write.

    Raises:
        BackendError: matplotlib is not installed.
    """

    def __init__(self, loop: ClosedLoop, path: Path) -> None:
        try:
            import matplotlib  # noqa: F401
        except ModuleNotFoundError as error:
            raise BackendError("--plot needs matplotlib: pip install matplotlib", where=str(path)) from error
        self._loop, self._path = loop, path
        self._view, self._kinematics = StackView(loop.controller), TrueKinematics(loop.model)
        self._every = max(1, round(1e9 * _EVERY_S / loop.backend.period_ns))
        self._rows: list[dict[str, Any]] = []

    def observe(self, period: Period) -> None:
        """Keep a sample when it is due."""
        if period.index % self._every:
            return
        truth, reference = period.truth, self._view.reference
        self._kinematics.update(truth)
        wanted = np.full(3, np.nan) if reference is None else reference.com_position
        self._rows.append(
            {
                "t": 1e-9 * period.time_ns,
                "com": self._kinematics.com.copy(),
                "com_wanted": wanted,
                "force": truth.foot_force[:, 2].copy(),
                "effort": np.abs(period.effort / self._loop.model.limits.effort).max(initial=0.0),
                "tick_us": 1e-3 * period.tick_ns,
            }
        )

    def close(self) -> None:
        """Draw and write the file."""
        from matplotlib.figure import Figure

        if not self._rows:
            return
        time_s = np.array([row["t"] for row in self._rows])
        figure = Figure(figsize=(10, 11), layout="constrained")
        com, forces, effort, tick = figure.subplots(4, 1, sharex=True)
        self._draw_com(com, time_s)
        forces.plot(time_s, self._column("force"), label=list(self._loop.model.foot_names))
        forces.set_ylabel("normal force, N")
        forces.legend(loc="upper right")
        effort.plot(time_s, self._column("effort"))
        effort.set_ylabel("torque use")
        tick.plot(time_s, self._column("tick_us"))
        tick.set_ylabel("tick, us")
        tick.set_xlabel("time, s")
        com.set_title(f"{self._loop.model.parameters.name}, {self._loop.scenario.name}")
        try:
            figure.savefig(self._path)
        except (OSError, ValueError) as error:
            raise BackendError(f"cannot be written: {error}", where=str(self._path)) from error

    def _column(self, name: str) -> Any:
        return np.array([row[name] for row in self._rows])

    def _draw_com(self, axes: Any, time_s: Any) -> None:
        """Way of the centre of mass from its start, solid true, dashed planned."""
        true, wanted = self._column("com"), self._column("com_wanted")
        for axis, color in zip(range(3), ("tab:red", "tab:green", "tab:blue")):
            axes.plot(time_s, 1e3 * (true[:, axis] - true[0, axis]), color=color, label=f"CoM {'xyz'[axis]}")
            axes.plot(time_s, 1e3 * (wanted[:, axis] - wanted[0, axis]), color=color, linestyle="--")
        axes.set_ylabel("CoM, mm (dashed: planned)")
        axes.legend(loc="upper right")
