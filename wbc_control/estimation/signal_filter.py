"""The low-passes of one tick in one: joint velocities for the state, and everything the inverse dynamics needs."""

from __future__ import annotations

import numpy as np

from wbc_control.filters import smoothing_factor
from wbc_control.spatial import Array


class SignalFilter:
    """First-order low-pass with two cut-offs on one vector: joint velocities, then velocities, IMU and efforts.

    Args:
        n: Number of joints.

    Attributes:
        value: (3n + 6,) filtered vector.
        change: (3n + 6,) its last change: over the period it is the filtered derivative.
        velocity: (n,) joint velocities of the first cut-off; a view.
        imu, imu_change: (6,) gyro, rad/s, and accelerometer, m/s², of the second cut-off, and their change; views.
        joint_change: (n,) change of the velocities of the second cut-off; a view.
        period_s: Time between the last two samples, s.
        effort: (n,) efforts of the second cut-off; a view.
    """

    def __init__(self, n: int) -> None:
        size = 3 * n + 6
        self.value, self.change, self._gain = np.zeros(size), np.zeros(size), np.ones(size)
        self.velocity, self.joint_change = self.value[:n], self.change[n : 2 * n]
        self.imu, self.imu_change = self.value[2 * n : 2 * n + 6], self.change[2 * n : 2 * n + 6]
        self.effort = self.value[2 * n + 6 :]
        self._n, self._gained_for, self.period_s = n, (0.0, 0.0, 0.0), 1.0

    def start(self, sample: Array) -> None:
        """Begin with ``sample``, at rest."""
        self.value[:], self.change[:] = sample, 0.0

    def update(self, sample: Array, velocity_cutoff: float, bandwidth: float, period_s: float) -> None:
        """Take in (3n + 6,) one sample ``period_s`` after the last; cut-offs in Hz."""
        if self._gained_for != (velocity_cutoff, bandwidth, period_s):
            self._gained_for = (velocity_cutoff, bandwidth, period_s)
            self._gain[: self._n] = smoothing_factor(velocity_cutoff, period_s)
            self._gain[self._n :] = smoothing_factor(bandwidth, period_s)
        self.period_s, value, change = period_s, self.value, self.change
        np.subtract(sample, value, change)
        np.multiply(change, self._gain, change)
        np.add(value, change, value)
