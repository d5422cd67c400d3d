"""A solution that can judge itself: primal and dual residual and duality gap from the problem alone."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.qp.problem import QpProblem

Array = NDArray[np.float64]


class QpStatus(enum.Enum):
    """How a solve ended."""

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    NOT_CONVERGED = "not converged"
    NOT_FINITE = "not finite"


@dataclass(frozen=True, eq=False, slots=True)
class QpSolution:
    """Primal and dual point of one solve.

    Multipliers follow H x + g + Aᵀy + Cᵀz + w = 0: positive where an upper bound pushes, negative where a lower one does.

    Attributes:
        x: (n,) primal point; meaningful only when ``status`` is SOLVED.
        y: (m,) multipliers of the equalities.
        z: (k,) multipliers of the inequality rows.
        w: (n,) multipliers of the variables' bounds.
        status: How the solve ended.
        iterations: Solver iterations.
    """

    x: Array
    y: Array
    z: Array
    w: Array
    status: QpStatus
    iterations: int

    @classmethod
    def without_point(cls, problem: QpProblem, status: QpStatus, iterations: int = 0) -> QpSolution:
        """What a solve that failed returns: zeros and the reason."""
        n, m, k = problem.variables, problem.equalities, problem.inequalities
        return cls(np.zeros(n), np.zeros(m), np.zeros(k), np.zeros(n), status, iterations)

    @property
    def solved(self) -> bool:
        """Whether the point may be used."""
        return self.status is QpStatus.SOLVED

    def primal_residual(self, problem: QpProblem) -> float:
        """Largest violation of any constraint, absolute."""
        rows, x = problem.C @ self.x, self.x
        violations = (
            np.abs(problem.A @ x - problem.b),
            np.maximum(problem.l - rows, rows - problem.u),
            np.maximum(problem.lower - x, x - problem.upper),
        )
        return max(0.0, *(float(v.max()) for v in violations if v.size))

    def dual_residual(self, problem: QpProblem) -> float:
        """Largest component of the gradient of the Lagrangian, or multiplier of a bound that is open."""
        problem.complete()
        gradient = problem.H @ self.x + problem.g + problem.A.T @ self.y + problem.C.T @ self.z + self.w
        open_rows = _open_multiplier(self.z, problem.l, problem.u)
        return max(float(np.abs(gradient).max()), open_rows, _open_multiplier(self.w, problem.lower, problem.upper))

    def duality_gap(self, problem: QpProblem) -> float:
        """|primal − dual objective| (Boyd & Vandenberghe 2004, §5.5.1); zero at the optimum."""
        problem.complete()
        x = self.x
        gap = x @ (problem.H @ x) + problem.g @ x + problem.b @ self.y
        gap += _support(self.z, problem.l, problem.u) + _support(self.w, problem.lower, problem.upper)
        return float(abs(gap))


def _support(multipliers: Array, lower: Array, upper: Array) -> float:
    """Σ z⁺ u + z⁻ l; open bounds are left to the dual residual."""
    bound = np.where(multipliers > 0.0, upper, lower)
    finite = np.isfinite(bound)
    return float(multipliers[finite] @ bound[finite])


def _open_multiplier(multipliers: Array, lower: Array, upper: Array) -> float:
    """Largest multiplier that pushes against nothing; zero at an optimum."""
    bound = np.where(multipliers > 0.0, upper, lower)
    return float(np.abs(multipliers[~np.isfinite(bound)]).max(initial=0.0))
