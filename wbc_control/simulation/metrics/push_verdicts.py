"""Each push: survived or not, how long until recovered, and how hard against the pendulum's limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.base import OdometryFrame
from wbc_control.simulation.metrics.metric import Metric, StackView
from wbc_control.simulation.metrics.truth import TrueKinematics
from wbc_control.simulation.pushes import Push, lipm_zero_step_limit
from wbc_control.simulation.terrain import Ground

Array = NDArray[np.float64]

RECOVERED_SPEED_M_S, RECOVERED_ERROR_M = 0.05, 0.02
"""Recovered: horizontal speed and error of the centre of mass against its reference stay below these."""


@dataclass
class _Trial:
    """A push as it goes."""

    push: Push
    limit: float | None = None
    com_before: Array = field(default_factory=lambda: np.zeros(3))
    last_disturbed_ns: int | None = None
    settled: bool = False


class PushVerdicts(Metric):
    """Judges every push from its start to the start of the next one."""

    def __init__(
        self,
        model: RobotModel,
        pushes: Sequence[Push],
        view: StackView,
        frame: OdometryFrame,
        kinematics: TrueKinematics,
        ground: Ground,
    ) -> None:
        self._robot, self._view, self._frame, self._kinematics, self._ground = model, view, frame, kinematics, ground
        self._trials = [_Trial(push) for push in sorted(pushes, key=lambda p: p.start_ns)]
        self._waiting = list(self._trials)
        self._current: _Trial | None = None

    def observe(self, period: Period) -> None:
        """Start the trial that is due and follow the current one."""
        if self._waiting and period.time_ns >= self._waiting[0].push.start_ns:
            self._current = self._waiting.pop(0)
            self._start(self._current, period)
        if self._current is not None:
            self._follow(self._current, period)

    def _start(self, trial: _Trial, period: Period) -> None:
        truth = period.truth
        self._kinematics.update(truth)
        trial.com_before = self._kinematics.com.copy()
        corners = [self._kinematics.corners_of(truth, int(foot)) for foot in np.flatnonzero(truth.in_contact)]
        if corners:
            height = self._ground.height(float(truth.q[0]), float(truth.q[1]))
            com, points = self._kinematics.com, np.vstack(corners)
            trial.limit = lipm_zero_step_limit(self._robot.mass, com, height, points, trial.push.impulse)

    def _follow(self, trial: _Trial, period: Period) -> None:
        self._kinematics.update(period.truth)
        wanted, wanted_velocity = trial.com_before, np.zeros(3)
        reference = self._view.reference
        if reference is not None and self._frame.known:
            wanted = self._frame.to_world(reference.com_position)
            wanted_velocity = self._frame.rotation @ reference.com_velocity
        error = float(np.linalg.norm((self._kinematics.com - wanted)[:2]))
        speed = float(np.linalg.norm((self._kinematics.com_velocity - wanted_velocity)[:2]))
        trial.settled = error < RECOVERED_ERROR_M and speed < RECOVERED_SPEED_M_S
        if not trial.settled:
            trial.last_disturbed_ns = period.time_ns

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``pushes``: one row each, also those a fall came before."""
        fell_ns = round(1e9 * outcome.sim_time_s) if outcome.fell else None
        return {"pushes": [self._verdict(trial, fell_ns) for trial in self._trials]}

    def _verdict(self, trial: _Trial, fell_ns: int | None) -> dict[str, Any]:
        push, size = trial.push, float(np.linalg.norm(trial.push.impulse))
        later = [t.push.start_ns for t in self._trials if t.push.start_ns > push.start_ns]
        end_ns = min(later, default=None)
        survived = fell_ns is None or (end_ns is not None and end_ns < fell_ns)
        recovery = None
        if survived and trial.settled:
            recovery = max(0.0, 1e-9 * ((trial.last_disturbed_ns or push.end_ns) - push.end_ns))
        ratio = float(np.linalg.norm(push.impulse[:2])) / trial.limit if trial.limit else None
        return {
            "t": 1e-9 * push.start_ns,
            "impulse": size,
            "impulse_world": push.impulse.tolist(),
            "link": push.link,
            "survived": survived,
            "recovery_s": recovery,
            "lipm_zero_step_limit": trial.limit,
            "ratio": ratio,
        }
