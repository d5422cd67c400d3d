"""``joint_pd_bridge`` alone in its process: joint commands in, efforts out, a watchdog in between."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from wbc_control.ros.bridge_stage import BRAKE_S, BridgeStage
from wbc_control.ros.conversions.joints import JointStateDecoder
from wbc_control.ros.deadlines import Pace
from wbc_control.ros.health import report
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.runner import Program, run
from wbc_control.ros.sensor_inputs import JointInput
from wbc_control.state import JointCommand


class BridgeProgram(Program):
    """The bridge between its topics: ticks on commands, and on joint states while commands stay away."""

    def __init__(self, context: Any) -> None:
        node = StackNode("joint_pd_bridge", context)
        self.nodes = (node,)
        self.period_ns = round(1e9 / node.parameters.bridge.rate)
        self._node = node
        self._stage = BridgeStage(node)
        self._joints = JointInput(node)
        self._commands = node.inbox("joint_command", raw=True)
        self._decoder = JointStateDecoder(node.model.joint_names, "joint_command")

    def triggers(self) -> Sequence[Inbox]:
        """A joint command is a tick."""
        return (self._commands,)

    def tick(self) -> None:
        """Command and newest joints to effort."""
        command = self._take_command()
        joints = self._joints.take() or self._joints.newest
        if joints is not None:
            self._stage.step(command, joints)

    def idle(self) -> None:
        """No command within two periods: the watchdog's time goes on with fresh joints, or without."""
        joints = self._joints.take()
        if joints is not None:
            self._stage.await_command(joints)
        else:
            self._stage.idle()

    def every_second(self, pace: Pace, missed: int) -> None:
        """Health of the bridge."""
        limit = self._node.parameters.middleware.sensor_silence
        silent = [box.name for box in (self._commands, self._joints.inbox) if box.silence_s() > limit]
        report(self._node, pace, missed, silent, None, self._stage.health() | {"heard": self._commands.received})

    def finish(self) -> None:
        """Brake on the way out."""
        end = time.monotonic() + BRAKE_S
        while time.monotonic() < end:
            self._stage.brake(self._joints.take())
            time.sleep(1e-9 * self.period_ns)

    def _take_command(self) -> JointCommand | None:
        wire = self._commands.take_newest()
        if wire is None:
            return None
        command = self._decoder.joint_command_from_wire(wire)
        if command is None:
            self._node.log_rarely("command", f"{self._decoder.reason}: ignored")
        return command


def main() -> int:
    """Entry point."""
    return run(BridgeProgram)


if __name__ == "__main__":
    sys.exit(main())
