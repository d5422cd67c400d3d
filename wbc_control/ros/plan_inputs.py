"""``planner/trajectory`` + ``planner/contact_schedule`` → the Plan that the planner made."""

from __future__ import annotations

from typing import Any

from rclpy.serialization import deserialize_message

from wbc_control.ros.conversions.horizon import Horizon, horizon_from_message
from wbc_control.ros.conversions.horizon_wire import decode_horizon
from wbc_control.ros.conversions.plan import PlanDecoder
from wbc_control.ros.conversions.stamps import stamp_ns
from wbc_control.ros.node import StackNode
from wbc_control.ros.quality import message_class
from wbc_control.ros.topics import TOPICS
from wbc_control.state import Plan


class PlanInputs:
    """Joins the two messages of a plan by their stamp.

    Args:
        node: Reader of the plan.
        torso: Name of the task link in the trajectory.
    """

    def __init__(self, node: StackNode, torso: str) -> None:
        self._node = node
        self._trajectory = node.inbox("trajectory", raw=True)
        self._schedule = node.inbox("contact_schedule")
        self._type = message_class(TOPICS["trajectory"].type)
        self._decoder = PlanDecoder(torso, node.model.foot_names)
        self._horizon: Horizon | None = None
        self._contact: Any = None

    def take(self) -> Plan | None:
        """A plan that has just become complete, or None."""
        wire, contact = self._trajectory.take_newest(), self._schedule.take_newest()
        if wire is None and contact is None:
            return None
        self._horizon = self._read(wire) if wire is not None else self._horizon
        self._contact = contact if contact is not None else self._contact
        if (
            self._horizon is None
            or self._contact is None
            or stamp_ns(self._contact.header.stamp) != self._horizon.time_ns
        ):
            return None
        return self._join(self._horizon, self._contact)

    def _join(self, horizon: Horizon, contact: Any) -> Plan | None:
        refused = self._decoder.refused
        plan = self._decoder.decode(horizon, contact)
        if self._decoder.refused != refused:
            self._node.log_rarely("plan", f"{self._decoder.reason}: plan ignored ({self._decoder.refused} so far)")
        return plan

    def _read(self, wire: bytes) -> Horizon | None:
        horizon = decode_horizon(wire)
        return horizon if horizon is not None else horizon_from_message(deserialize_message(wire, self._type))
