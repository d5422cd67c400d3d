"""The bare echo for ``wbc benchmark --ros``: takes the stack's sensor messages, answers each joint state with zeros.

What it costs is the middleware alone; what the stack's round trip costs more is the stack.  Not part of the graph.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import rclpy
from rclpy.signals import SignalHandlerOptions

from wbc_control.parameters import StackParameters, read_parameter_file, stack_parameters
from wbc_control.ros.conversions.efforts import EffortEncoder
from wbc_control.ros.conversions.joint_wire import JointStateWire
from wbc_control.ros.inbox import Inbox, Waiter
from wbc_control.ros.node import explained
from wbc_control.ros.parameter_file import files_on
from wbc_control.ros.process import Stop, end_with_parent, request_real_time, settle_memory
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import TOPICS

_SLICE_NS = 20_000_000
SENSORS = ("joint_states", "imu", "wrench")


class Echo:
    """Answers joint states.

    Args:
        context: ROS context.
        parameters: Names of the feet and of the controller.
    """

    def __init__(self, context: Any, parameters: StackParameters) -> None:
        self.node = rclpy.create_node("wbc_echo", context=context, start_parameter_services=False)
        feet, controller = tuple(parameters.robot.feet), parameters.bridge.controller
        topics = [(TOPICS[key], name) for key in SENSORS for name in TOPICS[key].names(feet, controller)]
        self._inboxes = [Inbox(self.node, topic, name, raw=True) for topic, name in topics]
        self._waiter = Waiter(context, self._inboxes[:1])
        effort = TOPICS["effort"]
        (name,) = effort.names(feet, controller)
        self._publisher = self.node.create_publisher(message_class(effort.type), name, profile(effort.writer))
        self._wire, self._encoder = JointStateWire(), EffortEncoder(0)
        self._answer = np.zeros(0)

    def wait_and_answer(self) -> None:
        """Wait a little for a joint state and answer it."""
        if not self._waiter.wait(_SLICE_NS):
            return
        joints, *_ = [inbox.take_newest() for inbox in self._inboxes]
        parts = self._wire.read(joints) if joints is not None else None
        if parts is None:
            return
        if len(parts.names) != len(self._answer):
            self._answer, self._encoder = np.zeros(len(parts.names)), EffortEncoder(len(parts.names))
        self._publisher.publish(self._encoder.encode(self._answer))


def main() -> int:
    """Entry point."""
    return explained(_run)


def _run() -> int:
    stop, orphaned = Stop(), end_with_parent()
    stop.listen()
    (path, *_) = files_on(sys.argv)
    parameters = stack_parameters(read_parameter_file(path), path)
    context = rclpy.Context()
    rclpy.init(args=sys.argv[1:], context=context, signal_handler_options=SignalHandlerOptions.NO)
    request_real_time(parameters.middleware.rt)
    echo = Echo(context, parameters)
    settle_memory()
    while not stop and not orphaned():
        echo.wait_and_answer()
    echo.node.destroy_node()
    context.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
