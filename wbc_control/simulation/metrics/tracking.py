"""True motion against what was planned and commanded; distance gone; creep of standing feet."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.base import OdometryFrame
from wbc_control.simulation.metrics.metric import Metric, StackView, root_mean_square
from wbc_control.simulation.metrics.truth import TrueKinematics
from wbc_control.spatial import quaternion_to_matrix, yaw_matrix, yaw_of

Array = NDArray[np.float64]

_EVERY = 2
_STRIDE_S = 0.5
_CREEP_EVERY_S, _CREEP_WINDOW_S, _SETTLE_S, _SHORTEST_STANCE_S = 0.01, 10.0, 1.0, 2.0


class Tracking(Metric):
    """CoM and swing feet against the plan (tied to the true world at the start), base velocity against the command."""

    def __init__(self, view: StackView, frame: OdometryFrame, kinematics: TrueKinematics) -> None:
        self._view, self._frame, self._kinematics = view, frame, kinematics
        self._com: list[float] = []
        self._swing: list[float] = []
        self._velocity: list[float] = []

    def observe(self, period: Period) -> None:
        """Keep the errors of this period."""
        if period.velocity is not None and len(period.truth.q) >= 7:
            self._velocity.append(_velocity_error(period))
        reference = self._view.reference
        if reference is None or not self._frame.known or period.index % _EVERY:
            return
        self._kinematics.update(period.truth)
        self._com.append(math.dist(self._frame.to_world(reference.com_position), self._kinematics.com))
        if not reference.in_contact.all():
            wanted = self._frame.origin + reference.foot_position @ self._frame.rotation.T
            errors = np.linalg.norm(wanted - period.truth.foot_position, axis=1)
            self._swing.extend(errors[~reference.in_contact].tolist())

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``tracking``."""
        return {
            "tracking": {
                "com_rmse_m": root_mean_square(self._com),
                "swing_foot_rmse_m": root_mean_square(self._swing),
                "velocity_rmse": root_mean_square(self._velocity),
            }
        }


def _velocity_error(period: Period) -> float:
    """Horizontal velocity of the base in its heading frame minus the command, m/s."""
    truth = period.truth
    rotation = quaternion_to_matrix(truth.q[3:7])
    heading = (yaw_matrix(yaw_of(rotation)).T @ rotation @ truth.v[:3])[:2]
    return float(np.linalg.norm(heading - period.velocity.linear))  # type: ignore[union-attr]


class Distance(Metric):
    """Horizontal path of the base, sampled twice a second so that swaying in place does not count."""

    def __init__(self, period_ns: int) -> None:
        self._every = max(1, round(_STRIDE_S / (1e-9 * period_ns)))
        self._path: list[Array] = []

    def observe(self, period: Period) -> None:
        """Keep a point of the path."""
        if period.index % self._every == 0 and len(period.truth.q) >= 7:
            self._path.append(period.truth.q[:2].copy())

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``distance_m`` and ``mean_speed``."""
        path = np.array(self._path).reshape(-1, 2)
        distance = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
        return {"distance_m": distance, "mean_speed": distance / max(outcome.sim_time_s, 1e-9)}


class FeetCreep(Metric):
    """Largest horizontal way a foot creeps in ten seconds of unbroken stance, after one second of settling."""

    def __init__(self, n_feet: int, period_ns: int) -> None:
        self._every = max(1, round(_CREEP_EVERY_S / (1e-9 * period_ns)))
        self._window = round(_CREEP_WINDOW_S / _CREEP_EVERY_S)
        self._settle = round(_SETTLE_S / (1e-9 * period_ns))
        self._stance: list[list[Array]] = [[] for _ in range(n_feet)]
        self._lost = np.zeros(n_feet, dtype=bool)
        self._largest: float | None = None

    def observe(self, period: Period) -> None:
        """Follow each foot while it stands; a lost contact between two samples ends the stance."""
        self._lost |= ~period.truth.in_contact
        if period.index % self._every or period.index < self._settle:
            return
        for foot, points in enumerate(self._stance):
            if self._lost[foot]:
                self._close(points)
                points.clear()
            else:
                points.append(period.truth.foot_position[foot, :2].copy())
        self._lost[:] = False

    def _close(self, points: list[Array]) -> None:
        """Displacement over every window; a shorter stance counts in proportion."""
        if len(points) * _CREEP_EVERY_S < _SHORTEST_STANCE_S:
            return
        path = np.array(points)
        window = min(self._window, len(path) - 1)
        creep = np.linalg.norm(path[window:] - path[:-window], axis=1).max() * self._window / window
        self._largest = max(self._largest or 0.0, 1e3 * float(creep))

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``feet_creep_mm_per_10s``; None where no foot stood for two seconds."""
        for points in self._stance:
            self._close(points)
        return {"feet_creep_mm_per_10s": self._largest}
