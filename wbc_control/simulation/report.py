"""The report of one run: every number from ground truth, as plain JSON values."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from wbc_control.errors import WbcError
from wbc_control.parameters import StackParameters
from wbc_control.simulation.carried_bodies import scenario_payload
from wbc_control.simulation.closed_loop import ClosedLoop, Outcome, Period
from wbc_control.simulation.metrics.balance import FrictionUse, ZmpMargin
from wbc_control.simulation.metrics.base import BaseEstimate, OdometryFrame
from wbc_control.simulation.metrics.contact import ContactDetection
from wbc_control.simulation.metrics.efforts import EffortUse
from wbc_control.simulation.metrics.events import Events
from wbc_control.simulation.metrics.metric import Metric, StackView
from wbc_control.simulation.metrics.motion_margin import MotionZmpMargin
from wbc_control.simulation.metrics.pace import Pace
from wbc_control.simulation.metrics.push_verdicts import PushVerdicts
from wbc_control.simulation.metrics.slip import SlipDetection
from wbc_control.simulation.metrics.solver import SolverHealth
from wbc_control.simulation.metrics.tracking import Distance, FeetCreep, Tracking
from wbc_control.simulation.metrics.truth import TrueKinematics

WALL_CLOCK_KEYS = ("real_time_factor", "tick_us", "deadline_misses", "peak_memory_mb")
"""Keys that depend on the machine; all others are bit-identical for the same scenario and seed."""


class Report:
    """Collects the metrics of a run; pass it to the loop as an observer, then ask for :meth:`build`.

    Args:
        loop: The run to be observed.
        parameters: Of the stack, for the limits that use is measured against.
    """

    def __init__(self, loop: ClosedLoop, parameters: StackParameters) -> None:
        self._loop, self._robot_name = loop, parameters.robot.name
        self._metrics = _metrics(loop, parameters)

    def observe(self, period: Period) -> None:
        """Hand the period to every metric."""
        for metric in self._metrics:
            metric.observe(period)

    def build(self, outcome: Outcome) -> dict[str, Any]:
        """The report as JSON values."""
        report: dict[str, Any] = {
            "robot": self._robot_name,
            "scenario": self._loop.scenario.name,
            "seed": self._loop.scenario.seed,
            "fell": outcome.fell,
            "fall_reason": outcome.reason,
            "sim_time_s": outcome.sim_time_s,
        }
        for metric in self._metrics:
            report |= metric.result(outcome)
        return plain(report)


def _metrics(loop: ClosedLoop, parameters: StackParameters) -> list[Metric]:
    model, period_ns = loop.model, loop.backend.period_ns
    view, kinematics, frame = StackView(loop.controller), TrueKinematics(loop.model), OdometryFrame()
    metrics: list[Metric] = [Pace(period_ns), SolverHealth(view)]
    if model.feet:
        payload = scenario_payload(model, loop.scenario.payload)
        metrics += [ZmpMargin(model, kinematics), FrictionUse(model, loop.ground.friction)]
        metrics.append(MotionZmpMargin(model, kinematics, period_ns, loop.pushes.pushes, payload))
    metrics.append(EffortUse(model, parameters.bridge.torque_rate, period_ns))
    if model.feet:
        metrics += [ContactDetection(view, period_ns), SlipDetection(model, view, period_ns)]
    metrics += [BaseEstimate(view, frame), Tracking(view, frame, kinematics), Distance(period_ns)]
    metrics.append(FeetCreep(len(model.feet), period_ns))
    metrics.append(PushVerdicts(model, loop.pushes.pushes, view, frame, kinematics, loop.ground))
    metrics.append(Events(loop.scenario, view))
    return metrics


def plain(value: Any) -> Any:
    """NumPy and non-finite numbers as what JSON knows; a number that is not finite becomes None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def write_json(report: Any, path: str | Path) -> None:
    """Write a report.

    Raises:
        WbcError: The file cannot be written.
    """
    try:
        Path(path).write_text(json.dumps(report, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise WbcError(f"cannot be written: {error.strerror}", where=str(path)) from error
