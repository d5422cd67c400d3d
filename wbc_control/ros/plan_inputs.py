"""``planner/trajectory`` + ``planner/contact_schedule`` → the Plan that the planner made."""

from __future__ import annotations

from rclpy.serialization import deserialize_message
from trajectory_msgs.msg import JointTrajectory

from wbc_control.ros.conversions.horizon import Horizon, horizon_from_message
from wbc_control.ros.conversions.horizon_wire import decode_horizon
from wbc_control.ros.conversions.plan import PlanDecoder
from wbc_control.ros.conversions.schedule import Schedule, schedule_from_message, schedule_from_wire
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
        self._schedule = node.inbox("contact_schedule", raw=True)
        self._type = message_class(TOPICS["trajectory"].type)
        look_ahead_s = node.parameters.controller.plan_timeout
        self._decoder = PlanDecoder(torso, node.model.foot_names, look_ahead_s)
        self._horizon: Horizon | None = None
        self._contact: Schedule | None = None

    def take(self) -> Plan | None:
        """A plan that has just become complete, or None."""
        wire, contact = self._trajectory.take_newest(), self._schedule.take_newest()
        if wire is None and contact is None:
            return None
        self._horizon = self._read(wire) if wire is not None else self._horizon
        self._contact = read_schedule(contact) if contact is not None else self._contact
        if self._horizon is None or self._contact is None or self._contact.time_ns != self._horizon.time_ns:
            return None
        return self._join(self._horizon, self._contact)

    def _join(self, horizon: Horizon, contact: Schedule) -> Plan | None:
        refused = self._decoder.refused
        plan = self._decoder.decode(horizon, contact)
        if self._decoder.refused != refused:
            self._node.log_rarely("plan", f"{self._decoder.reason}: plan ignored ({self._decoder.refused} so far)")
        return plan

    def _read(self, wire: bytes) -> Horizon | None:
        horizon = decode_horizon(wire)
        return horizon if horizon is not None else horizon_from_message(deserialize_message(wire, self._type))


def read_schedule(wire: bytes) -> Schedule | None:
    """The contact schedule of a message's bytes; None when it is empty or incomplete."""
    found = schedule_from_wire(wire)
    return found if found is not None else schedule_from_message(deserialize_message(wire, JointTrajectory))
