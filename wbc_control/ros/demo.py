"""The demonstration of ``wbc up --demo``: stand, sway, a push from behind, a push from the side, again and again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rclpy.node import Node

from wbc_control.ros.conversions.sensors import WrenchEncoder
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.remote_parameters import RemoteParameters
from wbc_control.ros.topics import TOPICS

PUSH_SHARE_NS_PER_KG = 0.2
"""Impulse of a demonstrated push per kilogram of robot, N·s/kg: well inside what a standing robot can take."""


@dataclass(frozen=True)
class Act:
    """One act: what is said, how long it lasts, s, parameters to set, direction of a push, (3,) in world."""

    words: str
    duration_s: float
    values: Mapping[str, Any] = field(default_factory=dict)
    push: tuple[float, float, float] = (0.0, 0.0, 0.0)


ACTS = (
    Act("standing", 4.0, {"centroidal_planner.motion.kind": "stand"}),
    Act("swaying", 8.0, {"centroidal_planner.motion.kind": "sway"}),
    Act("standing", 3.0, {"centroidal_planner.motion.kind": "stand"}),
    Act("pushed from behind", 3.0, push=(1.0, 0.0, 0.0)),
    Act("pushed from the left", 3.0, push=(0.0, -1.0, 0.0)),
)


class Demo:
    """Plays the acts in turn.

    Args:
        node: Any node in the stack's namespace.
        parameters: Way to the other nodes' parameters.
        mass: Mass of the robot, kg.
        push_s: How long the simulator lets a push act, s.
    """

    def __init__(self, node: Node, parameters: RemoteParameters, mass: float, push_s: float) -> None:
        topic = TOPICS["push"]
        self._publisher = node.create_publisher(message_class(topic.type), topic.name, profile(topic.writer))
        self._parameters = parameters
        self._force = PUSH_SHARE_NS_PER_KG * mass / push_s
        self._encoder = WrenchEncoder("")
        self._next = 0
        self._until_s = 0.0
        self.words = ""

    def update(self, now_s: float) -> None:
        """Begin the next act when the present one is over."""
        if now_s < self._until_s:
            return
        act = ACTS[self._next % len(ACTS)]
        self._next += 1
        self._until_s = now_s + act.duration_s
        self.words = act.words
        if act.values:
            self._parameters.set(act.values)
        if any(act.push):
            force = [self._force * share for share in act.push]
            self._publisher.publish(self._encoder.encode(0, [*force, 0.0, 0.0, 0.0]))
