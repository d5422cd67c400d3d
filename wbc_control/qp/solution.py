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


@dataclass(frozen=True, eq=False)
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
        """Largest component of the gradient of the Lagrangian."""
        gradient = problem.H @ self.x + problem.g + problem.A.T @ self.y + problem.C.T @ self.z + self.w
        return float(np.abs(gradient).max())

    def duality_gap(self, problem: QpProblem) -> float:
        """|primal − dual objective| (Boyd & Vandenberghe 2004, §5.5.1); zero at the optimum."""
        x = self.x
        gap = x @ (problem.H @ x) + problem.g @ x + problem.b @ self.y
        gap += _support(self.z, problem.l, problem.u) + _support(self.w, problem.lower, problem.upper)
        return float(abs(gap))


def _support(multipliers: Array, lower: Array, upper: Array) -> float:
    """Σ z⁺ u + z⁻ l, with 0·∞ = 0."""
    bound = np.where(multipliers > 0.0, upper, lower)
    active = multipliers != 0.0
    return float(multipliers[active] @ bound[active])
