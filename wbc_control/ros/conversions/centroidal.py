"""Centroidal state ↔ sensor_msgs/MultiDOFJointState with the single name ``com``.

Pose: position of the centre of mass.  Twist: its velocity, and the mean angular velocity I⁻¹h with I the centroidal
inertia, kg·m², that encoder and decoder are given (the standing posture's, so that both ends agree).  Wrench: net
contact force and its moment about the centre of mass.  All in world axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from geometry_msgs.msg import PointStamped, Transform, Twist, Wrench
from sensor_msgs.msg import MultiDOFJointState

from wbc_control.ros.conversions.buffers import Array, set_twist, set_vector, vector
from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.stamps import set_stamp, stamp_ns
from wbc_control.state import CentroidalState

COM = "com"


class CentroidalEncoder:
    """Writes a centroidal state into one preallocated message."""

    def __init__(self, inertia: Array) -> None:
        self._inverse_inertia = np.linalg.inv(inertia)
        self.message = MultiDOFJointState(
            joint_names=[COM], transforms=[Transform()], twist=[Twist()], wrench=[Wrench()]
        )
        self.message.header.frame_id = ODOM_FRAME

    def encode(self, state: CentroidalState) -> MultiDOFJointState:
        """The message."""
        message = self.message
        set_stamp(message.header.stamp, state.time_ns)
        set_vector(message.transforms[0].translation, state.com_position)
        set_twist(message.twist[0], state.com_velocity, self._inverse_inertia @ state.angular_momentum)
        set_vector(message.wrench[0].force, state.net_force)
        set_vector(message.wrench[0].torque, state.net_torque)
        return message


def decode_centroidal(message: Any, inertia: Array) -> CentroidalState | None:
    """The state, or None where the message has no complete row ``com``."""
    if COM not in message.joint_names:
        return None
    i = message.joint_names.index(COM)
    if min(len(message.transforms), len(message.twist), len(message.wrench)) <= i:
        return None
    return CentroidalState(
        stamp_ns(message.header.stamp),
        vector(message.transforms[i].translation),
        vector(message.twist[i].linear),
        inertia @ vector(message.twist[i].angular),
        vector(message.wrench[i].force),
        vector(message.wrench[i].torque),
    )


class PointEncoder:
    """Writes a point of the world into one preallocated message."""

    def __init__(self, frame_id: str = ODOM_FRAME) -> None:
        self.message = PointStamped()
        self.message.header.frame_id = frame_id

    def encode(self, time_ns: int, point: Any) -> PointStamped:
        """The message of (2,) or (3,) coordinates, m; two coordinates lie on z = 0."""
        set_stamp(self.message.header.stamp, time_ns)
        set_vector(self.message.point, point if len(point) > 2 else (point[0], point[1], 0.0))
        return self.message
