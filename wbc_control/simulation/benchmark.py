"""Latency of one tick of the control stack, on a swaying robot in lockstep with the physics."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from wbc_control.errors import DomainError
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.metrics.metric import percentiles
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import Scenario, read_scenario

WARM_UP_STEPS = 1500
"""Ticks before the measurement: start-up ramps are over and caches are warm."""


class TickTimer:
    """An observer that keeps tick and stage durations after the warm-up."""

    def __init__(self, controller: Any, on_step: Callable[[float], None]) -> None:
        self._controller, self._on_step = controller, on_step
        self.tick_us: list[float] = []
        self.stages_us: dict[str, list[float]] = {}

    def observe(self, period: Period) -> None:
        """Keep the durations of one tick."""
        if period.index < WARM_UP_STEPS:
            return
        self.tick_us.append(1e-3 * period.tick_ns)
        for stage, nanoseconds in self._controller.stage_ns.items():
            self.stages_us.setdefault(stage, []).append(1e-3 * nanoseconds)
        if period.index % 50 == 0:
            self._on_step(len(self.tick_us))


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
        on_step: Called now and then with the number of ticks measured.

    Raises:
        WbcError: The robot or a parameter is unusable, or steps is below 1.
        DomainError: The robot fell during the measurement, which then means nothing.
    """
    if steps < 1:
        raise DomainError(f"is {steps}, wanted at least 1", where="--steps", value=steps, bound=1)
    run = prepare(robot, _swaying(steps), overrides)
    timer = TickTimer(run.loop.controller, on_step)
    with quiet_collector():
        outcome = run.loop.run([timer])
    run.backend.close()
    if outcome.fell:
        raise DomainError(f"fell during the benchmark ({outcome.reason})", where=robot)
    return {
        "robot": run.parameters.robot.name,
        "threads": 1,
        "steps": len(timer.tick_us),
        "joints": run.model.n,
        "contacts": len(run.model.feet),
        "tick_us": percentiles(timer.tick_us),
        "stages_us": {stage: percentiles(values) for stage, values in timer.stages_us.items()},
    }


def _swaying(steps: int) -> Scenario:
    rows = [{"t": 0.5, "centroidal_planner.motion.kind": "sway"}]
    return read_scenario({"duration": 1e-3 * (WARM_UP_STEPS + steps), "set": rows}, "benchmark")


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Move everything that lives out of the garbage collector's sight, as a control process does after start-up."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
