"""A scenario through the real nodes: the same run, world and report as in process, with the stack in its own processes.

The simulator node lives in the calling process: the closed loop of :mod:`wbc_control.simulation` ticks a
:class:`RemoteStack` in place of the control stack.  Its tick publishes the sensors on the hardware's topics, keeps real
time with absolute deadlines, and returns the newest command at the end of the period, as hardware would.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

import rclpy
from rclpy.signals import SignalHandlerOptions

from wbc_control.errors import BackendError, ParameterError
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters
from wbc_control.ros.bringup import NodeSet, on_simulated_time
from wbc_control.ros.deadlines import Deadlines
from wbc_control.ros.graph import LOCAL_ENVIRONMENT, SIMULATOR, Process, processes, ros_arguments
from wbc_control.ros.hardware_topics import HardwareTopics
from wbc_control.ros.node import StackNode
from wbc_control.ros.onlooker import Onlooker
from wbc_control.ros.process import request_real_time
from wbc_control.ros.remote_parameters import RemoteParameters
from wbc_control.ros.remote_timing import Timing
from wbc_control.ros.velocity_output import VelocityOutput
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import Scenario
from wbc_control.state import Estimate, PlanSample, SensorSample, VelocityCommand
from wbc_control.state.checks import Array

START_TIMEOUT_S = 60.0
"""How long the nodes may take to the first command, s."""
TICKING_NODES = ("contact_estimator", "whole_body_qp", "joint_pd_bridge")
"""Nodes whose every message counts."""
_CHECK_EVERY = 500


class RemoteStack:
    """Ticks like the control stack; the work is done by the nodes.

    Args:
        model: The robot.
        parameters: Handed to the nodes.
        children: Processes to start.
        timing: Where to collect times; an own one without it.

    Attributes:
        timing: Round trips and periods.
        onlooker: What the nodes say about themselves.
        deadlines: Real-time grid of the run.
    """

    def __init__(
        self, model: RobotModel, parameters: StackParameters, children: Sequence[Process], timing: Timing | None = None
    ) -> None:
        self._nodes = NodeSet(children, on_simulated_time(parameters), os.environ)
        self._context = rclpy.Context()
        rclpy.init(
            context=self._context,
            args=ros_arguments(params_files=[str(self._nodes.parameter_file)]),
            signal_handler_options=SignalHandlerOptions.NO,
        )
        self._node = StackNode("mujoco_sim", self._context, model)
        for refusal in request_real_time(parameters.middleware.rt):
            self._node.get_logger().warn(refusal)
        self._hardware = HardwareTopics(self._node)
        self._velocity = VelocityOutput(self._node)
        self._remote = RemoteParameters(self._node)
        self.onlooker = Onlooker(self._node)
        self.timing = timing if timing is not None else Timing()
        self.timing.pause()
        self._period_ns = round(1e9 / parameters.simulator.control_rate)
        self.deadlines = Deadlines(round(self._period_ns / parameters.simulator.real_time_factor))
        self._offset_ns = self._node.get_clock().now().nanoseconds
        self._ticks = 0

    @property
    def estimate(self) -> Estimate | None:
        """Newest estimate heard."""
        return self.onlooker.estimate

    @property
    def reference(self) -> PlanSample | None:
        """Newest plan, sampled at the time of the tick."""
        return self.onlooker.reference

    def __enter__(self) -> RemoteStack:
        self._nodes.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._nodes.__exit__(kind, error, trace)
        self._remote.close()
        self._node.destroy_node()
        self._context.try_shutdown()

    def tick(self, sample: SensorSample, velocity: VelocityCommand | None) -> Array:
        """Sensors out; after one period of real time, the newest command.

        Raises:
            BackendError: A node ended by itself, or none commands within :data:`START_TIMEOUT_S`.
            ParameterError: A node refused a parameter.
        """
        if not self._hardware.flowing:
            self._wait_for_commands(sample)
            self.deadlines.restart()
        stamp = sample.time_ns + self._offset_ns
        self.timing.sent(time.monotonic_ns())
        self._hardware.publish(sample, stamp)
        self._velocity.send(velocity, stamp)
        self._keep_watch()
        self._wait_for_period_end()
        self.onlooker.look(sample, stamp)
        effort = self._hardware.effort
        assert effort is not None  # the first command came, and the forwarder's side never forgets it
        return effort.copy()

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Send parameters to their nodes; a refusal is raised by a later tick."""
        self._remote.set(values)

    def settle(self, seconds: float) -> dict[str, dict[str, int]]:
        """Say nothing for a while, so that all that is under way arrives and the nodes report it; who sent and heard how many.

        Must stay below the bridge's patience with silent joint states.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._hardware.take()
            time.sleep(0.001)
        counts = {node: self.onlooker.counters(node) for node in TICKING_NODES}
        self.deadlines.restart()
        self.timing.pause()
        return counts | {"mujoco_sim": {"sent": self._hardware.sent, "heard": self._hardware.received}}

    def finish(self) -> dict[str, Any]:
        """Keys of the report that only the nodes know; hears their last diagnostics first."""
        ros: dict[str, Any] = {"period_us": self.timing.period_us(), "round_trip_us": self.timing.round_trip_us()}
        ros |= {"missed": self.timing.missed, "unanswered": self._hardware.late}
        ros["memory_mb"] = {name: round(size, 1) for name, size in self._nodes.memory_mb().items()}
        return self.onlooker.report() | {"deadline_misses": self.deadlines.missed, "ros": ros}

    def _wait_for_commands(self, sample: SensorSample) -> None:
        """Show the robot at rest until somebody commands it steadily; time goes on, the robot does not."""
        end = time.monotonic() + START_TIMEOUT_S
        self.deadlines.restart()
        while not self._hardware.flowing:
            self._offset_ns += self._period_ns
            self._hardware.publish(sample, sample.time_ns + self._offset_ns)
            self._wait_for_period_end()
            self._ticks += 1
            if self._ticks % _CHECK_EVERY == 0:
                self._nodes.check()
            if time.monotonic() > end:
                self.onlooker.look(sample, sample.time_ns + self._offset_ns)
                raise BackendError(f"no command within {START_TIMEOUT_S:g} s of the start: {self.onlooker.complaint()}")
        self._offset_ns += self._period_ns

    def _wait_for_period_end(self) -> None:
        """Take commands as they come; the last before the deadline counts."""
        remaining = self.deadlines.remaining_ns()
        while remaining > 0:
            if self._hardware.wait_for_command(remaining):
                self.timing.answered(time.monotonic_ns())
            remaining = self.deadlines.remaining_ns()
        self.timing.closed()
        if self._hardware.take() or not self._hardware.be_patient():
            self.deadlines.advance()
        else:
            self.timing.answered(time.monotonic_ns())
            self.deadlines.slip()

    def _keep_watch(self) -> None:
        self._ticks += 1
        if self._ticks % _CHECK_EVERY == 0:
            self._nodes.check()
        if self._remote.pending and self._ticks % 10 == 0:
            self._remote.poll()
        if self._remote.refusals:
            raise ParameterError(self._remote.refusals[0])


def run_scenario(
    robot: str,
    scenario: Scenario,
    overrides: Mapping[str, Any] | None = None,
    composition: bool = True,
    observer: Any = None,
) -> dict[str, Any]:
    """Run a scenario through the nodes and report as the in-process run does.

    Args:
        robot: Shipped robot's name or parameter file.
        scenario: What happens.
        overrides: ``node.parameter`` → value.
        composition: Whether estimator, QP and bridge share a process.
        observer: Further observer of the loop, for instance a progress bar.

    Raises:
        WbcError: Unusable input, or a node that fails; one sentence says why.
    """
    for name, value in LOCAL_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    stacks: list[RemoteStack] = []
    factory = stack_factory(stacks, control_processes(composition))
    prepared = prepare(robot, scenario, overrides, controller=factory)
    with stacks[0] as stack:
        outcome = prepared.loop.run([prepared.report, *([observer] if observer is not None else [])])
        report = prepared.finish(outcome)
        report |= stack.finish()
        report["ros"]["composition"] = composition
        return report


def control_processes(composition: bool) -> list[Process]:
    """The processes of the graph but for the simulator, whose place is taken here."""
    return [process for process in processes("mujoco", composition) if process is not SIMULATOR]


def stack_factory(
    stacks: list[RemoteStack], children: Sequence[Process]
) -> Callable[[RobotModel, StackParameters], RemoteStack]:
    """Makes the controller of a prepared run, and keeps it in ``stacks`` for the caller to enter and leave."""

    def make(model: RobotModel, parameters: StackParameters) -> RemoteStack:
        stacks.append(RemoteStack(model, parameters, children))
        return stacks[-1]

    return make
