"""Takes in sensor samples: refuses what is malformed or not finite, holds the last good value, counts, and tells ages.

Nothing here raises.  Each field is judged alone: a NaN in a gyro does not throw away good encoders.  A sample without
fault, which is nearly every one, costs one copy and one dot product.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array, quaternion_to_matrix
from wbc_control.state import SensorSample

_LARGEST_SQUARED = 1e12
"""A field whose sum of squares exceeds this is no measurement (a NaN compares false and is refused with it)."""


class Readings:
    """One complete set of values in one flat buffer, with a named view on each part.

    Attributes:
        flat: All values behind one another; joint velocities twice in a row.
        changing: The part that is low-passed: joint velocities twice (for two bandwidths), IMU, efforts.
        position: (n,) joints, rad or m.
        velocity: (n,) joints, rad/s or m/s.
        velocity_again: (n,) the same.
        gyro_and_accelerometer: (6,) rad/s and m/s², IMU frame.
        imu: (2, 3) the same, a row each.
        effort: (n,) joints, N·m or N.
        wrench: (n_feet, 6) as the sensors said them.
    """

    def __init__(self, n: int, n_feet: int) -> None:
        self.flat = np.zeros(4 * n + 6 + 6 * n_feet)
        self.changing = self.flat[n : 4 * n + 6]
        self.parts = part_slices(n, n_feet)
        self.position, self.velocity, self.velocity_again = (
            self.flat[:n],
            self.flat[n : 2 * n],
            self.flat[2 * n : 3 * n],
        )
        self.gyro_and_accelerometer = self.flat[3 * n : 3 * n + 6]
        self.imu = self.gyro_and_accelerometer.reshape(2, 3)
        self.effort = self.flat[3 * n + 6 : 4 * n + 6]
        self.wrench = self.flat[4 * n + 6 :].reshape(n_feet, 6)


def part_slices(n: int, n_feet: int) -> list[slice]:
    """Where positions, velocities (the first time), gyro, accelerometer, efforts and each wrench lie in the buffer."""
    ends = np.cumsum([0, n, n, n, 3, 3, n] + [6] * n_feet).tolist()
    parts = [slice(a, b) for a, b in itertools.pairwise(ends)]
    return parts[:2] + parts[3:]


@dataclass(eq=False, slots=True)
class Channel:
    """Bookkeeping of one sensor field.

    Attributes:
        name: In words, for messages.
        time_ns: Time of the last good value; −1 before the first.
        rejected: Samples refused since the start.
        streak: Samples refused in a row.
    """

    name: str
    time_ns: int = -1
    rejected: int = 0
    streak: int = 0

    def judge(self, good: bool, time_ns: int) -> None:
        """Count one sample."""
        if good:
            self.streak, self.time_ns = 0, time_ns
        else:
            self.streak += 1
            self.rejected += 1


class Intake:
    """Last good reading of every sensor.

    Args:
        n_joints: Number of joints.
        foot_names: Names of the feet, for messages.

    Attributes:
        now: Last good values.
        before: Values one tick earlier.
        position, velocity, gyro, accelerometer, effort, orientation: Channels.
        wrenches: Channels of the feet's wrenches.
        orientation_xyzw: Last good orientation of the IMU in its own world, four numbers.
        new_imu: Whether this tick brought a newer gyro and accelerometer reading.
        imu_period_s: Time between the last two IMU readings.
    """

    def __init__(self, n_joints: int, foot_names: tuple[str, ...]) -> None:
        n_feet = len(foot_names)
        self._n, self._n_feet = n_joints, n_feet
        self.now, self.before = Readings(n_joints, n_feet), Readings(n_joints, n_feet)
        self.position, self.velocity = Channel("joint positions"), Channel("joint velocities")
        self.gyro, self.accelerometer, self.effort = Channel("gyro"), Channel("accelerometer"), Channel("joint efforts")
        self.orientation = Channel("IMU orientation")
        self.wrenches = [Channel(f"wrench of {name}") for name in foot_names]
        self.orientation_xyzw = [0.0, 0.0, 0.0, 1.0]
        self.new_imu, self.imu_period_s = False, 0.0
        self._flawed = False

    def take(self, sample: SensorSample) -> None:
        """Read one sample; see the attributes for what came of it."""
        imu = sample.imu
        gyro, accelerometer = self.gyro, self.accelerometer
        gyro_before, accelerometer_before = gyro.time_ns, accelerometer.time_ns
        self.now, self.before = self.before, self.now
        if not self._take_whole(sample):
            self._take_parts(sample)
        if imu.time_ns != self.orientation.time_ns:
            self._take_orientation(imu.orientation_xyzw, imu.time_ns)
        self.new_imu = gyro.time_ns > gyro_before and accelerometer.time_ns > accelerometer_before
        if self.new_imu:
            self.imu_period_s = (imu.time_ns - gyro_before) * 1e-9 if gyro_before >= 0 else 0.0

    def _take_whole(self, sample: SensorSample) -> bool:
        """Copy everything at once; False if anything needs a closer look."""
        joints, imu = sample.joints, sample.imu
        velocity = joints.velocity
        if joints.position.shape[0] != self._n or self._flawed or False in sample.wrench_valid.tolist():
            return False
        flat, wrenches = self.now.flat, sample.foot_wrenches.ravel()
        np.concatenate(
            (
                joints.position,
                velocity,
                velocity,
                imu.angular_velocity,
                imu.linear_acceleration,
                joints.effort,
                wrenches,
            ),
            0,
            flat,
        )
        if not flat.dot(flat) < _LARGEST_SQUARED:
            return False
        self.position.time_ns = self.velocity.time_ns = self.effort.time_ns = joints.time_ns
        self.gyro.time_ns = self.accelerometer.time_ns = imu.time_ns
        for channel, time_ns in zip(self.wrenches, sample.wrench_time_ns.tolist(), strict=False):
            channel.time_ns = time_ns
        return True

    def _take_parts(self, sample: SensorSample) -> None:
        """Judge every field alone; what is refused keeps its last good value."""
        joints, imu, t = sample.joints, sample.imu, sample.joints.time_ns
        fields = [
            (self.position, joints.position, t),
            (self.velocity, joints.velocity, t),
            (self.gyro, imu.angular_velocity, imu.time_ns),
            (self.accelerometer, imu.linear_acceleration, imu.time_ns),
            (self.effort, joints.effort, t),
        ]
        fields += zip(self.wrenches, sample.foot_wrenches, sample.wrench_time_ns.tolist(), strict=False)
        silent = [False] * 5 + [not valid for valid in sample.wrench_valid.tolist()]
        self._flawed = False
        for (channel, values, time_ns), part, unheard in zip(fields, self.now.parts, silent, strict=True):
            good = not unheard and _trusted(values, part.stop - part.start)
            self.now.flat[part] = values if good else self.before.flat[part]
            if not unheard:
                channel.judge(good, time_ns)
            self._flawed = self._flawed or not good
        self.now.velocity_again[:] = self.now.velocity

    def _take_orientation(self, xyzw: Array, time_ns: int) -> None:
        """A quaternion counts if its length is one; an IMU without filter says NaN, which is no fault."""
        x, y, z, w = values = xyzw.tolist()
        if abs(x * x + y * y + z * z + w * w - 1.0) < 0.05:
            self.orientation_xyzw, self.orientation.time_ns = values, time_ns
        elif self.orientation.time_ns >= 0:
            self.orientation.rejected += 1

    def orientation_matrix(self) -> Array:
        """(3, 3) IMU frame → the IMU's own world, of the last good orientation."""
        x, y, z, w = self.orientation_xyzw
        scale = 1.0 / math.sqrt(x * x + y * y + z * z + w * w)
        return quaternion_to_matrix((scale * x, scale * y, scale * z, scale * w))

    def rejected(self) -> dict[str, int]:
        """Refused samples since the start, by sensor in words; only those that occurred."""
        channels = (
            self.position,
            self.velocity,
            self.gyro,
            self.accelerometer,
            self.effort,
            self.orientation,
            *self.wrenches,
        )
        return {channel.name: channel.rejected for channel in channels if channel.rejected}

    def fault(self, time_ns: int, parameters: EstimatorParameters, fixed_base: bool) -> str:
        """Why the state cannot be trusted at ``time_ns``; empty when it can."""
        sensors = parameters.sensors
        if not self._flawed and not fixed_base:
            oldest = min(self.position.time_ns, self.gyro.time_ns)
            if oldest >= 0 and (time_ns - oldest) * 1e-9 <= min(sensors.timeout, sensors.imu_timeout):
                return ""
        checks = [(self.position, sensors.timeout), (self.velocity, sensors.timeout)]
        if not fixed_base:
            checks += [(self.gyro, sensors.imu_timeout), (self.accelerometer, sensors.imu_timeout)]
        for channel, limit in checks:
            age = (time_ns - channel.time_ns) * 1e-9
            if age <= limit and channel.streak < sensors.max_rejected and channel.time_ns >= 0:
                continue
            return _fault_of(channel, age, limit, sensors.max_rejected)
        return ""


def _trusted(values: Array, size: int) -> bool:
    """Whether ``values`` is a vector of ``size`` finite, believable numbers."""
    return values.shape == (size,) and bool(values.dot(values) < _LARGEST_SQUARED)


def _fault_of(channel: Channel, age_s: float, limit_s: float, max_rejected: int) -> str:
    if channel.streak >= max_rejected:
        found = f"{channel.name}: {channel.streak} samples in a row not finite or of the wrong length"
        return f"{found} (limit {max_rejected})"
    if channel.time_ns < 0:
        return f"{channel.name}: nothing usable received yet"
    return f"{channel.name}: last good sample is {1e3 * age_s:.0f} ms old (limit {1e3 * limit_s:.0f} ms)"
