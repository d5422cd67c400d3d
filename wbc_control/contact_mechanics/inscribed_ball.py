"""Largest ball about a point inside a convex body known by its support function, in any dimension.

Zheng, *An efficient algorithm for a grasp quality measure* (IEEE T-RO 2013): a polytope of support points grows only
where its nearest facet is; the facet's distance and the body's support in its direction bound the radius from below and
above.  Needs no linearised cones.  The polytope is an incremental convex hull with simplicial facets.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SupportPoint: TypeAlias = Callable[[Array], Array]
"""Direction (d,) → the body's point farthest along it (d,)."""


@dataclass(frozen=True, eq=False)
class InscribedBall:
    """Bounds of the radius.

    Attributes:
        lower: Radius proven; 0 when the centre is not in the interior.
        upper: Radius that cannot be exceeded; ``upper − lower`` is within the tolerance when ``converged``.
        direction: (d,) unit vector along which the body is nearest (or does not enclose the centre).
        converged: False when the limit of points was reached first; the bounds hold all the same.
        points: Support points used.
    """

    lower: float
    upper: float
    direction: Array
    converged: bool
    points: int


def inscribed_ball(
    support: SupportPoint,
    centre: Array,
    *,
    tolerance: float = 1e-6,
    relative: float = 0.01,
    max_points: int = 100,
) -> InscribedBall:
    """Largest ball about ``centre`` in the convex hull of ``support``'s points.

    Args:
        support: The body.
        centre: (d,) point in the body's coordinates.
        tolerance: Gap between the bounds at which to stop; an upper bound below it counts as 0.
        relative: The same, as a share of the upper bound.  A polytope is measured exactly whatever it is; a curved body
            in six dimensions takes some 50 points for 2 % and 100 for 1 % (the facets grow steeply: about 2 s there).
        max_points: Then ``converged`` is False.
    """

    def moved(direction: Array) -> Array:
        return np.asarray(support(direction) - centre)

    simplex, flat = _first_simplex(moved, len(centre))
    if simplex is None:
        return InscribedBall(0.0, 0.0, flat, True, 0)
    hull = _Hull(simplex)
    upper, best = np.inf, flat
    while True:
        normal, offset = hull.nearest_facet()
        point = moved(normal)
        reach = float(normal @ point)
        if reach < upper:
            upper, best = reach, normal
        lower = max(offset, 0.0)
        if upper <= tolerance:
            return InscribedBall(0.0, max(upper, 0.0), best, True, hull.count)
        if reach - offset <= max(tolerance, relative * reach):
            return InscribedBall(lower, max(upper, lower), best, True, hull.count)
        if hull.count >= max_points or not hull.add(point):
            return InscribedBall(lower, max(upper, lower), best, upper - lower <= tolerance, hull.count)


def _first_simplex(support: SupportPoint, dimension: int) -> tuple[Array | None, Array]:
    """d + 1 affinely independent support points (d + 1, d), or None and a direction in which the body has no extent."""
    points = [support(np.eye(dimension)[0])]
    basis = np.zeros((0, dimension))
    for _ in range(dimension):
        free = np.linalg.svd(basis)[2][len(basis) :] if len(basis) else np.eye(dimension)
        found = None
        for direction in free:
            pair = [support(direction), support(-direction)]
            extents = [abs(float(direction @ (p - points[0]))) for p in pair]
            if max(extents) > 1e-9:
                found = pair[int(np.argmax(extents))]
                break
        if found is None:
            return None, np.asarray(free[0])
        points.append(found)
        basis = np.linalg.qr((np.array(points[1:]) - points[0]).T)[0].T
    return np.array(points), np.eye(dimension)[0]


class _Hull:
    """Convex hull of points (k, d), kept as simplicial facets with outward unit normals n·x ≤ offset."""

    def __init__(self, simplex: Array) -> None:
        self.dimension = simplex.shape[1]
        self.inner = simplex.mean(axis=0)
        self.points = list(simplex)
        everyone = range(self.dimension + 1)
        self.facets = np.array([[i for i in everyone if i != left] for left in everyone], dtype=np.intp)
        self.normals, self.offsets = self._planes(self.facets)

    @property
    def count(self) -> int:
        """Points on record."""
        return len(self.points)

    def nearest_facet(self) -> tuple[Array, float]:
        """Outward normal (d,) and offset of the facet nearest the origin (negative offset: the origin is beyond it)."""
        index = int(np.argmin(self.offsets))
        return self.normals[index], float(self.offsets[index])

    def add(self, point: Array) -> bool:
        """Extend the hull to a new point; False if it does not lie outside."""
        visible = self.normals @ point > self.offsets + 1e-12
        if not visible.any():
            return False
        self.points.append(point)
        ridges = self._horizon(self.facets[visible])
        new = np.column_stack([ridges, np.full(len(ridges), self.count - 1)])
        normals, offsets = self._planes(new)
        keep = ~visible
        self.facets = np.vstack([self.facets[keep], new])
        self.normals = np.vstack([self.normals[keep], normals])
        self.offsets = np.concatenate([self.offsets[keep], offsets])
        return True

    def _horizon(self, facets: NDArray[np.intp]) -> NDArray[np.intp]:
        """Ridges (k, d − 1) that belong to exactly one of the facets."""
        ordered = np.sort(facets, axis=1)
        ridges = np.vstack([np.delete(ordered, left, axis=1) for left in range(self.dimension)])
        unique, times = np.unique(ridges, axis=0, return_counts=True)
        return np.asarray(unique[times == 1])

    def _planes(self, facets: NDArray[np.intp]) -> tuple[Array, Array]:
        """Normals and offsets: with the inner point as origin, n solves V n = 1."""
        corners = np.array(self.points)[facets] - self.inner
        # A sliver whose plane passes through the inner point has no solution; the tiny ridge keeps it finite.
        scaled = np.linalg.pinv(corners, rcond=1e-14) @ np.ones((len(facets), self.dimension, 1))
        normals = scaled[:, :, 0]
        length = np.linalg.norm(normals, axis=1)
        normals = normals / length[:, None]
        return normals, 1.0 / length + normals @ self.inner
