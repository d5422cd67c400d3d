"""White noise on every sensor, from one seed; works on any backend's samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.scenario import NoiseSettings
from wbc_control.state import ImuSample, JointState, SensorSample

Array = NDArray[np.float64]

_TORQUE_SHARE = 0.1
_BLOCK = 512


class NormalSource:
    """Standard normal vectors of one size, drawn in blocks because single draws are slow."""

    def __init__(self, seed: np.random.SeedSequence, size: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._block = np.empty((_BLOCK, size))
        self._next = _BLOCK

    def draw(self) -> Array:
        """The next vector; a view that lives until the block is drawn anew."""
        if self._next == _BLOCK:
            self._generator.standard_normal(out=self._block)
            self._next = 0
        self._next += 1
        row: Array = self._block[self._next - 1]
        return row


class SensorNoise:
    """Adds the noise of a scenario to samples.

    Args:
        settings: Standard deviations; a foot's moments get a tenth of ``wrench`` per metre.
        seed: Of the whole sequence.
        n_joints: Joints in a sample.
        n_feet: Feet in a sample.
    """

    def __init__(self, settings: NoiseSettings, seed: int, n_joints: int, n_feet: int) -> None:
        self._scale = _scales(settings, n_joints, n_feet)
        self._quiet = not self._scale.any()
        self._source = NormalSource(np.random.SeedSequence([seed, 1]), len(self._scale))
        self._joints, self._feet = n_joints, n_feet

    def apply(self, sample: SensorSample) -> SensorSample:
        """The sample with fresh noise; the IMU's own orientation stays as it is."""
        if self._quiet:
            return sample
        noise = self._scale * self._source.draw()
        n = self._joints
        joints, imu = sample.joints, sample.imu
        noisy_joints = JointState(
            joints.time_ns, joints.position + noise[:n], joints.velocity + noise[n : 2 * n], joints.effort
        )
        gyro, accelerometer, wrench = noise[2 * n : 2 * n + 3], noise[2 * n + 3 : 2 * n + 6], noise[2 * n + 6 :]
        noisy_imu = ImuSample(
            imu.time_ns, imu.orientation_xyzw, imu.angular_velocity + gyro, imu.linear_acceleration + accelerometer
        )
        wrenches = sample.foot_wrenches + wrench.reshape(self._feet, 6)
        return SensorSample(
            sample.time_ns, noisy_joints, noisy_imu, wrenches, sample.wrench_time_ns, sample.wrench_valid
        )


def _scales(settings: NoiseSettings, n_joints: int, n_feet: int) -> Array:
    wrench = settings.wrench * np.array([1.0, 1.0, 1.0, _TORQUE_SHARE, _TORQUE_SHARE, _TORQUE_SHARE])
    return np.concatenate(
        [
            np.full(n_joints, settings.joint_position),
            np.full(n_joints, settings.joint_velocity),
            np.full(3, settings.gyro),
            np.full(3, settings.accelerometer),
            np.tile(wrench, n_feet),
        ]
    )
