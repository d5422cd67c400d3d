"""The onlooker of ``wbc up``: status line and demonstration, in a node of its own."""

from __future__ import annotations

import time

import rclpy
from rclpy.signals import SignalHandlerOptions

from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters
from wbc_control.ros.demo import Demo
from wbc_control.ros.remote_parameters import RemoteParameters
from wbc_control.ros.status import StatusBoard
from wbc_control.ros.topics import PUSH_S


class Monitor:
    """Watches one robot.

    Args:
        parameters: Parameters the nodes were started with.
        namespace: Their namespace.
        demo: Whether to play the demonstration once the robot is under control.
    """

    def __init__(self, parameters: StackParameters, namespace: str, demo: bool) -> None:
        model = RobotModel.from_parameters(parameters.robot)
        self._robot = parameters.robot.name
        self._context = rclpy.Context()
        rclpy.init(context=self._context, signal_handler_options=SignalHandlerOptions.NO)
        self._node = rclpy.create_node(
            "wbc_monitor", namespace=namespace, context=self._context, start_parameter_services=False
        )
        self._parameters = RemoteParameters(self._node)
        self._board = StatusBoard(self._node, model.foot_names)
        self._demo = Demo(self._node, self._parameters, model.mass, PUSH_S) if demo else None

    def poll(self) -> None:
        """Take in what has arrived, and play on."""
        self._board.poll()
        self._parameters.poll()
        if self._demo is not None and self._board.ready():
            self._demo.update(time.monotonic())

    def line(self) -> str:
        """The status line."""
        words = self._demo.words if self._demo is not None else ""
        return "  ".join(part for part in (self._robot, self._board.line(), words) if part)

    def close(self) -> None:
        """Leave the graph."""
        self._parameters.close()
        self._node.destroy_node()
        self._context.try_shutdown()
