"""``mujoco_sim``: a simulated robot behind the topics of ros2_control's broadcasters and forwarder, in real time.

Until commands flow the robot is held still in its standing posture, as hardware is before a controller claims it; its
sensors already say what they would at rest.  A ``WrenchStamped`` on ``simulation/push`` acts for ``PUSH_S`` on the
link named by its frame (the torso where it names none).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from wbc_control.ros.conversions.sensors import decode_wrench
from wbc_control.ros.deadlines import Pace
from wbc_control.ros.every import Every
from wbc_control.ros.hardware_topics import HardwareTopics
from wbc_control.ros.health import report
from wbc_control.ros.node import StackNode
from wbc_control.ros.runner import Program, run
from wbc_control.ros.topics import PUSH_S
from wbc_control.ros.truth_topics import TruthTopics
from wbc_control.simulation.backend import InitialState
from wbc_control.simulation.running import make_world


class SimulatorProgram(Program):
    """The backend between its topics."""

    def __init__(self, context: Any) -> None:
        node = StackNode("mujoco_sim", context)
        parameters, model = node.parameters, node.model
        self.nodes = (node,)
        self._node = node
        self._backend = make_world(model, parameters.simulator)
        self._backend.reset(InitialState(model.standing_configuration(), np.zeros(model.nv)))
        self.period_ns = round(self._backend.period_ns / parameters.simulator.real_time_factor)
        self._hardware = HardwareTopics(node)
        self._truth = TruthTopics(node)
        self._pushes = node.inbox("push")
        self._push_ends: dict[str, int] = {}
        self._truth_due = Every(parameters.middleware.ground_truth_rate)
        simulated = bool(node.get_parameter("use_sim_time").value)
        self._stamp_ns = 0 if simulated else node.get_clock().now().nanoseconds

    def tick(self) -> None:
        """Newest command to physics to sensors."""
        self._hardware.take()
        if self._hardware.be_patient() and self.deadlines is not None:
            self.deadlines.slip()
        self._stamp_ns += self._backend.period_ns
        if self._hardware.effort is not None and self._hardware.flowing:
            self._apply_pushes()
            self._backend.step(self._hardware.effort)
        if self._node.active:
            self._hardware.publish(self._backend.read_sensors(), self._stamp_ns)
            if self._truth_due.due(self._stamp_ns):
                self._truth.publish(self._backend.ground_truth(), self._stamp_ns)

    def every_second(self, pace: Pace, missed: int) -> None:
        """Health of the simulation."""
        report(
            self._node, pace, missed, (), None, {"commands": self._hardware.received, "unanswered": self._hardware.late}
        )

    def _apply_pushes(self) -> None:
        for link in [link for link, end in self._push_ends.items() if self._stamp_ns >= end]:
            del self._push_ends[link]
            self._backend.apply_wrench(link, np.zeros(3), np.zeros(3))
        message = self._pushes.take_newest()
        if message is not None:
            self._push(message.header.frame_id or self._torso(), decode_wrench(message)[1])

    def _push(self, link: str, wrench: Any) -> None:
        if not self._node.model.pinocchio.existFrame(link) or not np.isfinite(wrench).all():
            self._node.log_rarely("push", f"push on '{link}' ignored: no such link, or not finite")
            return
        self._backend.apply_wrench(link, wrench[:3], wrench[3:])
        self._push_ends[link] = self._stamp_ns + round(1e9 * PUSH_S)

    def _torso(self) -> str:
        model = self._node.model
        return str(model.pinocchio.frames[model.torso_frame_id].name)


def main() -> int:
    """Entry point."""
    return run(SimulatorProgram)


if __name__ == "__main__":
    sys.exit(main())
