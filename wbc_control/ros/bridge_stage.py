"""The PD bridge as a stage of a process: the only writer of motor commands, from the first command to the last brake.

Nothing is sent before the first joint command: until then the hardware keeps its own hold.  From then on something is
sent every tick for as long as the process lives, and braking is the last thing sent, for the stock forwarder has no
timeout.
"""

from __future__ import annotations

import time

from wbc_control.joint_control import JointPdBridge
from wbc_control.ros.bridge_outputs import output_of
from wbc_control.ros.forwarder_check import ForwarderCheck
from wbc_control.ros.forwarders import forwarders_of
from wbc_control.ros.masters import CommandAuthority
from wbc_control.ros.node import StackNode
from wbc_control.state import JointCommand, JointState

_HELD_PERIODS = 3
BRAKE_S = 0.1
"""Braking before the bridge falls silent, s."""


class BridgeStage:
    """PD bridge behind ``joint_pd_bridge``'s topics.

    Args:
        node: The node ``joint_pd_bridge``.

    Attributes:
        claimed: Whether a command has been sent: from then on the hardware holds what we said last.
        sent: Commands sent so far.
    """

    def __init__(self, node: StackNode) -> None:
        self.node = node
        self._applied = node.parameters
        self.core = JointPdBridge(node.model, node.parameters.bridge)
        self._output = output_of(node)
        self._authority = CommandAuthority(node, self._output.key, self._output.topics)
        forwarders = forwarders_of(node.parameters.bridge)
        self._forwarders = ForwarderCheck(node, forwarders, node.model.joint_names)
        self._joints: JointState | None = None
        self._command: JointCommand | None = None
        self._heard_ns = self._commanded_ns = 0
        self._period_ns = round(1e9 / node.parameters.bridge.rate)
        self._braked_until_ns = 0
        self.claimed = False
        self.sent = 0

    def step(self, command: JointCommand | None, joints: JointState) -> None:
        """One tick with fresh joints.

        Args:
            command: A new command; None where there is none, then the last one counts until the core finds it too old.
            joints: Fresh joints.
        """
        self._take_parameters()
        self._joints, self._heard_ns = joints, time.monotonic_ns()
        if command is not None:
            self._command, self._commanded_ns = command, time.monotonic_ns()
        if not self.node.active:
            self._leave()
        elif self.claimed or (command is not None and self._may_claim()):
            self._claim()
            self._send(joints.time_ns, self._command, joints)

    def await_command(self, joints: JointState) -> None:
        """Fresh joints without a new command: what was sent holds for a while, then the PD goes on by itself.

        The forwarder holds our last effort anyway.  Silence for these few periods lets a simulator see that the
        command for its last sample is still to come.
        """
        command = self._command
        young = command is not None and joints.time_ns - command.time_ns <= _HELD_PERIODS * self._period_ns
        if young and self.node.active and time.monotonic_ns() - self._commanded_ns < self._silence_ns():
            self._joints, self._heard_ns = joints, time.monotonic_ns()
        else:
            self.step(None, joints)

    def idle(self) -> None:
        """No fresh joints in time: once they are too old, go on with the last ones on the wall clock's time and brake."""
        if self._joints is None or not self.claimed:
            return
        if not self.node.active:
            self._leave()
        elif time.monotonic_ns() - self._heard_ns >= self._silence_ns():
            self._send(self._now_ns(), self._command, self._joints)

    def _silence_ns(self) -> int:
        return round(1e9 * self.node.parameters.bridge.joint_state_timeout)

    def health(self) -> dict[str, object]:
        """For diagnostics: whether the joints are claimed, what the core does, how many others publish commands."""
        self._forwarders.look()
        rivals = self._authority.rivals()
        if rivals > 0 and self.claimed:
            self.node.log_rarely("master", f"{rivals} other node(s) publish on our command topic", "error")
        numbers: dict[str, object] = {
            "claimed": self.claimed,
            "mode": self.core.mode.value,
            "rivals": rivals,
            "sent": self.sent,
        }
        return numbers | ({"refused": self._forwarders.complaint} if self._forwarders.complaint else {})

    def brake(self, joints: JointState | None = None) -> None:
        """Send one braking command for the newest joints, if we have ever commanded."""
        if joints is not None:
            self._joints, self._heard_ns = joints, time.monotonic_ns()
        if self._joints is not None and self.claimed:
            self._command = None
            self.core.brake()
            self._send(self._now_ns(), None, self._joints)

    def _now_ns(self) -> int:
        joints = self._joints
        return 0 if joints is None else joints.time_ns + time.monotonic_ns() - self._heard_ns

    def _may_claim(self) -> bool:
        self._forwarders.look()
        return not self._forwarders.waiting() and self._authority.may_claim()

    def _claim(self) -> None:
        if not self.claimed:
            self.core.reset()
            self._output.restart()
            self.claimed = True
        self._braked_until_ns = 0

    def _leave(self) -> None:
        """After deactivation: brake for a while, then let go."""
        if not self.claimed:
            return
        now = time.monotonic_ns()
        self._braked_until_ns = self._braked_until_ns or now + round(1e9 * BRAKE_S)
        self.brake()
        if now >= self._braked_until_ns:
            self.claimed, self._braked_until_ns = False, 0

    def _send(self, time_ns: int, command: JointCommand | None, joints: JointState) -> None:
        if self._forwarders.complaint:  # not even braking: it would brake the wrong joints
            self.node.log_rarely("joints", f"{self._forwarders.complaint}: nothing is sent", "error")
            return
        self.sent += 1
        self._output.send(self.core, self.core.update(time_ns, command, joints), time_ns)

    def _take_parameters(self) -> None:
        if self.node.parameters is not self._applied:
            self._applied = self.node.parameters
            self.core.configure(self._applied.bridge)
