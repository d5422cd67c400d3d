"""Plays hardware and controller for the bridge in tests: publishes joints and commands, hears motor commands."""

from __future__ import annotations

import numpy as np
import rclpy
from conftest import wait_until

from wbc_control.model import RobotModel
from wbc_control.ros.conversions.joints import JointStateEncoder
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import TOPICS

MS = 1_000_000
SPEED = 0.3


class Bench:
    """Plays hardware and controller for the bridge: publishes joints and commands in its own time, hears efforts."""

    def __init__(self, context, parameters) -> None:
        self.model = RobotModel.from_parameters(parameters.robot)
        self.parameters = parameters
        self.node = rclpy.create_node("bench", context=context)
        self.encoder = JointStateEncoder(self.model.joint_names)
        self.joints = self._publisher("joint_states")
        self.commands = self._publisher("joint_command")
        self.efforts = Inbox(self.node, TOPICS["effort"], f"{parameters.bridge.controller}/commands")
        self.time_ns = 10**9
        self.position = self.model.joint_positions(self.model.standing_configuration())
        self.velocity = np.full(self.model.n, SPEED)
        self.zeros = np.zeros(self.model.n)
        self.last: np.ndarray | None = None

    def _publisher(self, key):
        topic = TOPICS[key]
        return self.node.create_publisher(message_class(topic.type), topic.name, profile(topic.writer))

    def connected(self) -> bool:
        return self.joints.get_subscription_count() > 0 and self.commands.get_subscription_count() > 0

    def step(self, command: bool, effort: float = 5.0) -> None:
        """One millisecond of the bench's time."""
        self.time_ns += MS
        self.joints.publish(self.encoder.write(self.time_ns, self.position, self.velocity, self.zeros))
        if command:
            wanted = np.full(self.model.n, effort)
            self.commands.publish(self.encoder.write(self.time_ns, self.position, self.velocity, wanted))
        self.listen()

    def listen(self) -> None:
        message = self.efforts.take()
        while message is not None:
            self.last = np.array(message.data)
            message = self.efforts.take()

    def reaches(self, wanted: np.ndarray, command: bool) -> bool:
        """Whether the effort comes to be the wanted one while the bench plays on."""

        def there() -> bool:
            self.step(command)
            return (
                self.last is not None and self.last.shape == wanted.shape and np.allclose(self.last, wanted, atol=1e-9)
            )

        return wait_until(there)

    @property
    def tracking(self) -> np.ndarray:
        """Feed-forward alone: the bench commands the measured position and velocity."""
        return np.clip(np.full(self.model.n, 5.0), -self.model.limits.effort, self.model.limits.effort)

    @property
    def damping(self) -> np.ndarray:
        wanted = np.full(self.model.n, -self.parameters.bridge.damping * SPEED)
        return np.clip(wanted, -self.model.limits.effort, self.model.limits.effort)
