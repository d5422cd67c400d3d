"""Whether ros2_control's forwarders expect our joints in our order: another order would send the knee's effort to the hip."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from rcl_interfaces.srv import GetParameters

from wbc_control.ros.node import StackNode

ANSWER_S = 1.0
"""How long an answer is waited for before the joints are claimed without it, s: a killed node stays in the graph."""


class ForwarderCheck:
    """Asks each forwarding controller for its ``joints`` and ``interface_name`` as soon as it is there.

    Hardware that is no ros2_control has no such service, and nothing is checked.  The answers come in on the thread that
    serves parameters.

    Args:
        node: The bridge's node.
        forwarders: Controller → command interface.
        joints: Joints in the order in which we send.

    Attributes:
        complaint: What is wrong, one sentence; empty while nothing is known to be.
    """

    def __init__(self, node: StackNode, forwarders: Mapping[str, str], joints: Sequence[str]) -> None:
        self._node = node
        self._joints, self._interfaces = list(joints), dict(forwarders)
        self._clients = {name: node.create_client(GetParameters, f"{name}/get_parameters") for name in forwarders}
        self._asked: dict[str, float] = {}
        self._answered: set[str] = set()
        self.complaint = ""

    def look(self) -> None:
        """Ask those that have appeared; called at the start and once a second."""
        for name, client in self._clients.items():
            if name not in self._asked and client.service_is_ready():
                self._asked[name] = time.monotonic()
                request = GetParameters.Request(names=["joints", "interface_name"])
                client.call_async(request).add_done_callback(lambda future, name=name: self._take(name, future))

    def waiting(self) -> bool:
        """Whether an answer is due."""
        now = time.monotonic()
        return any(now - asked < ANSWER_S for name, asked in self._asked.items() if name not in self._answered)

    def _take(self, name: str, future: Any) -> None:
        answer = future.result()
        values = list(answer.values) if answer is not None else []
        self._answered.add(name)
        if len(values) == 2 and values[0].string_array_value:
            self.complaint = self.complaint or self._judge(name, values[0].string_array_value, values[1].string_value)

    def _judge(self, name: str, joints: Sequence[str], interface: str) -> str:
        found = list(joints)
        if interface and interface != self._interfaces[name]:
            return f"{name} forwards to interface '{interface}', but we send for '{self._interfaces[name]}'"
        if len(found) != len(self._joints):
            return f"{name} expects {len(found)} joints, but the robot has {len(self._joints)}; make its file anew"
        for i, (theirs, ours) in enumerate(zip(found, self._joints, strict=True)):
            if theirs != ours:
                return f"{name} expects '{theirs}' as joint {i}, but we send '{ours}' there; make its file anew"
        return ""
