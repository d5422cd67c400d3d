"""Support polygon: convex hull of the soles' contact points on one declared plane, plain floats for speed at 1 kHz.

Hull: Andrew's monotone chain (1979).  Sixteen points take about ten microseconds.
"""
from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.support_plane import SupportPlane

Array = NDArray[np.float64]
Point: TypeAlias = tuple[float, float]

HEIGHT_TOLERANCE_M = 0.01
"""Default distance from the declared plane beyond which a contact point makes the polygon undefined, m."""


@dataclass(frozen=True, eq=False)
class SupportPolygon:
    """A convex polygon on a plane.  One vertex is a point contact, two a line contact: both have no interior.

    Attributes:
        vertices: Corners (x, y) in plane coordinates, m, counter-clockwise, no three on a line.
        plane: The plane they lie on.
    """

    vertices: tuple[Point, ...]
    plane: SupportPlane

    @property
    def area(self) -> float:
        """Enclosed area, m²; 0 for a point or a line (shoelace formula)."""
        closed = zip(self.vertices, self.vertices[1:] + self.vertices[:1])
        return 0.5 * sum(ax * by - ay * bx for (ax, ay), (bx, by) in closed)


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """Corners of the convex hull of (x, y) points, counter-clockwise from the leftmost; duplicates are harmless."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    lower = _chain(ordered)
    upper = _chain(reversed(ordered))
    return lower[:-1] + upper[:-1]


def _chain(ordered: Iterable[Point]) -> list[Point]:
    """Points of ``ordered`` on its right-hand hull, first and last included."""
    chain: list[Point] = []
    for x, y in ordered:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def support_polygon(
    points_world: Array, plane: SupportPlane, height_tolerance: float = HEIGHT_TOLERANCE_M
) -> SupportPolygon | None:
    """Hull of the contact points of all soles, projected on the declared plane.

    Args:
        points_world: (n, 3) corners of every sole in contact, world, m.
        plane: The declared plane.
        height_tolerance: Largest distance of a point from the plane, m.  ``math.inf`` declares that points at any
            height are to be projected along the plane's normal (stairs, with a plane chosen for it).

    Returns:
        None, "undefined", without points, with a value that is not finite, or with a point off the plane.
    """
    if len(points_world) == 0:
        return None
    heights = plane.heights(points_world)
    if not float(np.abs(heights).max()) <= height_tolerance:
        return None
    flat = plane.coordinates(points_world)
    if not np.isfinite(flat).all():
        return None
    return SupportPolygon(tuple(convex_hull(map(tuple, flat.tolist()))), plane)


def sole_corners_world(corners_sole: Array, rotation: Array, origin: Array) -> Array:
    """Corners (n, 3) of a sole at pose (rotation, origin) in world, from its corners (n, 3) in the sole frame, m."""
    return np.asarray(corners_sole @ rotation.T + origin)


def signed_distance(vertices: tuple[Point, ...] | list[Point], point: Point) -> float:
    """Distance of a point to the polygon's boundary, m: positive inside, negative outside, 0 on it.

    A point or line contact has no interior: the result is never positive.
    """
    x, y = point
    inside = len(vertices) > 2
    nearest = math.inf
    ax, ay = vertices[-1]
    for bx, by in vertices:
        ex, ey = bx - ax, by - ay
        if inside and ex * (y - ay) - ey * (x - ax) < 0.0:
            inside = False
        length = ex * ex + ey * ey
        along = ((x - ax) * ex + (y - ay) * ey) / length if length > 0.0 else 0.0
        along = min(max(along, 0.0), 1.0)
        nearest = min(nearest, math.hypot(x - ax - along * ex, y - ay - along * ey))
        ax, ay = bx, by
    return nearest if inside else -nearest


def inset_polygon(polygon: SupportPolygon, inset: float) -> SupportPolygon | None:
    """The polygon with every edge moved inwards by ``inset`` ≥ 0, m; None when nothing is left.

    Clips by each moved edge (Sutherland–Hodgman, 1974).
    """
    corners = list(polygon.vertices)
    if len(corners) < 3:
        return None
    for (ax, ay), (bx, by) in zip(polygon.vertices, polygon.vertices[1:] + polygon.vertices[:1]):
        length = math.hypot(bx - ax, by - ay)
        nx, ny = (ay - by) / length, (bx - ax) / length
        corners = _clip(corners, nx, ny, nx * ax + ny * ay + inset)
        if len(corners) < 3:
            return None
    return SupportPolygon(tuple(convex_hull(corners)), polygon.plane)


def _clip(corners: list[Point], nx: float, ny: float, offset: float) -> list[Point]:
    """The part of a convex polygon where n·p ≥ offset."""
    kept: list[Point] = []
    px, py = corners[-1]
    before = nx * px + ny * py - offset
    for x, y in corners:
        now = nx * x + ny * y - offset
        if (before < 0.0) != (now < 0.0):
            share = before / (before - now)
            kept.append((px + share * (x - px), py + share * (y - py)))
        if now >= 0.0:
            kept.append((x, y))
        px, py, before = x, y, now
    return kept
