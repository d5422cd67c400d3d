"""Turns a tick's solution into the numbers a person watches."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters import ControllerParameters
from wbc_control.qp import QpSolution
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.output import ControllerTelemetry

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tick:
    """How a tick's solve went: its solution if any, why it was not the full QP's, the last conflict, the time taken."""

    solution: QpSolution | None
    cause: str
    conflict: tuple[str, ...]
    solve_ns: int


class TelemetryMaker:
    """Computes :class:`ControllerTelemetry`; cheap enough for every tick."""

    def __init__(self, model: RobotModel, parameters: ControllerParameters) -> None:
        self._model = model
        self._friction = parameters.contact.friction
        self._per_effort = 1.0 / model.limits.effort
        self._per_step = parameters.rate / parameters.limits.torque_rate
        self._none = np.zeros(model.nv)

    def solved(
        self, layout: Layout, terms: Kinodynamics, tick: Tick, torque: Array, last: Array | None
    ) -> ControllerTelemetry:
        """Telemetry of a tick with a solution, relaxed or not; ``last`` is the torque of the tick before."""
        assert tick.solution is not None
        solution, cause, conflict, solve_ns = tick.solution, tick.cause, tick.conflict, tick.solve_ns
        wrenches, use = np.zeros((len(self._model.feet), 6)), 0.0
        for (foot, contact), columns in zip(layout.contacts, layout.force_slices):
            contact.write_wrench(solution.x[columns], wrenches[foot])
            use = max(use, self._friction_use(wrenches[foot]))
        torque_use = _largest(torque * self._per_effort)
        rate_use = 0.0 if last is None else self._per_step * _largest(torque - last)
        residual = self._residual(layout, terms, solution.x)
        acceleration = solution.x[: layout.nv]
        return ControllerTelemetry(
            acceleration,
            wrenches,
            use,
            torque_use,
            rate_use,
            solution.iterations,
            not cause,
            cause,
            conflict,
            residual,
            solve_ns,
        )

    def unsolved(self, tick: Tick) -> ControllerTelemetry:
        """Telemetry of a tick without a solution."""
        cause, conflict, solve_ns = tick.cause, tick.conflict, tick.solve_ns
        iterations = 0 if tick.solution is None else tick.solution.iterations
        wrenches = np.zeros((len(self._model.feet), 6))
        return ControllerTelemetry(
            self._none, wrenches, 0.0, 0.0, 0.0, iterations, False, cause, conflict, 0.0, solve_ns
        )

    def _friction_use(self, wrench: Array) -> float:
        x, y, normal = wrench[:3].tolist()
        return math.hypot(x, y) / (self._friction * normal) if normal > 1e-9 else 0.0

    def _residual(self, layout: Layout, terms: Kinodynamics, x: Array) -> float:
        """Only the base rows can be wrong: the actuated rows define the torque."""
        base = layout.base
        if not base:
            return 0.0
        error = layout.problem.A[:base] @ x - layout.problem.b[:base]
        return _largest(error) / max(_largest(terms.h), 1e-9)


def _largest(values: Array) -> float:
    """Largest absolute value."""
    return float(max(values.max(), -values.min()))
