"""Support of planned feet on the level plane of the pendulum: polygon, centre, nearest point, load of each foot.

Feet at different heights are projected vertically onto that one declared plane (case C11: never a mixture of two).
Sole corners are turned with each foot's own yaw, so the polygon of a yawed robot is its yawed polygon (C10).
"""
from __future__ import annotations

import math

import numpy as np

from wbc_control.contact_mechanics.support_plane import horizontal_plane
from wbc_control.contact_mechanics.support_polygon import SupportPolygon, convex_hull, inset_polygon, signed_distance
from wbc_control.planning.body import PlanningBody
from wbc_control.spatial import Array

Point = tuple[float, float]


def contact_points(body: PlanningBody, foot: int, position: Array, rotation: Array) -> Array:
    """(k, 3) corners of a foot in world, m, for its sole at ``position`` (3,), ``rotation`` (3, 3)."""
    return np.asarray(body.corners[foot] @ rotation.T + position)


def support_centre(body: PlanningBody, foot: int, position: Array, rotation: Array) -> Array:
    """(3,) middle of a foot's corners in world, m."""
    return np.asarray(rotation @ body.centre_in_sole[foot] + position)


def support_vertices(body: PlanningBody, feet: list[int], position: Array, rotation: Array) -> list[Point]:
    """Hull (counter-clockwise) of all corners of ``feet``; position (n_feet, 3), rotation (n_feet, 3, 3)."""
    points: list[Point] = []
    for foot in feet:
        points += map(tuple, contact_points(body, foot, position[foot], rotation[foot])[:, :2].tolist())
    return convex_hull(points)


def inset_vertices(vertices: list[Point], inset: float) -> list[Point]:
    """The polygon shrunk by ``inset``, m; where nothing would be left, half of what can be shrunk (segments: as is)."""
    if len(vertices) < 3 or inset <= 0.0:
        return vertices
    polygon = SupportPolygon(tuple(vertices), horizontal_plane())
    for share in (1.0, 0.5, 0.25):
        smaller = inset_polygon(polygon, inset * share)
        if smaller is not None:
            return list(smaller.vertices)
    return vertices


def nearest_point(vertices: list[Point], x: float, y: float, reach: float = 0.0) -> Point:
    """The point itself when it lies within ``reach`` of the polygon, else the nearest point that does."""
    if len(vertices) > 2 and _inside(vertices, x, y):
        return x, y
    best, nearest = math.inf, vertices[0]
    ax, ay = vertices[-1]
    for bx, by in vertices:
        ex, ey = bx - ax, by - ay
        length = ex * ex + ey * ey
        along = min(max(((x - ax) * ex + (y - ay) * ey) / length, 0.0), 1.0) if length > 0.0 else 0.0
        px, py = ax + along * ex, ay + along * ey
        distance = math.hypot(x - px, y - py)
        if distance < best:
            best, nearest = distance, (px, py)
        ax, ay = bx, by
    if best <= reach or best == 0.0:
        return x, y
    share = reach / best
    return nearest[0] + share * (x - nearest[0]), nearest[1] + share * (y - nearest[1])


def _inside(vertices: list[Point], x: float, y: float) -> bool:
    ax, ay = vertices[-1]
    for bx, by in vertices:
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0.0:
            return False
        ax, ay = bx, by
    return True


def area_centroid(vertices: list[Point]) -> Point:
    """Centroid of the enclosed area; of the vertices where there is no area."""
    doubled = cx = cy = 0.0
    for (ax, ay), (bx, by) in zip(vertices, vertices[1:] + vertices[:1]):
        part = ax * by - ay * bx
        doubled, cx, cy = doubled + part, cx + (ax + bx) * part, cy + (ay + by) * part
    if abs(doubled) < 1e-9:
        return sum(v[0] for v in vertices) / len(vertices), sum(v[1] for v in vertices) / len(vertices)
    return cx / (3.0 * doubled), cy / (3.0 * doubled)


def margin(vertices: list[Point], x: float, y: float) -> float:
    """Signed distance of a point to the polygon's boundary, m: positive inside."""
    return signed_distance(vertices, (x, y))


def share_load(total: Array, zmp: Array, centres: Array, weight: Array) -> Array:
    """Normal force of each foot whose sum is ``total`` and whose centre of pressure is as near ``zmp`` as feet allow.

    Starts from shares by contact weight and adds the weighted least-norm correction Δf = W Aᵀ (A W Aᵀ + ε)⁻¹ (b − A f)
    with rows of A: sum, x moment, y moment; what would pull is set to 0 and the rest rescaled.

    Args:
        total: (k,) N.
        zmp: (k, 2) m.
        centres: (k, n_feet, 2) support centres, m.
        weight: (k, n_feet) contact weights, 0..1.

    Returns:
        (k, n_feet) N, never negative; 0 where the weight is 0.
    """
    sums = weight.sum(axis=1, keepdims=True)
    share = weight / np.maximum(sums, 1e-9)
    arm = centres - zmp[:, None, :]
    rows = np.concatenate((np.ones(share.shape + (1,)), arm), axis=2)
    weighted = rows * share[:, :, None]
    gram = np.einsum("kfa,kfb->kab", rows, weighted) + np.diag([1e-9, 1e-6, 1e-6])
    missing = -np.einsum("kfa,kf->ka", rows, share)
    missing[:, 0] += 1.0
    share = share + np.einsum("kfa,ka->kf", weighted, np.linalg.solve(gram, missing[:, :, None])[:, :, 0])
    share = np.maximum(share, 0.0)
    norm = share.sum(axis=1, keepdims=True)
    return np.asarray(share / np.maximum(norm, 1e-9) * total[:, None])
