"""DAQP (Arnström, Bemporad, Axehill, *A dual active-set solver for embedded QP using recursive LDLᵀ updates*, 2022)."""

from __future__ import annotations

import math

import daqp
import numpy as np

from wbc_control.qp.problem import QpProblem
from wbc_control.qp.softness import Softness
from wbc_control.qp.solution import QpSolution, QpStatus
from wbc_control.qp.workspace import QpWorkspace

_EQUALITY, _SOFT = 5, 8
_INFEASIBLE, _OPTIMAL, _SOFT_OPTIMAL = -1, 1, 2
"""Other positive flags mean that progress stalled: such points may violate hard constraints."""


class DaqpWorkspace(QpWorkspace):
    """Every solve is a cold one: on whole-body problems that is as fast as a warm one, and it has no memory to go stale."""

    def __init__(self, tolerance: float, max_iterations: int, time_budget: float) -> None:
        super().__init__(tolerance, max_iterations, time_budget)
        self._sense = np.zeros(0, dtype=np.int32)
        self._equalities = 0, 0

    def solve(self, problem: QpProblem) -> QpSolution:
        """See :class:`QpWorkspace`."""
        if not problem.is_finite():
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE)
        return self._call(problem, self._senses(problem), {})

    def _solve_elastic(self, problem: QpProblem, softness: Softness) -> QpSolution:
        """See :class:`QpWorkspace`; the slacks are inside the solver and cost no variables.

        DAQP divides each constraint by its length √(c H⁻¹ cᵀ) first: a violation is priced per such unit, not per SI unit
        as in the augmented problem, and the two minimisers differ where soft constraints of unlike length give way.
        """
        if not problem.is_finite():
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE)
        senses = self._senses(problem).copy()
        n, m = problem.variables, problem.equalities
        senses[:n][softness.bounds] = _SOFT
        senses[n + m :][softness.rows] = _SOFT
        # DAQP weighs a scaled slack ½ s²/ρ, we s² · penalty.
        return self._call(problem, senses, {"rho_soft": 0.5 / softness.penalty})

    def forget(self) -> None:
        """Nothing to forget."""

    def _senses(self, problem: QpProblem) -> np.ndarray:
        n, m, size = problem.variables, problem.equalities, problem.constraints
        if len(self._sense) != size or self._equalities != (n, m):
            self._sense = np.zeros(size, dtype=np.int32)
            self._sense[n : n + m] = _EQUALITY
            self._equalities = n, m
        return self._sense

    def _call(self, problem: QpProblem, senses: np.ndarray, settings: dict[str, float]) -> QpSolution:
        stack = problem.stacked()
        x, _, flag, info = daqp.solve(
            problem.H, problem.g, stack.rows, stack.upper, stack.lower, senses,
            iter_limit=self.max_iterations, primal_tol=self.tolerance, time_limit=self.time_budget, **settings,
        )  # fmt: skip
        if flag not in (_OPTIMAL, _SOFT_OPTIMAL):
            status = QpStatus.INFEASIBLE if flag == _INFEASIBLE else QpStatus.NOT_CONVERGED
            return QpSolution.without_point(problem, status, int(info["iterations"]))
        n, m, multipliers = problem.variables, problem.equalities, info["lam"]
        if not math.isfinite(x.dot(x)):
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE, int(info["iterations"]))
        parts = (multipliers[n : n + m], multipliers[n + m :], multipliers[:n])
        return QpSolution(x, *parts, QpStatus.SOLVED, int(info["iterations"]))
