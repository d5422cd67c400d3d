"""The estimated floating base against the true one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric, StackView, root_mean_square
from wbc_control.spatial import quaternion_to_matrix, yaw_matrix, yaw_of

Array = NDArray[np.float64]

_EVERY = 4


def up_in_base(q: Array) -> tuple[float, float, float]:
    """World's z axis in the base frame: the third row of the base's rotation matrix."""
    x, y, z, w = q[3:7].tolist()
    return 2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)


class OdometryFrame:
    """The estimator's world in the true one, tied together at the first healthy estimate: an offset and a heading."""

    def __init__(self) -> None:
        self.known = False
        self.rotation, self.origin = np.eye(3), np.zeros(3)

    def tie(self, estimated_q: Array, true_q: Array) -> None:
        """Declare that both configurations are the same place."""
        difference = yaw_of(quaternion_to_matrix(true_q[3:7])) - yaw_of(quaternion_to_matrix(estimated_q[3:7]))
        self.rotation = yaw_matrix(difference)
        self.origin = true_q[:3] - self.rotation @ estimated_q[:3]
        self.known = True

    def to_world(self, point: Array) -> Array:
        """A point of the estimator's world in the true one."""
        return self.origin + self.rotation @ point


class BaseEstimate(Metric):
    """Drift of position from the first healthy estimate, error of velocity (base axes) and of tilt."""

    def __init__(self, view: StackView, frame: OdometryFrame) -> None:
        self._view, self._frame = view, frame
        self._velocity: list[float] = []
        self._tilt: list[float] = []
        self._drift: float | None = None

    def observe(self, period: Period) -> None:
        """Compare the estimate of this tick with the truth it was made from."""
        estimate = self._view.estimate
        if estimate is None or not estimate.healthy or len(period.truth.q) < 7:
            return
        q, truth = estimate.robot.q, period.truth
        if not self._frame.known:
            self._frame.tie(q, truth.q)
        if period.index % _EVERY:
            return
        self._drift = math.dist(self._frame.to_world(q[:3]), truth.q[:3])
        self._velocity.append(math.dist(estimate.robot.v[:3], truth.v[:3]))
        self._tilt.append(2.0 * math.asin(min(1.0, 0.5 * math.dist(up_in_base(q), up_in_base(truth.q)))))

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``base_estimate``."""
        return {
            "base_estimate": {
                "position_drift_m": self._drift,
                "velocity_rmse": root_mean_square(self._velocity),
                "tilt_rmse_rad": root_mean_square(self._tilt),
            }
        }
