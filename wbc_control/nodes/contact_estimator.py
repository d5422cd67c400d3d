"""``contact_estimator`` alone in its process: sensors in, contact, base and momentum out, one tick a joint state."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from wbc_control.ros.conversions.plan import PlannedContact
from wbc_control.ros.deadlines import Pace
from wbc_control.ros.estimator_stage import EstimatorStage
from wbc_control.ros.health import report
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.plan_inputs import read_schedule
from wbc_control.ros.runner import Program, run
from wbc_control.ros.sensor_inputs import SensorInputs
from wbc_control.state import Estimate


class EstimatorProgram(Program):
    """The estimator between its topics."""

    def __init__(self, context: Any) -> None:
        node = StackNode("contact_estimator", context)
        self.nodes = (node,)
        self.period_ns = round(1e9 / node.parameters.estimator.rate)
        self._node = node
        self._stage = EstimatorStage(node)
        self._sensors = SensorInputs(node)
        self._schedule = node.inbox("contact_schedule", raw=True)
        self._planned: PlannedContact | None = None
        self._estimate: Estimate | None = None

    def triggers(self) -> Sequence[Inbox]:
        """A joint state is a tick."""
        return (self._sensors.joints.inbox,)

    def tick(self) -> None:
        """Sensors to estimate to topics."""
        sample = self._sensors.collect()
        if sample is None:
            return
        if self._sensors.jumped:
            self._stage.reset()
        planned = self._planned.at(sample.time_ns) if self._planned is not None else None
        self._estimate = self._stage.step(sample, planned)
        if self._node.active:
            self._stage.publish(self._estimate)
        self._take_schedule()

    def _take_schedule(self) -> None:
        """After the estimate is out: the plan for the next tick."""
        schedule = self._schedule.take_newest()
        if schedule is not None:
            self._planned = PlannedContact(read_schedule(schedule), self._node.model.foot_names)

    def every_second(self, pace: Pace, missed: int) -> None:
        """Health of sensors and estimate."""
        numbers = self._sensors.joints.health() | {"sent": self._stage.sent}
        report(self._node, pace, missed, self._sensors.silent(), self._estimate, numbers)


def main() -> int:
    """Entry point."""
    return run(EstimatorProgram)


if __name__ == "__main__":
    sys.exit(main())
