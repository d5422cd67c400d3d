"""Sliding feet: when they truly begin to slide, and when the estimate says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.backend import GroundTruth
from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric, StackView
from wbc_control.state import ContactPhase

Array = NDArray[np.float64]

_ONSET_M_S, _LASTS_S = 0.05, 0.02
_LOADED = 0.045
_APART_S, _WAIT_S, _EARLY_S = 0.1, 0.1, 0.05
_SLIDING = int(ContactPhase.SLIDING)


class SlipDetection(Metric):
    """True slips of loaded feet against the phase ``sliding`` of the estimate.

    A slip begins when a foot that carries more than 4.5 % of the weight moves over the ground at more than 5 cm/s, if it
    goes on for 20 ms; what follows within 100 ms belongs to it.
    """

    def __init__(self, model: RobotModel, view: StackView, period_ns: int) -> None:
        self._robot, self._view, self._dt = model, view, 1e-9 * period_ns
        self._data = model.pinocchio.createData()
        self._fast: list[list[bool]] = []
        self._told: list[list[bool]] = []
        self._before: Array | None = None

    def observe(self, period: Period) -> None:
        """Keep who slides, in truth and by the estimate."""
        truth, estimate = period.truth, self._view.estimate
        self._fast.append(self._slides(truth))
        told = [False] * len(self._robot.feet) if estimate is None else estimate.contact.phase == _SLIDING
        self._told.append(list(told))

    def _slides(self, truth: GroundTruth) -> list[bool]:
        """Per foot; the exact speed is computed only where the sole's place moved fast enough to wonder."""
        before, self._before = self._before, truth.foot_position
        if before is None:
            return [False] * len(self._robot.feet)
        moved = np.hypot(*(truth.foot_position - before)[:, :2].T) / self._dt
        loaded = truth.foot_force[:, 2] > _LOADED * self._robot.weight
        suspects = loaded & (moved > _ONSET_M_S)
        if not suspects.any():
            return [False] * len(suspects)
        speeds = self._speeds(truth)
        return [bool(suspect and speed > _ONSET_M_S) for suspect, speed in zip(suspects, speeds, strict=True)]

    def _speeds(self, truth: GroundTruth) -> list[float]:
        """Horizontal speed, m/s, of each foot's resting point: a sphere that rolls does not slide."""
        model = self._robot.pinocchio
        pin.forwardKinematics(model, self._data, truth.q, truth.v)
        speeds = []
        for foot in self._robot.feet:
            motion = pin.getFrameVelocity(model, self._data, foot.frame_id, pin.LOCAL_WORLD_ALIGNED)
            (x, y, _), (roll, pitch, _) = motion.linear, motion.angular
            speeds.append(float(np.hypot(x - pitch * foot.radius, y + roll * foot.radius)))
        return speeds

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``slip``: number of true slips, how many were reported, delays, and reports without a true slip."""
        fast, told = np.array(self._fast, dtype=bool), np.array(self._told, dtype=bool)
        onsets, delays, unfounded = 0, [], 0
        for foot in range(fast.shape[1] if fast.ndim == 2 else 0):
            starts, reports = self._begins(fast[:, foot], _LASTS_S), self._begins(told[:, foot], 0.0)
            found = [self._delay(start, told[:, foot]) for start in starts]
            onsets += len(starts)
            delays += [delay for delay in found if delay is not None]
            near, far = round(_EARLY_S / self._dt), round(_WAIT_S / self._dt)
            unfounded += sum(not fast[max(r - far, 0) : r + near, foot].any() for r in reports)
        return {
            "slip": {
                "onsets": onsets,
                "reported": len(delays),
                "delay_ms_max": max(delays) if delays else None,
                "unfounded": unfounded,
            }
        }

    def _begins(self, active: NDArray[np.bool_], lasting_s: float) -> list[int]:
        """First samples of activity that follow a pause, and of which most of the next ``lasting_s`` is active."""
        lasting, apart = max(round(lasting_s / self._dt), 1), round(_APART_S / self._dt)
        edges = np.flatnonzero(active & ~np.concatenate([[False], active[:-1]]))
        begins: list[int] = []
        for edge in edges.tolist():
            if active[edge : edge + lasting].mean() > 0.8 and not active[max(edge - apart, 0) : edge].any():
                begins.append(edge)
        return begins

    def _delay(self, start: int, told: NDArray[np.bool_]) -> float | None:
        """Time, ms, from a slip's beginning to its report (0 where it was told before); None where it was not told."""
        until = told[start : start + round(_WAIT_S / self._dt)]
        return float(1e3 * self._dt * int(until.argmax())) if until.any() else None
