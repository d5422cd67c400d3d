"""A small dense strictly convex quadratic programme solver: Goldfarb and Idnani's dual active-set method (1983).

For force distribution (tens of unknowns): exact active set, a certificate of infeasibility, no tuning.  Starts from the
equality-constrained minimum, adds violated inequalities one by one, most violated first.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.errors import DomainError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class QpSolution:
    """Result of :func:`solve_quadratic_program`.

    Attributes:
        x: (n,) the minimiser when CONVERGED; else the last dual-feasible point, which violates a constraint.
        status: CONVERGED, INFEASIBLE or ITERATION_LIMIT.
        residual: Largest violation of an equality or inequality at ``x``.
        active: Indices of the inequalities that hold with equality.
        iterations: Active-set changes.
    """

    x: Array
    status: SolverStatus
    residual: float
    active: tuple[int, ...]
    iterations: int


def solve_quadratic_program(
    hessian: Array,
    gradient: Array,
    equality: Array,
    equality_value: Array,
    inequality: Array,
    inequality_value: Array,
    *,
    tolerance: float = 1e-8,
    max_iterations: int = 200,
) -> QpSolution:
    """Minimise ½ xᵀHx + gᵀx subject to E x = e and C x ≥ c.

    Args:
        hessian: H (n, n), symmetric positive definite.
        gradient: g (n,).
        equality, equality_value: E (p, n) of full row rank, e (p,).
        inequality, inequality_value: C (m, n), c (m,).
        tolerance: Violation taken for none.
        max_iterations: Active-set changes at most.

    Raises:
        DomainError: H is not positive definite.
    """
    try:
        np.linalg.cholesky(hessian)
    except np.linalg.LinAlgError as error:
        smallest = float(np.linalg.eigvalsh(hessian)[0])
        raise DomainError("is not positive definite", where="QP Hessian", value=smallest, bound="> 0") from error
    inverse = np.asarray(np.linalg.inv(hessian), dtype=np.float64)
    solver = _ActiveSet(inverse, gradient, equality, equality_value, inequality, inequality_value)
    status = solver.run(tolerance, max_iterations)
    violation = float(np.maximum(inequality_value - inequality @ solver.x, 0.0).max(initial=0.0))
    residual = max(violation, float(np.abs(equality @ solver.x - equality_value).max(initial=0.0)))
    if status.ok and not residual <= 10.0 * tolerance * max(1.0, float(np.abs(equality_value).max(initial=0.0))):
        status = SolverStatus.INFEASIBLE
    return QpSolution(solver.x, status, residual, tuple(sorted(solver.active)), solver.changes)


class _ActiveSet:
    """Primal point, multipliers and the active constraints; equalities are always active."""

    def __init__(self, inverse: Array, gradient: Array, eq: Array, eq_value: Array, ineq: Array, value: Array) -> None:
        self.inverse, self.equality, self.inequality, self.value = inverse, eq, ineq, value
        free = -inverse @ gradient
        self.active: list[int] = []
        self.changes = 0
        spread = inverse @ eq.T
        lift = np.linalg.lstsq(eq @ spread, eq_value - eq @ free, rcond=None)[0] if len(eq) else np.zeros(0)
        self.x = free + spread @ lift
        self.multipliers = np.zeros(0)

    def run(self, tolerance: float, limit: int) -> SolverStatus:
        """Add violated constraints until none is left."""
        while True:
            slack = self.inequality @ self.x - self.value
            slack[self.active] = np.inf
            if not len(slack) or slack.min() >= -tolerance:
                return SolverStatus.CONVERGED
            if not self._add(int(np.argmin(slack)), tolerance, limit):
                return SolverStatus.ITERATION_LIMIT if self.changes >= limit else SolverStatus.INFEASIBLE

    def _add(self, new: int, tolerance: float, limit: int) -> bool:
        """Make constraint ``new`` active, dropping those whose multiplier would turn negative; False if impossible."""
        row = self.inequality[new]
        own = 0.0
        while self.changes < limit:
            step, change = self._directions(row)
            curvature = float(row @ step)
            drop, length = self._blocking(change)
            full = np.inf
            if curvature > 1e-11 * float(row @ self.inverse @ row):
                full = (self.value[new] - float(row @ self.x)) / curvature
            if not np.isfinite(min(length, full)):
                return False
            move = min(length, full)
            if np.isfinite(full):
                self.x = self.x + move * step
            self.multipliers = self.multipliers - move * change
            own += move
            self.changes += 1
            if full <= length:
                self.active.append(new)
                self.multipliers = np.append(self.multipliers, own)
                return True
            self.active.pop(drop)
            self.multipliers = np.delete(self.multipliers, drop)
        return False

    def _directions(self, row: Array) -> tuple[Array, Array]:
        """Primal step (n,) along which ``row`` rises with the active rows held, and the multipliers' rate of fall."""
        normals = np.vstack([self.equality, self.inequality[self.active]])
        spread = self.inverse @ normals.T
        pushed = self.inverse @ row
        rates = np.zeros(0)
        if len(normals):
            rates = np.asarray(np.linalg.lstsq(normals @ spread, normals @ pushed, rcond=None)[0], dtype=np.float64)
        return pushed - spread @ rates, rates[len(self.equality) :]

    def _blocking(self, change: Array) -> tuple[int, float]:
        """The active inequality whose multiplier reaches zero first, and the step at which it does."""
        falling = np.flatnonzero(change > 1e-12)
        if not len(falling):
            return -1, np.inf
        lengths = self.multipliers[falling] / change[falling]
        first = int(np.argmin(lengths))
        return int(falling[first]), max(0.0, float(lengths[first]))
