"""Keeps the mean speed at the commanded one: DCM-driven footsteps alone let a model error become a drift of speed."""
from __future__ import annotations

import numpy as np

from wbc_control.spatial import Array, yaw_matrix

_LARGEST_M_S = 0.25
"""Largest correction of the speed, m/s."""


class SpeedFeedback:
    """Low-passed difference of commanded and measured planar velocity, heading frame, over about one gait cycle."""

    def __init__(self) -> None:
        self._lack = np.zeros(2)

    def advance(self, dt: float, period: float, wanted: Array, velocity_world: Array, heading: float) -> None:
        """Take the CoM velocity (2,), m/s, world, of now; ``wanted`` (2,) in the heading frame; ``period`` of a
        cycle, s."""
        measured = yaw_matrix(heading)[:2, :2].T @ velocity_world
        share = min(dt / max(period, dt), 1.0)
        self._lack = self._lack + share * (wanted - measured - self._lack)

    def corrected(self, velocity: Array, gain: float) -> Array:
        """(3,) velocity to step with: forward, leftward, yaw; the first two corrected by ``gain`` times what lacks."""
        out = velocity.copy()
        out[:2] += np.clip(gain * self._lack, -_LARGEST_M_S, _LARGEST_M_S)
        return out
