"""Velocity commands ↔ geometry_msgs/Twist and TwistStamped (base's heading frame)."""

from __future__ import annotations

from typing import Any

import numpy as np
from geometry_msgs.msg import Twist

from wbc_control.state import VelocityCommand


def encode_velocity(command: VelocityCommand) -> Twist:
    """Twist of a command; the time of reception is not part of it."""
    message = Twist()
    message.linear.x, message.linear.y = float(command.linear[0]), float(command.linear[1])
    message.angular.z = float(command.yaw_rate)
    return message


def decode_velocity(message: Any, time_ns: int) -> VelocityCommand | None:
    """The command received at ``time_ns``, from a Twist or a TwistStamped; None when a number is not finite."""
    twist = getattr(message, "twist", message)
    values = np.array((twist.linear.x, twist.linear.y, twist.angular.z))
    if not np.isfinite(values).all():
        return None
    return VelocityCommand(time_ns, values[:2], float(values[2]))
