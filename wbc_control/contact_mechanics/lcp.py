"""The linear complementarity problem 0 ≤ z ⊥ w = A z + b ≥ 0: statement, residual, solution.

In contact mechanics A is the Delassus matrix (1/kg), b the free velocity (m/s), z the impulses (N·s).  On all three
components of a contact it holds only without friction; with friction see :mod:`polyhedral_friction` (still an LCP)
and :mod:`contact_problem` (on the cone).  A positive semidefinite A gives a solvable LCP if it is *feasible*.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, symmetric_matrix
from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.errors import ShapeError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lcp:
    """0 ≤ z ⊥ A z + b ≥ 0.

    Attributes:
        matrix: A (n, n), finite.
        vector: b (n,), finite.

    Raises:
        ShapeError: Sizes disagree.
        DomainError: A value is not finite.
    """

    matrix: Array
    vector: Array

    def __post_init__(self) -> None:
        matrix = finite_array("LCP matrix", self.matrix, (-1, -1))
        vector = finite_array("LCP vector", self.vector, (-1,))
        if matrix.shape != (len(vector), len(vector)):
            raise ShapeError("sizes disagree", where="LCP", value=(matrix.shape, vector.shape), bound="(n, n), (n,)")
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "vector", vector)

    @property
    def size(self) -> int:
        """n."""
        return len(self.vector)

    def require_symmetric(self) -> None:
        """What Gauss–Seidel's convergence rests on; :class:`DomainError` with the asymmetry if it is not so."""
        symmetric_matrix("LCP matrix", self.matrix)

    def residual(self, z: Array) -> float:
        """Largest entry of the natural map |min(z, A z + b)|: 0 exactly at a solution."""
        return float(np.abs(np.minimum(z, self.matrix @ z + self.vector)).max(initial=0.0))

    def tolerance(self, relative: float) -> float:
        """``relative`` scaled by the data, so that it means the same in any unit."""
        return relative * max(1.0, float(np.abs(self.vector).max(initial=0.0)))

    def warm_start(self, guess: Array | None) -> Array:
        """A copy of ``guess`` clamped to z ≥ 0, or zeros.

        Raises:
            ShapeError, DomainError: The guess has another length, or is not finite.
        """
        if guess is None:
            return np.zeros(self.size)
        return np.maximum(finite_array("LCP guess", guess, (self.size,)), 0.0)

    def solution(self, z: Array, status: SolverStatus, iterations: int) -> LcpSolution:
        """Wrap ``z`` with its measured residual."""
        return LcpSolution(z, self.matrix @ z + self.vector, status, self.residual(z), iterations)


@dataclass(frozen=True, eq=False)
class LcpSolution:
    """What a solver found, and how good it is.

    Attributes:
        z: (n,) the unknown (impulses).
        w: (n,) A z + b (velocities).
        status: How the solver ended.
        residual: Natural-map residual of ``z``, always measured on the original problem.
        iterations: Pivots or sweeps done.
    """

    z: Array
    w: Array
    status: SolverStatus
    residual: float
    iterations: int
