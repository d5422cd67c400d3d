"""Records a run into a file: MCAP for viewers (Foxglove, PlotJuggler) or CSV."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from wbc_control.errors import BackendError
from wbc_control.parameters import StackParameters
from wbc_control.simulation.closed_loop import ClosedLoop, Outcome, Period
from wbc_control.simulation.falling import FallDetector
from wbc_control.simulation.metrics.events import Events
from wbc_control.simulation.metrics.metric import StackView
from wbc_control.simulation.recording_channels import Channel, effort_channels, sensor_channels, truth_channels
from wbc_control.simulation.recording_csv import CsvSink
from wbc_control.simulation.recording_mcap import McapSink
from wbc_control.simulation.recording_stack import CommandChannels, EstimateChannels, TrueBalanceChannels
from wbc_control.simulation.report import plain

MCAP, CSV = ".mcap", ".csv"


class Sink(Protocol):
    """Where a recording goes."""

    def write(self, period: Period) -> None:
        """All channels of a period."""

    def write_event(self, time_ns: int, text: str) -> None:
        """Something that happened."""

    def close(self) -> None:
        """Finish the file."""


class Recorder:
    """An observer that records every ``every``-th period.

    Args:
        loop: The run.
        parameters: Of the stack.
        path: File to write; its suffix says how: ``.mcap`` or ``.csv``.
        every: Periods from one record to the next.

    Raises:
        BackendError: Another suffix, ``every`` below one, a file that cannot be written, a missing package.
    """

    def __init__(self, loop: ClosedLoop, parameters: StackParameters, path: Path, every: int = 1) -> None:
        if every < 1:
            raise BackendError(f"is {every}, wanted at least 1", where="--record-every", value=every, bound=1)
        self._loop, self._every = loop, every
        self._events = Events(loop.scenario, StackView(loop.controller))
        self._last_ns = 0
        self._sink = _open(loop, parameters, path, every)

    def observe(self, period: Period) -> None:
        """Record the period when it is due."""
        self._events.observe(period)
        self._last_ns = period.time_ns
        if period.index % self._every == 0:
            self._sink.write(period)

    def close(self) -> None:
        """Write the events and finish the file, however the run ended."""
        end_s = 1e-9 * (self._last_ns + self._loop.backend.period_ns)
        reason = FallDetector(self._loop.model, self._loop.ground).judge(self._loop.backend.ground_truth())
        outcome = Outcome(bool(reason), reason, end_s, 0.0, 0)
        try:
            for row in self._events.result(outcome)["events"]:
                text = f"{row['event']}: {row['detail']}" if row["detail"] else row["event"]
                self._sink.write_event(round(1e9 * row["t"]), text)
        finally:
            self._sink.close()


def _open(loop: ClosedLoop, parameters: StackParameters, path: Path, every: int) -> Sink:
    channels = channels_of(loop, parameters)
    if path.suffix == CSV:
        return CsvSink(path, channels)
    if path.suffix == MCAP:
        return McapSink(path, channels, about(loop, parameters, every), loop.model.urdf_text)
    message = f"ends in '{path.suffix}', wanted {MCAP} (Foxglove, PlotJuggler) or {CSV}"
    raise BackendError(message, where=str(path), value=path.suffix, bound=(MCAP, CSV))


def channels_of(loop: ClosedLoop, parameters: StackParameters) -> list[Channel]:
    """Every channel of a run: those of the stack only where its controller has one."""
    model, view = loop.model, StackView(loop.controller)
    channels = sensor_channels(model) + effort_channels(model, parameters.bridge.controller) + truth_channels(model)
    if hasattr(loop.controller, "estimate"):
        channels += EstimateChannels(model, view).channels()
    if hasattr(loop.controller, "output"):
        channels += CommandChannels(model, view, loop.controller).channels()
    return channels + TrueBalanceChannels(model, loop.backend.period_ns).channels()


def about(loop: ClosedLoop, parameters: StackParameters, every: int) -> dict[str, str]:
    """Facts of the run that no message holds; values are JSON."""
    model = loop.model
    facts: dict[str, Any] = {
        "robot": parameters.robot.name,
        "scenario": loop.scenario.name,
        "seed": loop.scenario.seed,
        "period_ns": loop.backend.period_ns,
        "every": every,
        "joints": model.joint_names,
        "feet": model.foot_names,
        "sole_corners": {foot.name: foot.corners.tolist() for foot in model.feet},
        "mass_kg": model.mass,
        "effort_limit": model.limits.effort.tolist(),
        "velocity_limit": model.limits.velocity.tolist(),
        "friction": loop.ground.friction,
        "fixed_base": not model.floating_base,
    }
    return {name: json.dumps(plain(value)) for name, value in facts.items()}
