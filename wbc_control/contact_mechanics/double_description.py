"""Double description: a polyhedral cone from generators to half-spaces, and back.

Motzkin et al. (1953), in the form of Fukuda and Prodon, *Double description method revisited* (1996), with the
combinatorial adjacency test.  Correctness before speed: it runs at start-up, on some tens of vectors in some six
dimensions.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array
from wbc_control.errors import DomainError

Array = NDArray[np.float64]

TOLERANCE = 1e-9
"""Value of a unit row on a unit ray below which the ray lies in the row's hyperplane."""


def cone_half_spaces(generators: Array) -> Array:
    """Rows A (k, d), unit length, with {Gᵀλ : λ ≥ 0} = {w : A w ≤ 0}; minimal when the cone has an interior.

    The facets of a cone are the extreme rays of its polar cone {a : G a ≤ 0}.  A cone that spans only a subspace gets
    a pair ±n of rows for each direction n it lacks.

    Args:
        generators: (n, d), any lengths > 0.

    Raises:
        DomainError: A value is not finite, there is no non-zero generator, or the cone is the whole space.
    """
    rays = unit_rows("generators", generators)
    basis, complement = _split_space(rays)
    facets = extreme_rays(rays @ basis)
    if not len(facets) and not len(complement):
        raise DomainError("positively span the whole space", where="generators", value=len(rays), bound="a cone")
    rows = [facets @ basis.T] if len(facets) else []
    return np.vstack([*rows, complement, -complement])


def extreme_rays(rows: Array) -> Array:
    """Unit extreme rays (k, d) of the pointed cone {a : rows a ≤ 0}; (0, d) if it holds only the apex.

    Args:
        rows: (n, d) of rank d, which is what makes the cone pointed.

    Raises:
        DomainError: The rank is less than d.
    """
    unit = unit_rows("rows", rows)
    start = _independent_rows(unit)
    rays = unit_rows("rays", -np.linalg.inv(unit[start]).T)
    tight = np.abs(unit[start] @ rays.T).T <= TOLERANCE
    used = list(start)
    for index in range(len(unit)):
        if index in start:
            continue
        rays, tight = _add_row(unit[index], rays, tight)
        used.append(index)
    return rays


def _add_row(row: Array, rays: Array, tight: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """Intersect the cone with {row · a ≤ 0}: drop rays beyond, add where adjacent pairs cross the hyperplane."""
    value = rays @ row
    beyond = np.flatnonzero(value > TOLERANCE)
    inside = np.flatnonzero(value < -TOLERANCE)
    on = np.abs(value) <= TOLERANCE
    new_rays, new_tight = [], []
    for p in beyond:
        common = tight[inside] & tight[p]
        enough = np.flatnonzero(common.sum(axis=1) >= rays.shape[1] - 2)
        for q, both in zip(inside[enough], common[enough]):
            # Adjacent iff no third ray is tight on everything the two share.
            if int(tight[:, both].all(axis=1).sum()) == 2:
                crossing = value[p] * rays[q] - value[q] * rays[p]
                new_rays.append(crossing / np.linalg.norm(crossing))
                new_tight.append(np.append(both, True))
    keep = value <= TOLERANCE
    kept_tight = np.column_stack([tight[keep], on[keep]])
    if not new_rays:
        return rays[keep], kept_tight
    return np.vstack([rays[keep], new_rays]), np.vstack([kept_tight, new_tight])


def _split_space(rays: Array) -> tuple[Array, Array]:
    """Orthonormal basis (d, r) of the span of the rays, as columns, and of its complement (d − r, d), as rows."""
    _, singular, right = np.linalg.svd(rays)
    rank = int((singular > TOLERANCE * singular[0]).sum())
    return right[:rank].T, right[rank:]


def _independent_rows(rows: Array) -> list[int]:
    """Indices of d well-conditioned independent rows: greedy Gram–Schmidt with pivoting."""
    residual = rows.copy()
    chosen: list[int] = []
    for _ in range(rows.shape[1]):
        length = np.linalg.norm(residual, axis=1)
        pivot = int(np.argmax(length))
        if length[pivot] < 1e-7:
            raise DomainError("do not span the space", where="rows", value=len(chosen), bound=rows.shape[1])
        chosen.append(pivot)
        direction = residual[pivot] / length[pivot]
        residual = residual - np.outer(residual @ direction, direction)
    return chosen


def unit_rows(where: str, rows: Any) -> Array:
    """Rows over their lengths, without the zero ones; :class:`DomainError` if none is left or one is not finite."""
    array = finite_array(where, rows, (-1, -1))
    length = np.linalg.norm(array, axis=1)
    if not (length > 0.0).any():
        raise DomainError("there is no non-zero vector", where=where, value=len(array), bound=1)
    return np.asarray(array[length > 0.0] / length[length > 0.0, None])
