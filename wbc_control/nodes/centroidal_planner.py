"""``centroidal_planner`` in its process: plans at its own rate from the newest estimate and velocity command."""

from __future__ import annotations

import sys
from typing import Any

from wbc_control.ros.deadlines import Pace
from wbc_control.ros.estimate_inputs import EstimateInputs
from wbc_control.ros.health import report
from wbc_control.ros.node import StackNode
from wbc_control.ros.planner_stage import PlannerStage
from wbc_control.ros.runner import Program, run
from wbc_control.state import Estimate


class PlannerProgram(Program):
    """The planner between its topics, on its own deadlines: a late estimate does not delay the next plan."""

    def __init__(self, context: Any) -> None:
        node = StackNode("centroidal_planner", context)
        self.nodes = (node,)
        self.period_ns = round(1e9 / node.parameters.planner.rate)
        self._node = node
        self._inputs = EstimateInputs(node)
        self._stage = PlannerStage(node)
        self._estimate: Estimate | None = None

    def tick(self) -> None:
        """Newest estimate to plan to topics; without a new estimate nothing is said and the last plan grows old."""
        estimate = self._inputs.collect()
        if estimate is None:
            return
        if self._inputs.jumped:
            self._stage.reset()
        self._estimate = estimate
        plan = self._stage.step(estimate)
        if plan is not None and self._node.active:
            self._stage.publish(plan)

    def every_second(self, pace: Pace, missed: int) -> None:
        """Health of the planner."""
        report(self._node, pace, missed, (), self._estimate)


def main() -> int:
    """Entry point."""
    return run(PlannerProgram)


if __name__ == "__main__":
    sys.exit(main())
