"""What the stack is doing, in one line: rate, tick time, contacts, ZMP margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rclpy.node import Node

from wbc_control.ros.conversions.contact import ContactDecoder
from wbc_control.ros.conversions.diagnostics import OK, decode_diagnostics, node_in
from wbc_control.ros.conversions.scalars import decode_scalars
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.topics import TOPICS


class StatusBoard:
    """Listens to the stack's telemetry and words it; polled a few times a second, costs nothing in between.

    Args:
        node: Any node in the stack's namespace.
        feet: Feet of the robot.
    """

    def __init__(self, node: Node, feet: Sequence[str]) -> None:
        self._feet = tuple(feet)
        self._namespace = node.get_namespace()
        self._diagnostics = Inbox(node, TOPICS["diagnostics"], TOPICS["diagnostics"].name)
        self._margins = Inbox(node, TOPICS["margins"], TOPICS["margins"].name)
        self._contact_inbox = Inbox(node, TOPICS["contact_state"], TOPICS["contact_state"].name)
        self._decoder = ContactDecoder(feet)
        self._statuses: dict[str, tuple[int, str, dict[str, str]]] = {}
        self._scalars: dict[str, float] = {}
        self._contact: Any = None

    def poll(self) -> None:
        """Take in what has arrived since."""
        message = self._diagnostics.take()
        while message is not None:
            for name, level, sentence, values in decode_diagnostics(message):
                node = node_in(name, self._namespace)
                if node is not None:
                    self._statuses[node] = (level, sentence, values)
            message = self._diagnostics.take()
        margins = self._margins.take_newest()
        self._scalars = decode_scalars(margins) if margins is not None else self._scalars
        contact = self._contact_inbox.take_newest()
        decoded = self._decoder.decode(contact) if contact is not None else None
        self._contact = decoded[0] if decoded is not None else self._contact

    def ready(self) -> bool:
        """Whether the bridge has claimed the joints: the robot is under control."""
        _, _, values = self._statuses.get("joint_pd_bridge", (OK, "", {}))
        return values.get("claimed") == "True"

    def line(self) -> str:
        """The status in words."""
        return "  ".join(part for part in (self._loop(), self._contacts(), self._margin(), self._complaint()) if part)

    def _loop(self) -> str:
        _, _, values = self._statuses.get("whole_body_qp", (OK, "", {}))
        if not values:
            return "waiting for the nodes"
        rate, mean, longest = (float(values[key]) for key in ("rate_hz", "tick_mean_us", "tick_longest_us"))
        return f"{rate:6.1f} Hz  tick {mean:4.0f} µs (max {longest:5.0f})"

    def _contacts(self) -> str:
        if self._contact is None:
            return ""
        rows = zip(self._feet, self._contact.in_contact, self._contact.normal_force, strict=True)
        return "  ".join(f"{foot} {'▇' if touching else '·'} {force:4.0f} N" for foot, touching, force in rows)

    def _margin(self) -> str:
        index, distance = (self._scalars.get(name, math.nan) for name in ("zmp_margin", "zmp_distance_m"))
        if not math.isfinite(index):
            return "zmp_margin undefined"
        return f"zmp_margin {index:.2f} ({1e3 * distance:.0f} mm)"

    def _complaint(self) -> str:
        worst = max(self._statuses.items(), key=lambda item: item[1][0], default=("", (OK, "", {})))
        name, (level, sentence, _) = worst
        return f"[{name}: {sentence}]" if level != OK else ""
