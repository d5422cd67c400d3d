"""IMU and foot wrenches ↔ sensor_msgs/Imu and geometry_msgs/WrenchStamped (REP-145)."""

from __future__ import annotations

from typing import Any

import numpy as np
from geometry_msgs.msg import WrenchStamped
from sensor_msgs.msg import Imu

from wbc_control.ros.conversions.buffers import Array, quaternion, set_quaternion, set_vector, vector
from wbc_control.ros.conversions.stamps import set_stamp, stamp_ns
from wbc_control.state import ImuSample

NOT_MEASURED = -1.0
"""First covariance element that says "this field is not measured" (sensor_msgs/Imu)."""


class ImuEncoder:
    """Writes an IMU sample into one preallocated message."""

    def __init__(self, frame_id: str) -> None:
        self.message = Imu()
        self.message.header.frame_id = frame_id

    def encode(self, sample: ImuSample) -> Imu:
        """The message; an orientation of NaN is sent as "not measured"."""
        message = self.message
        set_stamp(message.header.stamp, sample.time_ns)
        measured = bool(np.isfinite(sample.orientation_xyzw).all())
        message.orientation_covariance[0] = 0.0 if measured else NOT_MEASURED
        set_quaternion(message.orientation, sample.orientation_xyzw if measured else (0.0, 0.0, 0.0, 1.0))
        set_vector(message.angular_velocity, sample.angular_velocity)
        set_vector(message.linear_acceleration, sample.linear_acceleration)
        return message


def decode_imu(message: Any) -> ImuSample:
    """The sample; NaN orientation where the message declares it not measured."""
    measured = message.orientation_covariance[0] != NOT_MEASURED
    orientation = quaternion(message.orientation) if measured else np.full(4, np.nan)
    return ImuSample(
        stamp_ns(message.header.stamp),
        orientation,
        vector(message.angular_velocity),
        vector(message.linear_acceleration),
    )


class WrenchEncoder:
    """Writes force and torque into one preallocated message."""

    def __init__(self, frame_id: str) -> None:
        self.message = WrenchStamped()
        self.message.header.frame_id = frame_id

    def encode(self, time_ns: int, wrench: Any) -> WrenchStamped:
        """The message of a (6,) wrench, force then torque, N and N·m."""
        set_stamp(self.message.header.stamp, time_ns)
        set_vector(self.message.wrench.force, wrench[:3])
        set_vector(self.message.wrench.torque, wrench[3:])
        return self.message


def decode_wrench(message: Any) -> tuple[int, Array]:
    """Time, ns, and the (6,) wrench, force then torque."""
    force, torque = message.wrench.force, message.wrench.torque
    return stamp_ns(message.header.stamp), np.array((force.x, force.y, force.z, torque.x, torque.y, torque.z))
