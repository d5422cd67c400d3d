"""Floating base ↔ nav_msgs/Odometry: pose of the base in odom, twist in the base frame (Pinocchio's convention too)."""

from __future__ import annotations

from typing import Any

import numpy as np
from nav_msgs.msg import Odometry

from wbc_control.ros.conversions import wire as cdr
from wbc_control.ros.conversions.buffers import Array, quaternion, set_quaternion, set_twist, set_vector, twist, vector
from wbc_control.ros.conversions.stamps import set_stamp

ODOM_FRAME = "odom"
_POSE, _COVARIANCE, _TWIST = 7, 36, 6


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
    return _base(vector(pose.position), quaternion(pose.orientation)), twist(message.twist.twist)


@cdr.guarded
def odometry_from_wire(wire: bytes) -> tuple[int, Array, Array] | None:
    """Time, ns, and the same from the message's bytes; None when they are not as expected."""
    time_ns, position = cdr.header(wire)
    position = cdr.aligned(position, 4)
    position += 4 + cdr.count(wire, position)
    values = cdr.doubles(wire, position, _POSE + _COVARIANCE + _TWIST)
    return time_ns, _base(values[:3], values[3:_POSE]), values[-_TWIST:]


def _base(position: Array, xyzw: Array) -> Array:
    norm = float(np.sqrt(xyzw @ xyzw))
    if abs(norm - 1.0) > 1e-12:
        xyzw = xyzw / norm if norm > 1e-6 else np.full(4, np.nan)
    return np.concatenate((position, xyzw))
