"""A horizon of rigid-body samples as arrays: what a Plan, a trajectory message and its wire bytes have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from geometry_msgs.msg import Transform, Twist
from numpy.typing import NDArray
from trajectory_msgs.msg import MultiDOFJointTrajectory, MultiDOFJointTrajectoryPoint

from wbc_control.ros.conversions.buffers import (
    Array,
    quaternion,
    set_quaternion,
    set_twist,
    set_vector,
    twist,
    vector,
)
from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.stamps import set_stamp, stamp_ns


@dataclass(frozen=True)
class Horizon:
    """A horizon of n samples of k bodies.

    Attributes:
        time_ns: Stamp of the message, ns.
        names: The k bodies.
        offset_ns: (n,) time of each sample after the stamp, ns.
        pose: (n, k, 7) position then quaternion x, y, z, w.
        velocity: (n, k, 6) linear then angular, world.
        acceleration: (n, k, 6) likewise.
    """

    time_ns: int
    names: tuple[str, ...]
    offset_ns: NDArray[np.int64]
    pose: Array
    velocity: Array
    acceleration: Array


def horizon_to_message(horizon: Horizon) -> MultiDOFJointTrajectory:
    """The message of a horizon."""
    message = MultiDOFJointTrajectory(joint_names=list(horizon.names))
    message.header.frame_id = ODOM_FRAME
    set_stamp(message.header.stamp, horizon.time_ns)
    message.points = [_point(horizon, i) for i in range(len(horizon.offset_ns))]
    return message


def horizon_from_message(message: Any) -> Horizon | None:
    """The horizon of a message; None when it is empty or its points are incomplete."""
    bodies = len(message.joint_names)
    if not message.points or any(not _complete(point, bodies) for point in message.points):
        return None
    pose = [
        [np.concatenate((vector(t.translation), quaternion(t.rotation))) for t in p.transforms] for p in message.points
    ]
    return Horizon(
        stamp_ns(message.header.stamp),
        tuple(message.joint_names),
        np.array([stamp_ns(p.time_from_start) for p in message.points], dtype=np.int64),
        np.array(pose),
        np.array([[twist(t) for t in p.velocities] for p in message.points]),
        np.array([[twist(t) for t in p.accelerations] for p in message.points]),
    )


def _complete(point: Any, bodies: int) -> bool:
    return len(point.transforms) == len(point.velocities) == len(point.accelerations) == bodies


def _point(horizon: Horizon, i: int) -> MultiDOFJointTrajectoryPoint:
    point = MultiDOFJointTrajectoryPoint(
        transforms=[_transform(pose) for pose in horizon.pose[i]],
        velocities=[_twist(row) for row in horizon.velocity[i]],
        accelerations=[_twist(row) for row in horizon.acceleration[i]],
    )
    set_stamp(point.time_from_start, int(horizon.offset_ns[i]))
    return point


def _transform(pose: Array) -> Transform:
    message = Transform()
    set_vector(message.translation, pose)
    set_quaternion(message.rotation, pose[3:])
    return message


def _twist(row: Array) -> Twist:
    message = Twist()
    set_twist(message, row[:3], row[3:])
    return message
