"""Estimated base against the true one: drift, velocity, tilt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.recorded.names import TRUTH
from wbc_control.recorded.page.run import Run, at_times, missing
from wbc_control.recorded.page.svg import COLOURS, Line

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BaseErrors:
    """Estimate less truth at the estimate's stamps.

    Attributes:
        time_s: (T,) s from the start.
        position: (T, 3) m, in the estimator's world.
        velocity: (T, 3) m/s, in the base's axes.
        tilt: (T,) angle between both ideas of the vertical, rad.
    """

    time_s: Array
    position: Array
    velocity: Array
    tilt: Array


def base_errors(run: Run) -> BaseErrors | None:
    """Errors of the estimated base; None where estimate or truth was not recorded."""
    estimate, truth = run.recording.find("odom"), run.recording.truth("odom")
    if estimate is None or truth is None:
        return None
    place = at_times(truth, run.in_odometry(truth.fields["position"]), estimate.time_s)
    speed = at_times(truth, truth.fields["linear"], estimate.time_s)
    up = at_times(truth, _up(truth.fields["orientation"]), estimate.time_s)
    lean = 2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(up - _up(estimate.fields["orientation"]), axis=1), 0.0, 1.0))
    return BaseErrors(run.time(estimate), estimate.fields["position"] - place, estimate.fields["linear"] - speed, lean)


def _up(orientation: Array) -> Array:
    """(T, 3) the world's z axis in the body's axes, from quaternions x y z w."""
    x, y, z, w = orientation.T
    return np.column_stack([2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)])


def estimate_section(run: Run) -> list[str]:
    """Errors over time."""
    errors = base_errors(run)
    if errors is None:
        return [missing("odom", f"{TRUTH}/odom")]
    parts = []
    for label, values in (("position error, mm", 1e3 * errors.position), ("velocity error, m/s", errors.velocity)):
        lines = [Line("xyz"[axis], errors.time_s, values[:, axis], COLOURS[axis]) for axis in range(3)]
        parts.append(run.plot(label, lines))
    return [*parts, run.plot("tilt error, °", [Line("", errors.time_s, np.degrees(errors.tilt))])]
