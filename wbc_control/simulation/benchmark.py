"""Latency of one tick of the control stack.

Two passes.  First the robot sways in simulation, in closed loop, and what its sensors said is kept.  Then a fresh stack
is fed the same samples and timed: it goes through the same states, because it is deterministic, but has the processor's
caches to itself as a control process on a robot has, whose physics does not run in between.  A tick is sensors in to
torques out; the planner, a process of its own at a tenth of the rate, has a row of its own.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter_ns
from typing import Any

from wbc_control.errors import DomainError
from wbc_control.model import RobotModel, load_robot
from wbc_control.parameters import StackParameters
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.metrics.metric import percentiles
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import Scenario, read_scenario
from wbc_control.stack import ControlStack
from wbc_control.state import SensorSample

WARM_UP_STEPS = 1500
"""Ticks before the measurement: start-up ramps are over and caches are warm."""
_SWAY = {"centroidal_planner.motion.kind": "sway"}
_SWAY_AT_STEP = 500


class _Tape:
    """An observer that keeps the samples of a run."""

    def __init__(self, on_step: Callable[[float], None]) -> None:
        self.samples: list[SensorSample] = []
        self._on_step = on_step

    def observe(self, period: Period) -> None:
        """Keep one sample."""
        self.samples.append(period.sample)
        if period.index % 50 == 0:
            self._on_step(period.index)


def measure(
    robot: str,
    steps: int,
    overrides: Mapping[str, Any] | None = None,
    on_step: Callable[[float], None] = lambda done: None,
) -> dict[str, Any]:
    """Time ``steps`` ticks.

    Args:
        robot: Shipped robot's name or parameter file.
        steps: Ticks to measure after :data:`WARM_UP_STEPS`; at least 1.
        overrides: ``node.parameter`` → value.
        on_step: Called now and then with the number of ticks simulated.

    Raises:
        WbcError: The robot or a parameter is unusable.
        DomainError: ``steps`` is below 1, or the robot fell, which makes its ticks meaningless.
    """
    if steps < 1:
        raise DomainError(f"is {steps}, wanted at least 1", where="--steps", value=steps, bound=1)
    rate = load_robot(robot, overrides).simulator.control_rate
    run = prepare(robot, _swaying(steps, 1.0 / rate), overrides)
    tape = _Tape(on_step)
    outcome = run.loop.run([tape])
    run.backend.close()
    if outcome.fell:
        raise DomainError(f"fell during the benchmark ({outcome.reason})", where=robot)
    tick_us, stages_us = replay(run.model, run.parameters, tape.samples)
    return {
        "robot": run.parameters.robot.name,
        "threads": 1,
        "steps": len(tick_us),
        "joints": run.model.n,
        "contacts": len(run.model.feet),
        "tick_us": percentiles(tick_us),
        "stages_us": {stage: percentiles(values) for stage, values in stages_us.items()},
    }


def _swaying(steps: int, period_s: float) -> Scenario:
    rows = [{"t": period_s * _SWAY_AT_STEP, **_SWAY}]
    return read_scenario({"duration": period_s * (WARM_UP_STEPS + steps), "set": rows}, "benchmark")


def replay(
    model: RobotModel, parameters: StackParameters, samples: Sequence[SensorSample]
) -> tuple[list[float], dict[str, list[float]]]:
    """Durations, µs, of every tick and of its stages after the warm-up, of a fresh stack fed ``samples``."""
    stack = ControlStack(model, parameters)
    ticks_us: list[float] = []
    stages_us: dict[str, list[float]] = {stage: [] for stage in stack.stage_ns}
    with quiet_collector():
        for index, sample in enumerate(samples):
            if index == _SWAY_AT_STEP:
                stack.set_parameters(_SWAY)
            start = perf_counter_ns()
            stack.tick(sample, None)
            end = perf_counter_ns()
            if index >= WARM_UP_STEPS:
                # The planner is a process of its own: its stage is reported, not counted into the tick.
                ticks_us.append(1e-3 * (end - start - stack.stage_ns["planner"]))
                for stage, nanoseconds in stack.stage_ns.items():
                    stages_us[stage].append(1e-3 * nanoseconds)
    return ticks_us, stages_us


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Move everything that lives out of the garbage collector's sight, as a control process does after start-up."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
