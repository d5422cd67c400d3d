"""QPs as the controller meets them in closed loop: for judging solvers and solutions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wbc_control.errors import DomainError
from wbc_control.qp import QpProblem
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario
from wbc_control.stack import ControlStack

_SQUAT = {
    "duration": 1.5,
    "set": [{"t": 0.2, "centroidal_planner.motion.kind": "squat"}],
    "push": [{"t": 0.8, "duration": 0.1, "impulse": [3.0, 0.0, 0.0]}],
}
_WALK = {
    "duration": 3.5,
    "command": [{"t": 0.3, "vx": 0.3}],
    "push": [{"t": 3.2, "duration": 0.1, "impulse": [0.0, 3.0, 0.0]}],
}
SCENARIOS: tuple[Mapping[str, Any], ...] = (_SQUAT, _WALK)
"""A squat with a push, first steps with a push."""


class ProblemRecorder:
    """An observer that keeps a copy of the controller's QP every so many ticks.

    Args:
        stack: Whose controller.
        since: First tick to record.
        every: Ticks from one record to the next.

    Attributes:
        problems: The records, oldest first.
    """

    def __init__(self, stack: ControlStack, since: int, every: int) -> None:
        self._stack, self._since, self._every = stack, since, every
        self.problems: list[QpProblem] = []

    def observe(self, period: Period) -> None:
        """Keep this tick's problem if its turn has come."""
        stack = self._stack
        if period.index < self._since or period.index % self._every:
            return
        if stack.output is None or stack.reference is None:
            return
        self.problems.append(stack.controller.problem(stack.reference).copy())


def record_problems(robot: str, number: int, overrides: Mapping[str, Any] | None = None) -> list[QpProblem]:
    """``number`` problems, spread over :data:`SCENARIOS`.

    Raises:
        WbcError: The robot or a parameter is unusable.
        DomainError: The robot fell.
    """
    overrides = {"whole_body_qp.solver.time_budget": 0.0, **(overrides or {})}
    problems: list[QpProblem] = []
    for index, scenario in enumerate(SCENARIOS):
        run = prepare(robot, read_scenario(scenario, f"recording {index + 1}"), overrides)
        stack = run.loop.controller
        assert isinstance(stack, ControlStack)
        wanted = (number * (index + 1)) // len(SCENARIOS) - len(problems)
        ticks = int(scenario["duration"] * run.parameters.simulator.control_rate)
        recorder = ProblemRecorder(stack, ticks // 3, max(1, (ticks - ticks // 3) // max(wanted, 1)))
        outcome = run.loop.run([recorder])
        run.backend.close()
        if outcome.fell:
            raise DomainError(f"fell while problems were recorded ({outcome.reason})", where=robot)
        problems += recorder.problems[:wanted]
    return problems
