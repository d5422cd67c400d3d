"""Support polygon ↔ geometry_msgs/PolygonStamped."""

from __future__ import annotations

from typing import Any

import numpy as np
from geometry_msgs.msg import Point32, PolygonStamped

from wbc_control.ros.conversions.buffers import Array
from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.stamps import set_stamp


def encode_polygon(time_ns: int, vertices: Array, height: float = 0.0, frame_id: str = ODOM_FRAME) -> PolygonStamped:
    """The message of (k, 2) or (k, 3) vertices, m; planar ones lie at ``height``; single precision, as the type is."""
    message = PolygonStamped()
    message.header.frame_id = frame_id
    set_stamp(message.header.stamp, time_ns)
    message.polygon.points = [
        Point32(x=float(v[0]), y=float(v[1]), z=float(v[2]) if len(v) > 2 else height) for v in vertices
    ]
    return message


def decode_polygon(message: Any) -> Array:
    """(k, 3) vertices, m."""
    return np.array([(p.x, p.y, p.z) for p in message.polygon.points]).reshape(-1, 3)
