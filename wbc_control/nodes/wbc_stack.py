"""Estimator, QP and bridge composed in one process: state in, one pass, command out, no hop between them.

The three nodes keep their names, parameters and topics; what the neighbours would read over a hop is handed over, and
what others read (planner, people) is published at ``middleware.telemetry_rate``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from wbc_control.ros.bridge_stage import BRAKE_S, BridgeStage
from wbc_control.ros.controller_stage import ControllerStage
from wbc_control.ros.deadlines import Pace
from wbc_control.ros.estimator_stage import EstimatorStage
from wbc_control.ros.every import Every
from wbc_control.ros.health import report
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.runner import Program, run
from wbc_control.ros.sensor_inputs import SensorInputs
from wbc_control.state import Estimate, JointCommand
from wbc_control.wbc import ControllerOutput


class StackProgram(Program):
    """The 1 kHz part of the stack in one pass."""

    def __init__(self, context: Any) -> None:
        first = StackNode("contact_estimator", context)
        second = StackNode("whole_body_qp", context, first.model)
        third = StackNode("joint_pd_bridge", context, first.model)
        self.nodes = (first, second, third)
        self.period_ns = round(1e9 / second.parameters.controller.rate)
        self._sensors = SensorInputs(first)
        self._estimator, self._controller, self._bridge = (
            EstimatorStage(first),
            ControllerStage(second),
            BridgeStage(third),
        )
        self._telemetry = Every(first.parameters.middleware.telemetry_rate)
        self._estimate: Estimate | None = None

    def triggers(self) -> Sequence[Inbox]:
        """A joint state is a tick."""
        return (self._sensors.joints.inbox,)

    def tick(self) -> None:
        """Sensors to effort, then what others want to read."""
        sample = self._sensors.collect()
        if sample is None:
            self.idle()
            return
        if self._sensors.jumped:
            self._estimator.reset()
            self._controller.reset()
        estimate = self._estimator.step(sample, self._controller.planned_contact)
        output = self._controller.step(estimate) if self.nodes[0].active else None
        command: JointCommand | None = output.command if output is not None and self.nodes[1].active else None
        self._bridge.step(command, sample.joints)
        self._estimate = estimate
        self._controller.take_plan()
        self._publish(estimate, output)

    def idle(self) -> None:
        """No usable sensors: the bridge's watchdog goes on."""
        self._bridge.idle()

    def every_second(self, pace: Pace, missed: int) -> None:
        """Health of all three."""
        first, second, third = self.nodes
        heard = self._sensors.joints.health()
        report(first, pace, missed, self._sensors.silent(), self._estimate, heard)
        report(second, pace, missed, (), self._estimate, self._controller.health())
        report(third, pace, missed, (), None, self._bridge.health())

    def finish(self) -> None:
        """Brake on the way out."""
        end = time.monotonic() + BRAKE_S
        while time.monotonic() < end:
            self._bridge.brake(self._sensors.joints.take())
            time.sleep(1e-9 * self.period_ns)

    def _publish(self, estimate: Estimate, output: ControllerOutput | None) -> None:
        """State and command in one tick, margins and pictures in another, so that no tick carries all of it."""
        due = self._telemetry.due(estimate.robot.time_ns)
        if due and self.nodes[0].active:
            self._estimator.publish(estimate)
        if output is None or not self.nodes[1].active:
            return
        if due:
            self._controller.publish_command(output)
        else:
            self._controller.publish_telemetry(estimate, output)


def main() -> int:
    """Entry point."""
    return run(StackProgram)


if __name__ == "__main__":
    sys.exit(main())
