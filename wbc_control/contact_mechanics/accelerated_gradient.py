"""Accelerated projected gradient for many contacts: matrix-free, every step vectorised over the contacts.

Mazhar, Heyn, Negrut and Tasora, *Using Nesterov's method to accelerate multibody dynamics with friction and contact*
(2015), with the adaptive restart of O'Donoghue and Candès (2015) and De Saxcé's shift taken along in the gradient.
Memory is the operator's: linear in the number of contacts for a factored one.
"""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.friction_cone import project_cone

Array = NDArray[np.float64]


def solve_accelerated_gradient(
    problem: ContactProblem,
    *,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 5000,
    check_every: int = 10,
) -> ContactSolution:
    """Solve the NCP (or CCP) by Nesterov's method.

    Args:
        problem: The contact problem, any operator.
        guess: (n, 3) warm start, N·s.
        tolerance: Natural-map residual for CONVERGED, m/s.
        max_iterations: Then ITERATION_LIMIT, with the best impulse seen.
        check_every: Iterations between residuals.

    Raises:
        DomainError: A guess that is not finite.
    """
    current = problem.warm_start(guess)
    steps = problem.steps()
    weight = np.where(steps > 0.0, steps, 1.0)[:, None]
    largest = _largest_eigenvalue(problem, weight) if problem.contacts else 0.0
    rate = weight / largest if largest > 0.0 else weight
    best, best_residual = current, problem.residual(current, steps)
    ahead, momentum, done = current, 1.0, 0
    while done < max_iterations and best_residual > tolerance:
        for _ in range(min(check_every, max_iterations - done)):
            gradient = problem.shifted(problem.velocity(ahead))
            moved = project_cone(ahead - rate * gradient, problem.friction)
            done += 1
            if float(((ahead - moved) / rate * (moved - current)).sum()) > 0.0:
                momentum = 1.0  # The momentum points uphill: start again from here.
            next_momentum = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * momentum * momentum))
            ahead = moved + (momentum - 1.0) / next_momentum * (moved - current)
            current, momentum = moved, next_momentum
        residual = problem.residual(current, steps)
        if residual < best_residual:
            best, best_residual = current, residual
    return problem.solution(best, done, tolerance, "accelerated_gradient")


def _largest_eigenvalue(problem: ContactProblem, weight: Array, iterations: int = 30) -> float:
    """λ_max of the scaled operator D A D, D² = ``weight``, by power iteration, 5 % to the safe side."""
    root = np.sqrt(weight)
    vector = np.random.default_rng(0).standard_normal((problem.contacts, 3))
    value = 0.0
    for _ in range(iterations):
        vector /= max(float(np.linalg.norm(vector)), 1e-300)
        vector = root * problem.delassus.apply(root * vector)
        value = float(np.linalg.norm(vector))
    return 1.05 * value
