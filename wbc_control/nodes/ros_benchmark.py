"""``wbc benchmark --ros``: from state to command through real DDS, next to a bare echo of the same messages."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from wbc_control.model import RobotModel
from wbc_control.nodes.scenario_sim import RemoteStack, control_processes, stack_factory
from wbc_control.parameters import StackParameters
from wbc_control.ros.graph import LOCAL_ENVIRONMENT, Process
from wbc_control.ros.remote_timing import Timing
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario
from wbc_control.state import ImuSample, JointState, SensorSample

ECHO = Process("echo", ())
_MS = 1e-3


def measure_ros(
    robot: str,
    steps: int,
    overrides: Mapping[str, Any] | None = None,
    composition: bool = True,
    progress: Callable[[float], None] = lambda done: None,
) -> dict[str, Any]:
    """Period, round trip and missed deadlines of the stack while the robot stands, and of the echo before and after.

    Args:
        robot: Shipped robot's name or parameter file.
        steps: Control periods of the stack's run; the echo runs as many in two halves.
        overrides: ``node.parameter`` → value.
        composition: Whether estimator, QP and bridge share a process.
        progress: Told how many of 2 × ``steps`` periods are done.

    Returns:
        The ``ros`` part of the benchmark's schema; times in µs, ``missed`` counts periods without a command in time.
    """
    for name, value in LOCAL_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    echo = Timing()
    parameters, model = _echo_half(robot, steps // 2, overrides, echo, progress, 0)
    stacks: list[RemoteStack] = []
    scenario = read_scenario({"duration": steps * _MS}, "benchmark")
    factory = stack_factory(stacks, control_processes(composition))
    prepared = prepare(robot, scenario, overrides, controller=factory)
    with stacks[0] as stack:
        prepared.loop.run([_Bar(progress, steps // 2)])
        prepared.backend.close()
        tick_us = stack.onlooker.report()["tick_us"]
    _run_echo(model, parameters, steps - steps // 2, echo, progress, steps // 2 + steps)
    timing = stack.timing
    return {
        "composition": composition,
        "period_us": timing.period_us(),
        "round_trip_us": timing.round_trip_us(),
        "missed": timing.missed,
        "periods": timing.periods,
        "echo_period_us": echo.period_us(),
        "echo_round_trip_us": echo.round_trip_us(),
        "echo_missed": echo.missed,
        "tick_us": tick_us,
    }


class _Bar:
    """Tells how far the loop is."""

    def __init__(self, progress: Callable[[float], None], done: int) -> None:
        self._progress, self._done = progress, done

    def observe(self, period: Period) -> None:
        """Now and then."""
        if period.index % 100 == 0:
            self._progress(self._done + period.index)


def _echo_half(
    robot: str,
    steps: int,
    overrides: Mapping[str, Any] | None,
    timing: Timing,
    progress: Callable[[float], None],
    done: int,
) -> tuple[StackParameters, RobotModel]:
    from wbc_control.model.catalogue import load_robot

    parameters = load_robot(robot, overrides)
    model = RobotModel.from_parameters(parameters.robot)
    _run_echo(model, parameters, steps, timing, progress, done)
    return parameters, model


def _run_echo(
    model: RobotModel,
    parameters: StackParameters,
    steps: int,
    timing: Timing,
    progress: Callable[[float], None],
    done: int,
) -> None:
    """The same messages, answered at once."""
    with RemoteStack(model, parameters, (ECHO,), timing) as stack:
        for index in range(steps):
            stack.tick(_still(model, round(index * 1e9 / parameters.simulator.control_rate)), None)
            if index % 100 == 0:
                progress(done + index)


def _still(model: RobotModel, time_ns: int) -> SensorSample:
    """A robot that stands."""
    zeros, feet = np.zeros(model.n), len(model.feet)
    joints = JointState(time_ns, model.joint_positions(model.standing_configuration()), zeros, zeros)
    imu = ImuSample(time_ns, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.array([0.0, 0.0, 9.81]))
    times: Any = np.full(feet, time_ns, dtype=np.int64)
    return SensorSample(time_ns, joints, imu, np.zeros((feet, 6)), times, np.ones(feet, dtype=bool))
