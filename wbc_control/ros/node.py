"""What every node of the stack is made of: lifecycle, parameters, ports, diagnostics; the work is in the subclass.

The executor thread (parameters, lifecycle) only flips flags and swaps snapshots; the loop thread acts on them at the
start of a tick, so a tick never sees half a change and never waits for a lock.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.node import Publisher

from wbc_control.errors import WbcError
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters
from wbc_control.ros.conversions.diagnostics import OK, encode_diagnostics
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.parameter_bridge import ParameterBridge
from wbc_control.ros.parameter_file import bare_section, files_on
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import PORTS, TOPICS, Topic

LOG_PERIOD_S = 1.0
"""Least time between two log lines about the same thing from inside the loop, s."""


class StackNode(LifecycleNode):
    """Base of the nodes.

    Args:
        name: One of the nodes declared in :data:`wbc_control.ros.topics.PORTS`.
        model: The robot where another node of the process has read it already.

    Attributes:
        model: The robot.
        active: Whether the node may publish commands and data; flipped by lifecycle transitions.

    Raises:
        ParameterError, ModelError: Unusable parameters or robot, in one sentence.
    """

    def __init__(self, name: str, context: Any, model: RobotModel | None = None) -> None:
        super().__init__(name, context=context, automatically_declare_parameters_from_overrides=True)
        self._ports = PORTS[name]
        extra = bare_section(files_on(sys.argv), name) if self.get_namespace() != "/" else {}
        self._parameter_bridge = ParameterBridge(self, extra)
        self.model = model if model is not None else RobotModel.from_parameters(self.parameters.robot)
        self.active = False
        self._logged: dict[str, float] = {}
        self._publishers_by_key = {key: self._open_publishers(TOPICS[key]) for key in self._ports.writes}

    @property
    def parameters(self) -> StackParameters:
        """Present snapshot; compare by identity to see a change."""
        return self._parameter_bridge.snapshot

    def inboxes(self, key: str, raw: bool = False) -> list[Inbox]:
        """Subscriptions of one declared port, one a foot where the topic repeats."""
        topic = TOPICS[key]
        return [Inbox(self, topic, name, raw) for name in self._names(topic)]

    def inbox(self, key: str, raw: bool = False) -> Inbox:
        """The one subscription of a port that does not repeat."""
        return self.inboxes(key, raw)[0]

    def open_publisher(self, key: str, controller: str) -> Publisher[Any]:
        """One more publisher of a declared motor command."""
        topic = TOPICS[key]
        (name,) = topic.names((), controller)
        return self.create_publisher(message_class(topic.type), name, profile(topic.writer))

    def publishers_of(self, key: str) -> list[Publisher[Any]]:
        """Publishers of one declared port."""
        return self._publishers_by_key[key]

    def publish(self, key: str, message: Any) -> None:
        """Send a message (or its wire bytes) on a port that does not repeat."""
        self._publishers_by_key[key][0].publish(message)

    def has_listeners(self, key: str) -> bool:
        """Whether anybody reads a port."""
        return any(publisher.get_subscription_count() > 0 for publisher in self._publishers_by_key[key])

    def log_rarely(self, topic: str, sentence: str, level: str = "warn") -> None:
        """Log from inside the loop: at most one line per topic and second."""
        now = time.monotonic()
        if now - self._logged.get(topic, -LOG_PERIOD_S) >= LOG_PERIOD_S:
            self._logged[topic] = now
            getattr(self.get_logger(), level)(sentence)

    def log_once(self, topic: str, sentence: str) -> None:
        """Warn about something once in the life of the node."""
        if topic not in self._logged:
            self._logged[topic] = float("inf")
            self.get_logger().warn(sentence)

    def diagnose(self, time_ns: int, values: Mapping[str, object], level: int = OK, sentence: str = "ok") -> None:
        """Send one status on ``/diagnostics``."""
        name = f"{self.get_fully_qualified_name().lstrip('/')}: loop"
        robot = self.parameters.robot.name
        self.publish("diagnostics", encode_diagnostics(time_ns, name, level, sentence, values, robot))

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Everything was read and checked in the constructor."""
        return TransitionCallbackReturn.SUCCESS

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """From the next tick on the node works."""
        self.active = True
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """From the next tick on the node is silent (the bridge brakes first)."""
        self.active = False
        return super().on_deactivate(state)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """As deactivation."""
        self.active = False
        return TransitionCallbackReturn.SUCCESS

    def autostart(self) -> None:
        """Configure and activate, if the parameters say so."""
        if self.parameters.middleware.autostart:
            self.trigger_configure()
            self.trigger_activate()

    def _names(self, topic: Topic) -> tuple[str, ...]:
        return topic.names(self.model.foot_names, self.parameters.bridge.controller)

    def _open_publishers(self, topic: Topic) -> list[Publisher[Any]]:
        quality, kind = profile(topic.writer), message_class(topic.type)
        return [self.create_publisher(kind, name, quality) for name in self._names(topic)]


def explained(action: Callable[[], int]) -> int:
    """Run a program; errors of this package become one line and exit code 1."""
    try:
        return action()
    except WbcError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
