"""Primal–dual interior point for the contact problem on the cone; De Saxcé's shift by an outer fixed point.

Inner problem: minimise ½ λᵀAλ + λᵀ(b + shift) on the friction cones, a convex second-order cone programme, by
Mehrotra's predictor–corrector with Nesterov–Todd scaling (Vandenberghe 2010).  Outer loop, exact friction only:
shift ← μ‖v_t‖ (Cadoux 2009; Acary et al. 2011).  Few iterations of O(n³), from any start but not from a warm one.

On the boundary of two cones a gap g leaves an angle of √g between λ and v, so the last digits are not the interior
point's: each pass ends with semismooth Newton steps on the original problem, kept if they lower the residual.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.cone_jordan import (
    determinant,
    jordan_divide,
    jordan_product,
    scaling,
    step_to_boundary,
)
from wbc_control.contact_mechanics.contact_newton import solve_newton
from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.friction_cone import project_cone

Array = NDArray[np.float64]

LEAST_CENTRING = 1e-3
"""Floor of Mehrotra's centring parameter: without it the iterates leave the central path and crawl."""

RELATIVE_GAP = 1e-12
"""Mean x·s, relative to the square of the data, at which the inner solve ends."""

RUNAWAY = 1e9
"""Iterate over data beyond which the inner problem is taken for unsolvable."""

POLISHING_STEPS = 10

STEP_BACK = 0.99
"""Share of the step to the boundary that is taken."""


def solve_interior_point(
    problem: ContactProblem,
    *,
    tolerance: float = 1e-8,
    max_outer: int = 60,
    max_newton: int = 40,
) -> ContactSolution:
    """Solve the NCP (or CCP, in one outer pass).

    Args:
        problem: The contact problem; the operator is made dense.
        tolerance: Natural-map residual for CONVERGED, m/s.
        max_outer: Passes of the De Saxcé fixed point, then ITERATION_LIMIT.
        max_newton: Newton steps of one inner solve.
    """
    impulse = np.zeros((problem.contacts, 3))
    if not problem.contacts:
        return problem.solution(impulse, 0, tolerance, "interior_point")
    programme = _ConeProgramme(problem)
    steps = problem.steps()
    shift = np.zeros(problem.contacts)
    newton_steps, best, best_residual = 0, impulse, problem.residual(impulse, steps)
    for _ in range(max_outer if problem.coulomb else 1):
        if best_residual <= tolerance:
            break
        impulse, done = programme.solve(shift, max_newton)
        polished = solve_newton(problem, guess=impulse, tolerance=tolerance, max_iterations=POLISHING_STEPS)
        newton_steps += done + polished.iterations
        for candidate in (impulse, polished.impulse):
            residual = problem.residual(candidate, steps)
            if residual < best_residual:
                best, best_residual = candidate, residual
        velocity = problem.velocity(impulse)
        shift = problem.friction * np.hypot(velocity[:, 0], velocity[:, 1])
    return problem.solution(best, newton_steps, tolerance, "interior_point")


class _ConeProgramme:
    """The inner problem in x = [λ_n, λ_t/μ], scaled by √r: minimise ½ xᵀPx + cᵀx, x in L; optimal iff s = Px + c."""

    def __init__(self, problem: ContactProblem) -> None:
        self.problem = problem
        steps = problem.steps()
        root = np.sqrt(np.where(steps > 0.0, steps, 1.0))
        self.map = np.zeros((problem.contacts, 3, 3))
        self.map[:, 2, 0] = root
        self.map[:, 0, 1] = self.map[:, 1, 2] = root * problem.friction
        grid = problem.delassus.dense().reshape(problem.contacts, 3, problem.contacts, 3)
        self.matrix = np.einsum("iab,iajc,jcd->ibjd", self.map, grid, self.map, optimize=True).reshape(
            3 * problem.contacts, -1
        )

    def solve(self, shift: Array, max_newton: int) -> tuple[Array, int]:
        """λ (n, 3) for a fixed shift (n,), m/s, and the Newton steps done; stops early when progress ends."""
        moved = self.problem.free_velocity.copy()
        moved[:, 2] += shift
        linear = np.einsum("iab,ia->ib", self.map, moved)
        size = max(1.0, float(np.abs(linear).max()))
        x = np.tile([1.0, 0.0, 0.0], (self.problem.contacts, 1)) * size
        s = x.copy()
        done = 0
        for _ in range(max_newton):
            stationarity = (self.matrix @ x.ravel()).reshape(-1, 3) + linear - s
            gap = float((x * s).sum()) / len(x)
            if max(gap / size, float(np.abs(stationarity).max())) <= RELATIVE_GAP * size:
                break
            try:
                next_x, next_s = self._newton_step(x, s, stationarity, gap)
            except np.linalg.LinAlgError:
                break  # No solution: the iterates ran away until the system lost its rank.
            done += 1
            bounded = max(float(np.abs(next_x).max()), float(np.abs(next_s).max())) < RUNAWAY * size
            if not bounded or min(determinant(next_x).min(), determinant(next_s).min()) <= 0.0:
                break  # Rounding is all that is left, or there is no solution to run to.
            x, s = next_x, next_s
        impulse = np.einsum("iab,ib->ia", self.map, x)
        return project_cone(impulse, self.problem.friction), done

    def _newton_step(self, x: Array, s: Array, stationarity: Array, gap: float) -> tuple[Array, Array]:
        """One predictor–corrector step: P dx − ds = −r_d and l ∘ (W⁻¹dx + W ds) = target, with l = W s."""
        forward, backward = scaling(x, s)
        scaled = np.einsum("iab,ib->ia", forward, s)
        squared = np.matmul(backward, backward)
        system = self.matrix.reshape(len(x), 3, len(x), 3).copy()
        index = np.arange(len(x))
        system[index, :, index, :] += squared
        inverse = np.linalg.inv(system.reshape(3 * len(x), -1))

        def direction(target: Array) -> tuple[Array, Array]:
            right = np.einsum("iab,ib->ia", backward, jordan_divide(scaled, target))
            dx = (inverse @ (right - stationarity).ravel()).reshape(-1, 3)
            # From P dx = ds − r_d and not from the scaling, whose entries blow up at the boundary.
            return dx, (self.matrix @ dx.ravel()).reshape(-1, 3) + stationarity

        now = jordan_product(scaled, scaled)
        dx, ds = direction(-now)
        affine = min(step_to_boundary(x, dx), step_to_boundary(s, ds))
        second_order = jordan_product(
            np.einsum("iab,ib->ia", backward, dx), np.einsum("iab,ib->ia", forward, ds)
        )
        centre = np.array([max((1.0 - affine) ** 3, LEAST_CENTRING) * gap, 0.0, 0.0])
        dx, ds = direction(centre - now - second_order)
        alpha = min(1.0, STEP_BACK * min(step_to_boundary(x, dx), step_to_boundary(s, ds)))
        return x + alpha * dx, s + alpha * ds
