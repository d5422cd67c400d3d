"""Projected Gauss–Seidel (and Jacobi) for LCPs with symmetric A; also in blocks.

Cottle, Pang and Stone (1992), §5.2.  Gauss–Seidel: z_i ← max(0, z_i − ω/A_ii (Σ_{j<i} A_ij z_j^new + Σ_{j≥i} A_ij
z_j^old + b_i)) converges for symmetric positive definite A and 0 < ω < 2.  Jacobi, which updates all z at once,
converges only for ω < 2/λ_max(D⁻¹A).
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.lcp import Lcp, LcpSolution
from wbc_control.contact_mechanics.lemke import solve_lemke
from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.errors import ProblemError

Array = NDArray[np.float64]


def solve_gauss_seidel(
    problem: Lcp,
    *,
    omega: float = 1.0,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_sweeps: int = 1000,
) -> LcpSolution:
    """Projected Gauss–Seidel with relaxation and warm start.

    Args:
        problem: The LCP; A symmetric.
        omega: Relaxation in (0, 2).
        guess: (n,) warm start, clamped to z ≥ 0.
        tolerance: Natural-map residual, relative to max(1, max|b|), for CONVERGED.
        max_sweeps: Then ITERATION_LIMIT, with the residual reached.

    Raises:
        DomainError: A is not symmetric, or ω is outside (0, 2).
    """
    problem.require_symmetric()
    in_range("omega", omega, 0.0, np.nextafter(2.0, 0.0), open_low=True)
    step = _steps(problem.matrix, omega)
    rows, offsets = list(problem.matrix), problem.vector.tolist()

    def sweep(z: Array) -> Array:
        for i, row in enumerate(rows):
            z[i] = max(0.0, z[i] - step[i] * (row @ z + offsets[i]))
        return z

    return _iterate(problem, sweep, guess, tolerance, max_sweeps)


def solve_jacobi(
    problem: Lcp,
    *,
    omega: float | None = None,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_sweeps: int = 1000,
) -> LcpSolution:
    """Projected Jacobi; arguments as above, ω by default 1/λ_max(D⁻¹A), half its bound."""
    problem.require_symmetric()
    limit = jacobi_omega_bound(problem.matrix)
    step = _steps(problem.matrix, 0.5 * limit if omega is None else in_range("omega", omega, 0.0, open_low=True))

    def sweep(z: Array) -> Array:
        return np.maximum(0.0, z - step * (problem.matrix @ z + problem.vector))

    return _iterate(problem, sweep, guess, tolerance, max_sweeps)


def jacobi_omega_bound(matrix: Array) -> float:
    """2/λ_max(D⁻¹A): projected Jacobi converges for ω below it (A symmetric positive definite)."""
    root = np.sqrt(_steps(matrix, 1.0))
    return 2.0 / max(float(np.linalg.eigvalsh(root[:, None] * matrix * root).max(initial=0.0)), 1e-300)


def solve_block_gauss_seidel(
    problem: Lcp,
    blocks: Sequence[Sequence[int]],
    *,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_sweeps: int = 200,
) -> LcpSolution:
    """Gauss–Seidel over blocks, each solved exactly by Lemke with the others frozen; for strongly coupled groups.

    Args:
        problem: The LCP; A symmetric.
        blocks: Index lists that partition 0 … n−1 (e.g. one per foot).
        guess, tolerance, max_sweeps: As above.

    Raises:
        ProblemError: The blocks are not a partition.
        DomainError: A is not symmetric.
    """
    problem.require_symmetric()
    if sorted(i for block in blocks for i in block) != list(range(problem.size)):
        raise ProblemError("do not partition the unknowns", where="blocks", value=blocks, bound=problem.size)
    indices = [np.asarray(block, dtype=np.intp) for block in blocks if len(block)]

    def sweep(z: Array) -> Array:
        for index in indices:
            own = problem.matrix[np.ix_(index, index)]
            offset = problem.matrix[index] @ z + problem.vector[index] - own @ z[index]
            z[index] = solve_lemke(Lcp(own, offset)).z
        return z

    return _iterate(problem, sweep, guess, tolerance, max_sweeps)


def _steps(matrix: Array, omega: float) -> Array:
    """ω/A_ii; 0 where A_ii is not positive (a row no impulse of its own can change)."""
    diagonal = np.diag(matrix)
    return np.where(diagonal > 0.0, omega / np.where(diagonal > 0.0, diagonal, 1.0), 0.0)


def _iterate(
    problem: Lcp, sweep: Callable[[Array], Array], guess: Array | None, tolerance: float, max_sweeps: int
) -> LcpSolution:
    """Sweep until the residual meets the tolerance, diverges, or the limit is reached."""
    z = problem.warm_start(guess)
    bound = problem.tolerance(tolerance)
    for done in range(max_sweeps + 1):
        residual = problem.residual(z)
        if residual <= bound:
            return problem.solution(z, SolverStatus.CONVERGED, done)
        if not residual < 1e12 * max(1.0, bound / tolerance):
            return problem.solution(np.zeros(problem.size), SolverStatus.FAILED, done)
        if done < max_sweeps:
            z = sweep(z)
    return problem.solution(z, SolverStatus.ITERATION_LIMIT, max_sweeps)
