"""Force and form closure, decided by linear programmes.

Force closure: rank G = 6 and Gλ = 0 for some λ in the interior of the cones; then the contacts balance any wrench.
Form closure (first order): the frictionless normals positively span the wrench space; at least 7 contacts in space and
4 in the plane.  Murray, Li and Sastry (1994), ch. 5; Lynch and Park, *Modern Robotics* (2017), ch. 12.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array
from wbc_control.contact_mechanics.grasp import Grasp
from wbc_control.contact_mechanics.grasp_matrix import planar_grasp_matrix
from wbc_control.contact_mechanics.linear_program import LpStatus, solve_linear_program
from wbc_control.contact_mechanics.polyhedral_cone import CIRCUMSCRIBED, INSCRIBED

Array = NDArray[np.float64]

POSITIVE = 1e-9
"""Least coefficient of a normalised positive combination that counts as positive."""


@dataclass(frozen=True)
class ClosureVerdict:
    """Answer to a closure question.

    Attributes:
        closed: Whether closure holds; None if the round cones could not be decided between their polyhedra.
        rank: Rank of the wrenches.
        coefficient: Largest least coefficient of a combination that sums to 1 and gives no wrench; > 0 when they
            positively span their space, −inf when no combination gives zero.
        facets: Of the linearised cones the verdict rests on; 0 without friction.
    """

    closed: bool | None
    rank: int
    coefficient: float
    facets: int = 0


def positive_span(wrenches: Array) -> ClosureVerdict:
    """Whether the rows (k, d) positively span R^d: full rank and Σ c_i w_i = 0 with every c_i > 0.

    Maximises t subject to Σ c_i w_i = 0, Σ c_i = 1, c_i ≥ t ≥ 0.
    """
    rows = finite_array("wrenches", wrenches, (-1, -1))
    count, dimension = rows.shape
    rank = int(np.linalg.matrix_rank(rows, tol=1e-9)) if count else 0
    if not count:
        return ClosureVerdict(False, 0, float("-inf"))
    # Unknowns [c − t, t].
    balance = np.column_stack([rows.T, rows.sum(axis=0)])
    matrix = np.vstack([balance, np.append(np.ones(count), float(count))])
    right = np.append(np.zeros(dimension), 1.0)
    found = solve_linear_program(np.append(np.zeros(count), -1.0), matrix, right)
    if found.status is LpStatus.INFEASIBLE:
        return ClosureVerdict(False, rank, float("-inf"))
    coefficient = -found.value
    return ClosureVerdict(rank == dimension and coefficient > POSITIVE, rank, coefficient)


def force_closure(grasp: Grasp, facets: int = 4, max_facets: int = 64) -> ClosureVerdict:
    """Force closure with Coulomb's round cones.

    Closure with inscribed polyhedra proves it, no closure with circumscribed ones disproves it; the facets are doubled
    until one of both happens or ``max_facets`` is passed (verdict None: within that accuracy of the limit).
    """
    count = facets
    while True:
        inside = positive_span(grasp.generators(count, INSCRIBED))
        if inside.closed:
            return ClosureVerdict(True, inside.rank, inside.coefficient, count)
        outside = positive_span(grasp.generators(count, CIRCUMSCRIBED))
        if not outside.closed:
            return ClosureVerdict(False, outside.rank, outside.coefficient, count)
        if 2 * count > max_facets:
            return ClosureVerdict(None, inside.rank, inside.coefficient, count)
        count *= 2


def form_closure(grasp: Grasp) -> ClosureVerdict:
    """First-order form closure of a body in space; friction plays no part."""
    return positive_span(grasp.normal_wrenches())


def planar_form_closure(points: Array, normals: Array) -> ClosureVerdict:
    """First-order form closure of a planar body: contacts (n, 2), inward normals (n, 2).

    Also planar force closure without friction: unilateral contacts need four.
    """
    where = finite_array("points", points, (-1, 2))
    return positive_span(planar_grasp_matrix(where, finite_array("normals", normals, (len(where), 2))).T)


def planar_force_closure(points: Array, normals: Array, friction: float) -> ClosureVerdict:
    """Force closure of a planar body; a planar friction cone has two edges, so the verdict is exact."""
    where = finite_array("points", points, (-1, 2))
    inward = finite_array("normals", normals, (len(where), 2))
    inward = inward / np.linalg.norm(inward, axis=1, keepdims=True)
    tangent = np.column_stack([-inward[:, 1], inward[:, 0]])
    edges = np.vstack([inward + friction * tangent, inward - friction * tangent])
    return positive_span(planar_grasp_matrix(np.vstack([where, where]), edges).T)
