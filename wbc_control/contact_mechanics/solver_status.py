"""How an iterative or pivoting solver ended."""
from __future__ import annotations

from enum import Enum


class SolverStatus(Enum):
    """Outcome of a solve; only ``CONVERGED`` promises the residual asked for."""

    CONVERGED = "converged"
    ITERATION_LIMIT = "iteration limit"
    INFEASIBLE = "infeasible"
    FAILED = "failed"

    @property
    def ok(self) -> bool:
        """Whether the answer meets its tolerance."""
        return self is SolverStatus.CONVERGED
