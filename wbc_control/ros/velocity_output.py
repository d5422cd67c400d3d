"""Velocity commands of a scenario → ``cmd_vel``, as often as a joystick would send them."""

from __future__ import annotations

from wbc_control.ros.conversions.stamps import set_stamp
from wbc_control.ros.conversions.velocity import encode_velocity
from wbc_control.ros.every import Every
from wbc_control.ros.node import StackNode
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import TOPICS
from wbc_control.state import VelocityCommand

RATE_HZ = 50.0
"""Repetitions of a held command per second."""


class VelocityOutput:
    """Sends on ``cmd_vel`` in the form the parameters ask for."""

    def __init__(self, node: StackNode) -> None:
        self._stamped = node.parameters.middleware.stamped_velocity
        topic = TOPICS["cmd_vel_stamped" if self._stamped else "cmd_vel"]
        self._type = message_class(topic.type)
        self._publisher = node.create_publisher(self._type, topic.name, profile(topic.writer))
        self._every = Every(RATE_HZ)

    def send(self, command: VelocityCommand | None, stamp_ns: int) -> None:
        """Send the command if it is due; None sends nothing."""
        if command is None or not self._every.due(stamp_ns):
            return
        twist = encode_velocity(command)
        if self._stamped:
            message = self._type(twist=twist)
            set_stamp(message.header.stamp, stamp_ns)
            self._publisher.publish(message)
        else:
            self._publisher.publish(twist)
