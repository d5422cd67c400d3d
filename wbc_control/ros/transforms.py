"""The transform odom → base on ``/tf``, where tf2_msgs is installed (it is not on PyPI); else said once."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from geometry_msgs.msg import TransformStamped

from wbc_control.ros.conversions.buffers import set_quaternion, set_vector
from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.stamps import set_stamp
from wbc_control.ros.every import Every
from wbc_control.ros.node import StackNode

RATE_HZ = 100.0
TF_TOPIC = "tf"
"""Relative, so that robots in namespaces, whose frames have the same names, keep their trees apart."""


class TransformOutput:
    """Publishes the base's pose for RViz and other users of tf2.

    Args:
        node: The node that knows the pose.
    """

    def __init__(self, node: StackNode) -> None:
        self._transform = TransformStamped(child_frame_id=node.model.base_link)
        self._transform.header.frame_id = ODOM_FRAME
        self._every = Every(RATE_HZ)
        self._publisher: Any = None
        if importlib.util.find_spec("tf2_msgs") is None:
            node.get_logger().info("tf2_msgs is not installed: no transform odom → base on /tf")
            return
        self._type = importlib.import_module("tf2_msgs.msg").TFMessage
        self._publisher = node.create_publisher(self._type, TF_TOPIC, 100)

    def publish(self, time_ns: int, q: Any) -> None:
        """Send the pose ``q[:7]`` if it is due."""
        if self._publisher is not None and self._every.due(time_ns):
            self._publisher.publish(self._type(transforms=[self.encode(time_ns, q)]))

    def encode(self, time_ns: int, q: Any) -> TransformStamped:
        """The transform of position ``q[:3]``, m, and quaternion ``q[3:7]`` (x, y, z, w)."""
        set_stamp(self._transform.header.stamp, time_ns)
        set_vector(self._transform.transform.translation, q)
        set_quaternion(self._transform.transform.rotation, q[3:7])
        return self._transform
