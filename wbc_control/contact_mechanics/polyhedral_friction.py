"""Contact with polyhedral friction as one LCP, for Lemke.

Stewart and Trinkle (1996); Anitescu and Potra (1997).  Unknowns: normal impulses c (n), tangential impulses β ≥ 0
along m directions a contact (n·m), slip speeds σ (n)::

    0 ≤ c ⊥ v_n ≥ 0        0 ≤ β ⊥ D ᵀv_t + σ e ≥ 0        0 ≤ σ ⊥ μ c − eᵀβ ≥ 0

The directions' corners lie on Coulomb's circle, so the cone is inscribed: ‖λ_t‖ ≤ μ λ_n always.  The matrix is
copositive, for which Lemke's algorithm ends with a solution when the contacts can be separated.
"""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import facet_count
from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.lcp import Lcp, LcpSolution
from wbc_control.contact_mechanics.lemke import solve_lemke

Array = NDArray[np.float64]


def friction_directions(facets: int, rotation: float = 0.0) -> Array:
    """(m, 3) unit tangents at angles ``rotation + 2πi/m``, rad."""
    angles = rotation + 2.0 * math.pi * np.arange(facet_count(facets)) / facets
    return np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])


def polyhedral_lcp(problem: ContactProblem, facets: int = 4, rotation: float = 0.0) -> Lcp:
    """The LCP in [c; β; σ], size n (2 + m); the ``coulomb`` flag plays no part (the law is built in)."""
    count = problem.contacts
    basis = _impulse_basis(count, facets, rotation)
    size = count * (2 + facets)
    forces = count * (1 + facets)
    owner = np.repeat(np.eye(count), facets, axis=0)
    matrix = np.zeros((size, size))
    matrix[:forces, :forces] = basis.T @ problem.delassus.dense() @ basis
    matrix[count:forces, forces:] = owner
    matrix[forces:, :count] = np.diag(problem.friction)
    matrix[forces:, count:forces] = -owner.T
    vector = np.concatenate([basis.T @ problem.free_velocity.ravel(), np.zeros(count)])
    return Lcp(matrix, vector)


def solve_polyhedral(
    problem: ContactProblem, *, facets: int = 4, rotation: float = 0.0, tolerance: float = 1e-8
) -> tuple[ContactSolution, LcpSolution]:
    """Solve by Lemke.

    Returns:
        The impulses with their residual *on the round cone* (about 1 − cos(π/m) of the slip, and CONVERGED only where
        nothing slides off an axis), and the LCP's own solution, whose status and residual say how well it was solved.

    Raises:
        DomainError: m < 3.
    """
    lcp = polyhedral_lcp(problem, facets, rotation)
    solved = solve_lemke(lcp)
    forces = problem.contacts * (1 + facets)
    impulse = (_impulse_basis(problem.contacts, facets, rotation) @ solved.z[:forces]).reshape(-1, 3)
    return problem.solution(impulse, solved.iterations, tolerance, "polyhedral_lemke"), solved


def _impulse_basis(count: int, facets: int, rotation: float) -> Array:
    """(3n, n + n·m): columns are the normals, then the tangential directions of each contact."""
    normals = np.kron(np.eye(count), np.array([[0.0], [0.0], [1.0]]))
    return np.hstack([normals, np.kron(np.eye(count), friction_directions(facets, rotation).T)])
