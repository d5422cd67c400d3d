"""What a person watches of a tick, computed when it is read: most ticks nobody looks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters import ControllerParameters
from wbc_control.qp import QpSolution
from wbc_control.state import unchecked
from wbc_control.wbc.layout import Layout

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tick:
    """How a tick's solve went: its solution if any, why it was not the full QP's, the last conflict, the time taken."""

    solution: QpSolution | None
    cause: str
    conflict: tuple[str, ...]
    solve_ns: int


@dataclass(frozen=True, slots=True)
class Scales:
    """What the shares are shares of: number of feet, friction μ, 1/τ_max (n,), 1/(torque rate · period)."""

    feet: int
    friction: float
    per_effort: Array
    per_step: float


@dataclass(frozen=True, slots=True)
class Balance:
    """The tick's own copy of what its dynamics are checked with: base rows A x = b, and h = C q̇ + g."""

    A: Array
    b: Array
    h: Array


@dataclass(frozen=True, slots=True)
class ControllerTelemetry:
    """A tick of the controller; valid as long as it is kept.

    Attributes:
        tick: How the solve went.
        scales: What shares refer to.
        layout: The contact set's layout; None without a solution.
        acceleration: (nv,) q̈ of the solution; zeros when not solved.
        torque: (n,) torque of the solution, N·m; None without one.
        last: (n,) torque of the tick before; None after a start.
        balance: What the dynamics are checked with; None without a solution or without a floating base.
    """

    tick: Tick
    scales: Scales
    layout: Layout | None
    acceleration: Array
    torque: Array | None
    last: Array | None
    balance: Balance | None

    @property
    def solved(self) -> bool:
        """Whether the full QP was solved this tick."""
        return not self.tick.cause

    @property
    def cause(self) -> str:
        """Why not, in the user's words; empty when solved."""
        return self.tick.cause

    @property
    def conflict(self) -> tuple[str, ...]:
        """Names of the last set of constraints found not to go together; () while there was none."""
        return self.tick.conflict

    @property
    def iterations(self) -> int:
        """Solver iterations."""
        return 0 if self.tick.solution is None else self.tick.solution.iterations

    @property
    def solve_ns(self) -> int:
        """Time the solver took, ns."""
        return self.tick.solve_ns

    @property
    def foot_wrench(self) -> Array:
        """(n_feet, 6) planned force and moment on each sole, contact frame, N and N·m."""
        wrenches, solution = np.zeros((self.scales.feet, 6)), self.tick.solution
        if self.layout is not None and solution is not None:
            for (foot, contact), columns in zip(self.layout.contacts, self.layout.force_slices):
                contact.write_wrench(solution.x[columns], wrenches[foot])
        return wrenches

    @property
    def friction_use(self) -> float:
        """Largest ‖f_t‖ / (μ f_n) of all contacts, with the full μ."""
        use = 0.0
        for x, y, normal in self.foot_wrench[:, :3].tolist():
            if normal > 1e-9:
                use = max(use, math.hypot(x, y) / (self.scales.friction * normal))
        return use

    @property
    def torque_use(self) -> float:
        """Largest |τ| / τ_max."""
        return 0.0 if self.torque is None else _largest(self.torque * self.scales.per_effort)

    @property
    def torque_rate_use(self) -> float:
        """Largest |Δτ| / (rate · period)."""
        if self.torque is None or self.last is None:
            return 0.0
        return self.scales.per_step * _largest(self.torque - self.last)

    @property
    def dynamics_residual(self) -> float:
        """‖M q̈ + h − Sᵀτ − Jᵀf‖∞ over ‖h‖∞; only the base rows can be wrong, the actuated ones define the torque."""
        if self.balance is None or self.tick.solution is None:
            return 0.0
        error = self.balance.A @ self.tick.solution.x - self.balance.b
        return _largest(error) / max(_largest(self.balance.h), 1e-9)


class TelemetryMaker:
    """Keeps of a tick what its telemetry needs, without computing it."""

    def __init__(self, model: RobotModel, parameters: ControllerParameters) -> None:
        per_step = parameters.rate / parameters.limits.torque_rate
        feet, friction = len(model.feet), parameters.contact.friction
        self._scales = Scales(feet, friction, 1.0 / model.limits.effort, per_step)
        self._none = np.zeros(model.nv)

    def solved(
        self, layout: Layout, terms: Kinodynamics, tick: Tick, torque: Array, last: Array | None
    ) -> ControllerTelemetry:
        """Telemetry of a tick with a solution, relaxed or not; ``last`` is the torque of the tick before."""
        assert tick.solution is not None
        problem, base, balance = layout.problem, layout.base, None
        if base:
            # The next tick writes into the same buffers.
            balance = unchecked(Balance, problem.A[:base].copy(), problem.b[:base].copy(), terms.h.copy())
        acceleration = tick.solution.x[: layout.nv]
        return unchecked(ControllerTelemetry, tick, self._scales, layout, acceleration, torque, last, balance)

    def unsolved(self, tick: Tick) -> ControllerTelemetry:
        """Telemetry of a tick without a solution."""
        return ControllerTelemetry(tick, self._scales, None, self._none, None, None, None)


def _largest(values: Array) -> float:
    """Largest absolute value."""
    return float(max(values.max(), -values.min()))
