"""Semismooth Newton for contacts: quadratic convergence, best from a warm start.

Solves λ = Π(λ − r v).  For exact Coulomb friction Π clamps the normal part at 0 and the tangential part to the disc of
radius μ y_n (Alart and Curnier, *A mixed formulation for frictional contact problems prone to Newton like solution
methods*, 1991); for the convex relaxation it is the projection on the cone.  Not globally convergent: a step is only
kept when it lowers the residual, and the status tells when that was not enough.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.friction_cone import clamp_tangent, project_cone

Array = NDArray[np.float64]

RELATIVE_REGULARISATION = 1e-10
"""Added to A, relative to 1/r, so that statically indeterminate contacts have one Newton step."""


def solve_newton(
    problem: ContactProblem,
    *,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 50,
    max_halvings: int = 6,
) -> ContactSolution:
    """Solve the NCP by damped semismooth Newton steps.

    Args:
        problem: The contact problem; the operator is made dense.
        guess: (n, 3) warm start, N·s.
        tolerance: Natural-map residual for CONVERGED, m/s.
        max_iterations: Newton steps, each O(n³).
        max_halvings: Step halvings tried before the search gives up.

    Raises:
        DomainError: The guess is not finite.
    """
    impulse = problem.warm_start(guess)
    steps = problem.steps()
    scale = np.where(steps > 0.0, steps, 1.0)[:, None]
    matrix = problem.delassus.dense()
    done = 0
    while problem.contacts and done < max_iterations:
        if problem.residual(_projected(problem, impulse), steps) <= tolerance:
            break
        equation, jacobian = _linearised(matrix, problem, impulse, scale)
        direction = newton_direction(jacobian, equation)
        next_impulse = _search(matrix, problem, impulse, scale, direction, max_halvings)
        done += 1
        if next_impulse is None:
            break
        impulse = next_impulse
    return problem.solution(_projected(problem, impulse), done, tolerance, "newton")


def _linearised(matrix: Array, problem: ContactProblem, impulse: Array, scale: Array) -> tuple[Array, Array]:
    """F(λ) = λ − Π(λ − r v) (n, 3), N·s, and its generalised Jacobian (3n, 3n): I − S (I − r A), S the slope of Π."""
    moved = _moved(matrix, problem, impulse, scale)
    slopes = (clamp_slopes if problem.coulomb else cone_slopes)(moved, problem.friction)
    count = len(impulse)
    scaled = slopes * scale[:, :, None]
    jacobian = np.matmul(scaled, matrix.reshape(count, 3, -1)).reshape(count, 3, count, 3)
    index = np.arange(count)
    jacobian[index, :, index, :] += (1.0 + RELATIVE_REGULARISATION) * np.eye(3) - slopes
    return impulse - _projected(problem, moved), jacobian.reshape(3 * count, -1)


def _moved(matrix: Array, problem: ContactProblem, impulse: Array, scale: Array) -> Array:
    """y = λ − r v; (n, 3)."""
    return np.asarray(impulse - scale * ((matrix @ impulse.ravel()).reshape(-1, 3) + problem.free_velocity))


def _projected(problem: ContactProblem, moved: Array) -> Array:
    return (clamp_tangent if problem.coulomb else project_cone)(moved, problem.friction)


def clamp_slopes(moved: Array, friction: Array) -> Array:
    """Generalised derivative (n, 3, 3) of :func:`clamp_tangent`: open, sticking or sliding, contact by contact."""
    slopes = np.zeros((len(moved), 3, 3))
    closed = moved[:, 2] > 0.0
    length = np.hypot(moved[:, 0], moved[:, 1])
    limit = friction * moved[:, 2]
    sticking = closed & (length <= limit)
    sliding = closed & ~sticking
    slopes[closed, 2, 2] = 1.0
    slopes[sticking, 0, 0] = slopes[sticking, 1, 1] = 1.0
    if sliding.any():
        unit = moved[sliding, :2] / length[sliding, None]
        slopes[sliding, :2, :2] = _across(unit, limit[sliding] / length[sliding])
        slopes[sliding, :2, 2] = friction[sliding, None] * unit
    return slopes


def cone_slopes(moved: Array, friction: Array) -> Array:
    """Generalised derivative (n, 3, 3) of :func:`project_cone`: inside, polar or on the boundary."""
    slopes = np.zeros((len(moved), 3, 3))
    length = np.hypot(moved[:, 0], moved[:, 1])
    inside = (length <= friction * moved[:, 2]) & (moved[:, 2] >= 0.0)
    on_axis = (moved[:, 2] + friction * length) / (1.0 + friction**2)
    boundary = ~inside & (on_axis > 0.0)
    slopes[inside] = np.eye(3)
    if boundary.any():
        mu = friction[boundary, None]
        safe = np.where(length[boundary] > 0.0, length[boundary], 1.0)
        unit = moved[boundary, :2] / safe[:, None]
        edge = np.hstack([mu * unit, np.ones_like(mu)]) / np.sqrt(1.0 + mu**2)
        slopes[boundary] = edge[:, :, None] * edge[:, None, :]
        slopes[boundary, :2, :2] += _across(unit, friction[boundary] * on_axis[boundary] / safe)
    return slopes


def _across(unit: Array, factor: Array) -> Array:
    """factor (I − u uᵀ) (k, 2, 2): turning of a vector of fixed length."""
    return np.asarray(factor[:, None, None] * (np.eye(2) - unit[:, :, None] * unit[:, None, :]))


def newton_direction(jacobian: Array, equation: Array) -> Array:
    """−J⁻¹F (n, 3); zeros when J is singular in spite of the regularisation."""
    try:
        return -np.asarray(np.linalg.solve(jacobian, equation.ravel())).reshape(-1, 3)
    except np.linalg.LinAlgError:
        return np.zeros_like(equation)


def _search(
    matrix: Array, problem: ContactProblem, impulse: Array, scale: Array, direction: Array, max_halvings: int
) -> Array | None:
    """The first of λ + d, λ + d/2, … that lowers ‖F‖/r; None if none does."""

    def merit(candidate: Array) -> float:
        moved = _moved(matrix, problem, candidate, scale)
        return float(np.linalg.norm((candidate - _projected(problem, moved)) / scale))

    now = merit(impulse)
    length = 1.0
    for _ in range(max_halvings + 1):
        candidate = impulse + length * direction
        if merit(candidate) < now:
            return candidate
        length *= 0.5
    return None
