"""The planner as a stage of a process: its core, its live parameters and its topics."""

from __future__ import annotations

import time

from wbc_control.planning import Planner
from wbc_control.ros.conversions.horizon_wire import encode_horizon
from wbc_control.ros.conversions.plan import ReferenceEncoder, body_names, plan_to_horizon, plan_to_schedule
from wbc_control.ros.conversions.velocity import decode_velocity
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.topics import TOPICS
from wbc_control.state import Estimate, Plan, VelocityCommand


class PlannerStage:
    """Planner behind ``centroidal_planner``'s topics.

    Args:
        node: The node ``centroidal_planner``.
    """

    def __init__(self, node: StackNode) -> None:
        self.node = node
        self._applied = node.parameters
        self.core = Planner(node.model, node.parameters.planner, node.parameters.controller.contact.friction)
        self._names = body_names(torso_name(node), node.model.foot_names)
        self._reference = ReferenceEncoder(self._names)
        self._velocity = VelocityInput(node)

    def reset(self) -> None:
        """Forget the robot."""
        self.core.reset()

    def step(self, estimate: Estimate) -> Plan | None:
        """One plan, with the parameters and the velocity command that hold now."""
        if self.node.parameters is not self._applied:
            self._applied = self.node.parameters
            self.core.parameters = self._applied.planner
        plan = self.core.update(estimate, self._velocity.take(estimate.robot.time_ns))
        for notice in self.core.take_notices():
            self.node.get_logger().warn(notice)
        return plan

    def publish(self, plan: Plan) -> None:
        """Schedule, then trajectory, then the sample that is valid now for people and tools."""
        self.node.publish("contact_schedule", plan_to_schedule(plan, self.node.model.foot_names))
        self.node.publish("trajectory", encode_horizon(plan_to_horizon(plan, self._names)))
        if self.node.has_listeners("reference"):
            self.node.publish("reference", self._reference.encode(plan.samples[0]))


class VelocityInput:
    """``cmd_vel``, stamped with the time of the state it is first used with."""

    def __init__(self, node: StackNode) -> None:
        key = "cmd_vel_stamped" if node.parameters.middleware.stamped_velocity else "cmd_vel"
        self._inbox = Inbox(node, TOPICS[key], TOPICS[key].name)
        self._node = node
        self._command: VelocityCommand | None = None
        self._heard_ns = 0

    def take(self, time_ns: int) -> VelocityCommand | None:
        """The newest command; its age is the time since it was heard, whatever clock the sender has."""
        message = self._inbox.take_newest()
        if message is not None:
            command = decode_velocity(message, time_ns)
            if command is None:
                self._node.log_rarely("cmd_vel", "cmd_vel holds a number that is not finite: ignored")
            else:
                self._command, self._heard_ns = command, time.monotonic_ns()
        if self._command is None:
            return None
        heard = time_ns - (time.monotonic_ns() - self._heard_ns)
        return VelocityCommand(min(time_ns, heard), self._command.linear, self._command.yaw_rate)


def torso_name(node: StackNode) -> str:
    """Name of the task link in the plan's messages."""
    return node.parameters.robot.torso_link or node.model.base_link
