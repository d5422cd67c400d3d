"""ADMM for contacts with a dense operator: robust on ill-conditioned and rank-deficient A.

Carpentier, Le Lidec and Montaut, *From compliant to rigid contact simulation: a unified and efficient approach*
(2024): proximal splitting between ½ λᵀAλ + λᵀ(b + shift) and the cones, De Saxcé's shift updated every step.  One
eigendecomposition makes every change of the penalty ρ free.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.friction_cone import project_cone

Array = NDArray[np.float64]

OVER_RELAXATION = 1.5
PENALTY_FACTOR = 2.0
IMBALANCE = 4.0
"""Ratio of the primal to the dual residual beyond which ρ is changed by ``PENALTY_FACTOR``."""


def solve_admm(
    problem: ContactProblem,
    *,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 2000,
    adapt_every: int = 10,
) -> ContactSolution:
    """Solve the NCP (or CCP) by ADMM.

    Args:
        problem: The contact problem; the operator is made dense, O(n³) once.
        guess: (n, 3) warm start, N·s.
        tolerance: Natural-map residual for CONVERGED, m/s.
        max_iterations: Then ITERATION_LIMIT.
        adapt_every: Iterations between checks of the residual and of ρ.

    Raises:
        DomainError: A guess that is not finite.
    """
    inside = problem.warm_start(guess)
    if not problem.contacts:
        return problem.solution(inside, 0, tolerance, "admm")
    state = _State(problem, inside)
    done = 0
    steps = problem.steps()
    while done < max_iterations and problem.residual(state.impulse(), steps) > tolerance:
        for _ in range(min(adapt_every, max_iterations - done)):
            state.iterate()
            done += 1
        state.adapt()
    return problem.solution(state.impulse(), done, tolerance, "admm")


class _State:
    """Scaled variables: λ = d λ̄ with one factor d_i = √r_i a contact, which keeps the cones and evens masses out."""

    def __init__(self, problem: ContactProblem, start: Array) -> None:
        self.problem = problem
        steps = problem.steps()
        self.scale = np.sqrt(np.where(steps > 0.0, steps, 1.0))[:, None]
        flat = np.repeat(self.scale[:, 0], 3)
        self.eigenvalues, self.vectors = np.linalg.eigh(flat[:, None] * problem.delassus.dense() * flat)
        self.offset = self.scale * problem.free_velocity
        self.inside = start / self.scale
        self.velocity = self.scale * problem.shifted(problem.velocity(start))
        positive = self.eigenvalues[self.eigenvalues > 1e-9 * max(self.eigenvalues[-1], 1e-300)]
        self.penalty = float(np.sqrt(positive[0] * positive[-1])) if len(positive) else 1.0
        self.primal = self.dual = 0.0

    def impulse(self) -> Array:
        """λ (n, 3), inside the cones."""
        return self.inside * self.scale

    def iterate(self) -> None:
        """One ADMM step; ``velocity`` is minus the multiplier, an estimate of ṽ in scaled units."""
        shift = np.zeros_like(self.velocity)
        if self.problem.coulomb:
            # The multiplier's tangential part is v_t itself: the shift touches the normal only.
            shift[:, 2] = self.problem.friction * np.hypot(self.velocity[:, 0], self.velocity[:, 1])
        right = self.penalty * self.inside + self.velocity - self.offset - shift
        spectral = (self.vectors.T @ right.ravel()) / (np.maximum(self.eigenvalues, 0.0) + self.penalty)
        free = (self.vectors @ spectral).reshape(-1, 3)
        relaxed = OVER_RELAXATION * free + (1.0 - OVER_RELAXATION) * self.inside
        moved = project_cone(relaxed - self.velocity / self.penalty, self.problem.friction)
        self.velocity = self.velocity - self.penalty * (relaxed - moved)
        self.primal = float(np.abs(free - moved).max())
        self.dual = float(np.abs(moved - self.inside).max()) * self.penalty
        self.inside = moved

    def adapt(self) -> None:
        """Balance the residuals: a larger ρ presses towards the cones, a smaller one towards optimality."""
        primal_velocity = self.primal * self.penalty
        if primal_velocity > IMBALANCE * self.dual:
            self.penalty *= PENALTY_FACTOR
        elif self.dual > IMBALANCE * primal_velocity:
            self.penalty /= PENALTY_FACTOR
