"""Takes in sensor samples: refuses what is malformed or not finite, holds the last good value, counts, and tells ages.

Nothing here raises.  Each field is judged alone: a NaN in a gyro does not throw away good encoders.
"""
from __future__ import annotations


from dataclasses import dataclass, field

import numpy as np

from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array, quaternion_to_matrix
from wbc_control.state import SensorSample

_LARGEST = 1e6
"""Any magnitude above this is no measurement (a NaN compares false and is refused with it)."""


def trusted(values: Array, size: int) -> bool:
    """Whether ``values`` is a float vector of ``size`` finite, believable numbers."""
    return values.shape == (size,) and bool(values.dot(values) < _LARGEST**2)


@dataclass(eq=False)
class Channel:
    """One sensor field: last good value, its time, and how often it was refused.

    Attributes:
        name: In words, for messages.
        value: Last good value.
        time_ns: Time of the last good value; −1 before the first.
        rejected: Samples refused since the start.
        streak: Samples refused in a row.
    """

    name: str
    value: Array
    time_ns: int = -1
    rejected: int = 0
    streak: int = 0

    def take(self, values: Array, time_ns: int) -> bool:
        """Keep ``values`` if they can be trusted; whether they are new."""
        if not trusted(values, self.value.shape[0]):
            self.rejected += 1
            self.streak += 1
            return False
        self.streak = 0
        if time_ns == self.time_ns:
            return False
        self.value[:] = values
        self.time_ns = time_ns
        return True


@dataclass(eq=False)
class Intake:
    """Last good reading of every sensor.

    Attributes:
        new_joints: Whether this tick brought a new joint position and velocity.
        new_imu: Whether this tick brought a new gyro and accelerometer reading.
        joint_period_s: Time between the last two joint samples.
        imu_period_s: Time between the last two IMU readings.
        wrench_values: (n_feet, 6) last good wrenches as the sensors said them.
    """

    n_joints: int
    n_feet: int
    new_joints: bool = False
    new_imu: bool = False
    joint_period_s: float = 0.0
    imu_period_s: float = 0.0
    position: Channel = field(init=False)
    velocity: Channel = field(init=False)
    effort: Channel = field(init=False)
    gyro: Channel = field(init=False)
    accelerometer: Channel = field(init=False)
    orientation: Channel = field(init=False)
    wrenches: list[Channel] = field(init=False)
    wrench_values: Array = field(init=False)

    def __post_init__(self) -> None:
        n = self.n_joints
        self.position, self.velocity = Channel("joint positions", np.zeros(n)), Channel("joint velocities", np.zeros(n))
        self.effort = Channel("joint efforts", np.zeros(n))
        self.gyro, self.accelerometer = Channel("gyro", np.zeros(3)), Channel("accelerometer", np.zeros(3))
        self.orientation = Channel("IMU orientation", np.zeros(4))
        self.wrench_values = np.zeros((self.n_feet, 6))
        self.wrenches = [Channel(f"wrench of foot {k}", row) for k, row in enumerate(self.wrench_values)]

    def take(self, sample: SensorSample) -> None:
        """Read one sample; see the attributes for what came of it."""
        joints, imu = sample.joints, sample.imu
        before = self.position.time_ns
        position = self.position.take(joints.position, joints.time_ns)
        self.new_joints = self.velocity.take(joints.velocity, joints.time_ns) and position
        self.effort.take(joints.effort, joints.time_ns)
        if position:
            self.joint_period_s = max(joints.time_ns - before, 0) * 1e-9 if before >= 0 else 0.0
        before = self.gyro.time_ns
        gyro = self.gyro.take(imu.angular_velocity, imu.time_ns)
        self.new_imu = self.accelerometer.take(imu.linear_acceleration, imu.time_ns) and gyro
        if gyro:
            self.imu_period_s = max(imu.time_ns - before, 0) * 1e-9 if before >= 0 else 0.0
        self._take_orientation(imu.orientation_xyzw, imu.time_ns)
        for k, channel in enumerate(self.wrenches):
            if sample.wrench_valid[k]:
                channel.take(sample.foot_wrenches[k], int(sample.wrench_time_ns[k]))

    def _take_orientation(self, xyzw: Array, time_ns: int) -> None:
        """A quaternion counts if its length is one; without IMU filter it is NaN, which is no fault."""
        if xyzw.shape == (4,) and abs(float(xyzw.dot(xyzw)) - 1.0) < 0.05:
            self.orientation.value[:] = xyzw
            self.orientation.time_ns = time_ns
        elif self.orientation.time_ns >= 0:
            self.orientation.rejected += 1

    def orientation_matrix(self) -> Array:
        """(3, 3) IMU frame → the IMU's own world, of the last good orientation."""
        xyzw = self.orientation.value
        return quaternion_to_matrix(xyzw / np.linalg.norm(xyzw))

    def essential(self) -> tuple[Channel, ...]:
        """Channels without which there is no state."""
        return (self.position, self.velocity, self.gyro, self.accelerometer)

    def rejected(self) -> dict[str, int]:
        """Refused samples since the start, by sensor in words; only those that occurred."""
        channels = (*self.essential(), self.effort, self.orientation, *self.wrenches)
        return {channel.name: channel.rejected for channel in channels if channel.rejected}

    def fault(self, time_ns: int, parameters: EstimatorParameters, fixed_base: bool = False) -> str:
        """Why the state cannot be trusted at ``time_ns``; empty when it can."""
        sensors = parameters.sensors
        limits = (sensors.timeout, sensors.timeout, sensors.imu_timeout, sensors.imu_timeout)
        for channel, limit in zip(self.essential(), limits[: 2 if fixed_base else 4], strict=False):
            if channel.streak >= sensors.max_rejected:
                return f"{channel.name}: {channel.streak} samples in a row were not finite or of the wrong length (limit {sensors.max_rejected})"
            age = (time_ns - channel.time_ns) * 1e-9
            if channel.time_ns < 0:
                return f"{channel.name}: nothing received yet"
            if age > limit:
                return f"{channel.name}: last good sample is {1e3 * age:.0f} ms old (limit {1e3 * limit:.0f} ms)"
        return ""
