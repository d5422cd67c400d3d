"""Floating base ↔ nav_msgs/Odometry: pose of the base in odom, twist in the base frame (Pinocchio's convention too)."""

from __future__ import annotations

from typing import Any

import numpy as np
from nav_msgs.msg import Odometry

from wbc_control.ros.conversions.buffers import Array, quaternion, set_quaternion, set_twist, set_vector, twist, vector
from wbc_control.ros.conversions.stamps import set_stamp

ODOM_FRAME = "odom"


class OdometryEncoder:
    """Writes the base part of a configuration and a velocity into one preallocated message."""

    def __init__(self, base_link: str, frame_id: str = ODOM_FRAME) -> None:
        self.message = Odometry(child_frame_id=base_link)
        self.message.header.frame_id = frame_id

    def encode(self, time_ns: int, q: Any, v: Any) -> Odometry:
        """The message of ``q[:7]`` (position, quaternion x, y, z, w) and ``v[:6]`` (linear, angular, base frame)."""
        set_stamp(self.message.header.stamp, time_ns)
        set_vector(self.message.pose.pose.position, q)
        set_quaternion(self.message.pose.pose.orientation, q[3:7])
        set_twist(self.message.twist.twist, v[:3], v[3:6])
        return self.message


def decode_odometry(message: Any) -> tuple[Array, Array]:
    """The (7,) base configuration, unit quaternion, and the (6,) base velocity.

    The quaternion is normalised only when it is off by more than rounding: a state survives the trip bit by bit.
    """
    pose = message.pose.pose
    xyzw = quaternion(pose.orientation)
    norm = float(np.sqrt(xyzw @ xyzw))
    if abs(norm - 1.0) > 1e-12:
        xyzw = xyzw / norm if norm > 1e-6 else np.full(4, np.nan)
    return np.concatenate((vector(pose.position), xyzw)), twist(message.twist.twist)
