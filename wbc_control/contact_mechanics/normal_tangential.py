"""Fixed point on the normal/tangential split: a normal LCP with friction frozen, then friction with loads frozen.

Panagiotopoulos (1975); Haslinger (1983).  Each half is convex: the normal one an LCP, the tangential one a quadratic
programme on discs of radius μ λ_n.  The alternation need not converge for large μ; then the status says so.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.lcp import Lcp
from wbc_control.contact_mechanics.lcp_gauss_seidel import solve_gauss_seidel
from wbc_control.contact_mechanics.lemke import solve_lemke
from wbc_control.errors import DomainError

Array = NDArray[np.float64]

LEMKE_LIMIT = 64
"""Up to this many contacts the normal LCP is pivoted, above it is swept."""


def solve_normal_tangential(
    problem: ContactProblem,
    *,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_alternations: int = 200,
    tangential_steps: int = 100,
) -> ContactSolution:
    """Alternate the two halves until both hold at once.

    Args:
        problem: Exact Coulomb friction; the operator is made dense.
        guess: (n, 3) warm start, N·s.
        tolerance: Natural-map residual for CONVERGED, m/s.
        max_alternations: Then ITERATION_LIMIT.
        tangential_steps: Accelerated gradient steps in each tangential half.

    Raises:
        DomainError: The problem asks for the convex relaxation, or the guess is not finite.
    """
    if not problem.coulomb:
        raise DomainError("solves exact Coulomb friction only", where="method", value="normal_tangential", bound=True)
    impulse = problem.warm_start(guess)
    matrix = problem.delassus.dense()
    grid = matrix.reshape(problem.contacts, 3, problem.contacts, 3)
    normal = grid[:, 2, :, 2]
    tangent = grid[:, :2, :, :2].reshape(2 * problem.contacts, 2 * problem.contacts)
    bound = float(np.linalg.eigvalsh(tangent)[-1]) if problem.contacts else 0.0
    steps = problem.steps()
    done = 0
    while done < max_alternations and problem.residual(impulse, steps) > tolerance:
        offset = problem.velocity(impulse)[:, 2] - normal @ impulse[:, 2]
        impulse[:, 2] = _normal_half(normal, offset, impulse[:, 2])
        if bound > 0.0:
            _tangential_half(problem, tangent, bound, impulse, tangential_steps)
        done += 1
    return problem.solution(impulse, done, tolerance, "normal_tangential")


def _normal_half(matrix: Array, offset: Array, guess: Array) -> Array:
    """Normal impulses (n,) of the frictionless LCP, tangential ones frozen into ``offset``."""
    lcp = Lcp(matrix, offset)
    if lcp.size <= LEMKE_LIMIT:
        pivoted = solve_lemke(lcp)
        if pivoted.status.ok:
            return pivoted.z
    return solve_gauss_seidel(lcp, guess=guess, tolerance=1e-12, max_sweeps=50).z


def _tangential_half(problem: ContactProblem, matrix: Array, bound: float, impulse: Array, steps: int) -> None:
    """Minimise ½ λ_tᵀ A_tt λ_t + λ_tᵀ v on the discs by Nesterov's accelerated projected gradient, in place."""
    radius = problem.friction * impulse[:, 2]
    current = impulse[:, :2].ravel()
    offset = problem.velocity(impulse)[:, :2].ravel() - matrix @ current
    previous, momentum = current, 1.0
    for _ in range(steps):
        next_momentum = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum * momentum))
        ahead = current + (momentum - 1.0) / next_momentum * (current - previous)
        moved = (ahead - (matrix @ ahead + offset) / bound).reshape(-1, 2)
        length = np.hypot(moved[:, 0], moved[:, 1])
        shorten = np.where(length > radius, radius / np.where(length > 0.0, length, 1.0), 1.0)
        previous, current, momentum = current, (moved * shorten[:, None]).ravel(), next_momentum
    impulse[:, :2] = current.reshape(-1, 2)
