"""The contact part of a time step, shared by all schemes: build the problem from metric and free motion, solve it."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.contact_solver import solve
from wbc_control.contact_mechanics.delassus import delassus_from_dynamics
from wbc_control.contact_mechanics.lcp import Lcp
from wbc_control.contact_mechanics.lcp_gauss_seidel import solve_gauss_seidel
from wbc_control.contact_mechanics.lemke import solve_lemke
from wbc_control.contact_mechanics.mechanism import ContactSet, StepSettings, correction_speed

Array = NDArray[np.float64]

LEMKE_LIMIT = 64
"""Up to this many penetrating contacts the position problem is pivoted, above it is swept."""


def contact_velocity(
    metric: Array,
    free: Array,
    contacts: ContactSet,
    bias: Array,
    settings: StepSettings,
    guess: Array | None,
) -> tuple[Array, ContactSolution]:
    """v⁺ = v_free + metric⁻¹ Jᵀ λ with λ from the contact law on J v⁺ + bias.

    Args:
        metric: (nv, nv) symmetric positive definite: M, or M with the implicit terms.
        free: (nv,) velocity without contact impulses.
        contacts: Potential contacts.
        bias: (n,) added to the normal velocities, m/s; +inf takes a contact out.
        settings: Solver and its options.
        guess: (n, 3) warm start, or None.

    Returns:
        v⁺ (nv,) and the solution, its impulses (n, 3) for all contacts.
    """
    used = np.flatnonzero(np.isfinite(bias))
    rows = (3 * used[:, None] + np.arange(3)).ravel()
    jacobian = contacts.jacobian[rows]
    target = (jacobian @ free).reshape(-1, 3)
    target[:, 2] += bias[used]
    operator = delassus_from_dynamics(metric, jacobian, regularisation=settings.regularisation)
    problem = ContactProblem(operator, target, contacts.friction[used], settings.coulomb)
    found = solve(
        problem, settings.method, guess=None if guess is None else guess[used], tolerance=settings.tolerance
    )
    velocity = free + np.linalg.solve(metric, jacobian.T @ found.impulse.ravel())
    return velocity, _spread(found, used, contacts, velocity)


def _spread(found: ContactSolution, used: NDArray[np.intp], contacts: ContactSet, velocity: Array) -> ContactSolution:
    """The solution with zeros for the contacts left out, and true velocities (without bias)."""
    impulse = np.zeros((len(contacts.gap), 3))
    impulse[used] = found.impulse
    points = (contacts.jacobian @ velocity).reshape(-1, 3)
    return ContactSolution(impulse, points, found.status, found.residual, found.iterations, found.method)


def position_correction(metric: Array, contacts: ContactSet, duration: float, settings: StepSettings) -> Array:
    """Displacement (nv,) that pushes penetrating contacts apart without giving them speed; zero under Baumgarte.

    The least one in the metric: M δ = J_nᵀ p with 0 ≤ p ⊥ J_n δ − h·(correction speed) ≥ 0, an LCP in the penetrating
    contacts' normals (split impulses; Anitescu and Hart 2004 for the separate position problem).
    """
    wanted = duration * correction_speed(contacts.gap, duration, settings)
    deep = np.flatnonzero(wanted > 0.0)
    if settings.baumgarte or not len(deep):
        return np.zeros(len(metric))
    normals = contacts.jacobian[3 * deep + 2]
    spread = np.linalg.solve(metric, normals.T)
    matrix = normals @ spread
    problem = Lcp(0.5 * (matrix + matrix.T), -wanted[deep])
    found = solve_lemke(problem) if problem.size <= LEMKE_LIMIT else solve_gauss_seidel(problem)
    return np.asarray(spread @ found.z)
