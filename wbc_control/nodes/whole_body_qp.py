"""``whole_body_qp`` alone in its process: estimate and plan in, joint command out, one tick an estimate."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from wbc_control.ros.controller_stage import ControllerStage
from wbc_control.ros.deadlines import Pace
from wbc_control.ros.estimate_inputs import EstimateInputs
from wbc_control.ros.health import report
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.runner import Program, run
from wbc_control.state import Estimate


class ControllerProgram(Program):
    """The QP between its topics."""

    def __init__(self, context: Any) -> None:
        node = StackNode("whole_body_qp", context)
        self.nodes = (node,)
        self.period_ns = round(1e9 / node.parameters.controller.rate)
        self._node = node
        self._inputs = EstimateInputs(node)
        self._stage = ControllerStage(node)
        self._estimate: Estimate | None = None

    def triggers(self) -> Sequence[Inbox]:
        """The message that completes an estimate is a tick."""
        return (self._inputs.trigger,)

    def tick(self) -> None:
        """Estimate and plan to command."""
        estimate = self._inputs.collect()
        if estimate is None:
            return
        if self._inputs.jumped:
            self._stage.reset()
        self._estimate = estimate
        output = self._stage.step(estimate)
        if output is not None and self._node.active:
            self._stage.publish_command(output)
            self._stage.publish_telemetry(estimate, output)
        self._stage.take_plan()

    def every_second(self, pace: Pace, missed: int) -> None:
        """Health of the controller."""
        report(
            self._node,
            pace,
            missed,
            (),
            self._estimate,
            self._stage.health() | {"heard": self._inputs.trigger.received},
        )


def main() -> int:
    """Entry point."""
    return run(ControllerProgram)


if __name__ == "__main__":
    sys.exit(main())
