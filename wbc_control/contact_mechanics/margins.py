"""Margins of balance: how far the ZMP and the capture point are from trouble.  Undefined is ``None``.

The normalised index ``zmp_margin`` follows its definition: max(0, 1 − ‖(x, y)‖/D) with the ZMP relative to the
support centre and D the distance of diagonal feet in the default pose.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.support_polygon import Point, SupportPolygon, signed_distance
from wbc_control.contact_mechanics.zmp import Zmp
from wbc_control.spatial import GRAVITY_M_S2

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ZmpMargins:
    """Both margins of one ZMP.

    Attributes:
        distance: m to the nearest edge of the support polygon: positive inside, negative outside.
        normalised: The index in [0, 1]; 1 at the support centre.
        fictitious: Whether the point is outside the polygon (an FZMP: the robot is tipping or about to).
    """

    distance: float
    normalised: float
    fictitious: bool


def zmp_margin(x: float, y: float, norm_distance: float) -> float:
    """max(0, 1 − ‖(x, y)‖/D) with x and y relative to the support centre, m, and D = ``norm_distance`` > 0, m."""
    return max(0.0, 1.0 - math.hypot(x, y) / norm_distance)


def check_norm_distance(value: float) -> float:
    """D as a float; :class:`DomainError` unless finite and > 0.  Call once, at start-up."""
    return in_range("norm distance", value, 0.0, open_low=True)


def zmp_margins(
    zmp: Zmp | None, polygon: SupportPolygon | None, support_centre: Point, norm_distance: float
) -> ZmpMargins | None:
    """Margins of a ZMP in a support polygon on the same plane.

    Args:
        zmp: The point, or None if undefined.
        polygon: The polygon, or None if undefined.
        support_centre: Plane coordinates of the mean contact point O', m.
        norm_distance: D > 0, m.

    Returns:
        None when either is undefined or they lie on different planes.
    """
    if zmp is None or polygon is None or not zmp.plane.same_as(polygon.plane):
        return None
    distance = signed_distance(polygon.vertices, (zmp.x, zmp.y))
    index = zmp_margin(zmp.x - support_centre[0], zmp.y - support_centre[1], norm_distance)
    return ZmpMargins(distance, index, distance < 0.0)


def point_margin(point: Point | None, polygon: SupportPolygon | None) -> float | None:
    """Signed distance, m, of any point on the polygon's plane (CoP, DCM) to its boundary: positive inside."""
    if point is None or polygon is None:
        return None
    return signed_distance(polygon.vertices, point)


def capture_point(com: Point, com_velocity: Point, com_height: float, gravity: float = GRAVITY_M_S2) -> Point | None:
    """Instantaneous capture point (DCM) ξ = x + ẋ √(h/g) of the linear inverted pendulum, m.

    Pratt et al., *Capture point: a step toward humanoid push recovery* (2006).

    Args:
        com: Plane coordinates of the centre of mass, m.
        com_velocity: m/s along the plane.
        com_height: h above the plane, m.
        gravity: m/s².

    Returns:
        None when the height is not positive or a number is not finite.
    """
    if not (com_height > 0.0 and gravity > 0.0):
        return None
    time_constant = math.sqrt(com_height / gravity)
    x = com[0] + com_velocity[0] * time_constant
    y = com[1] + com_velocity[1] * time_constant
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def capture_margin(com: Array, com_velocity: Array, polygon: SupportPolygon | None) -> float | None:
    """Signed distance, m, of the capture point to the polygon's boundary: positive where standing still can catch it.

    Args:
        com: (3,) world, m.
        com_velocity: (3,) world, m/s.
        polygon: The support polygon, or None if undefined.
    """
    if polygon is None:
        return None
    axes = polygon.plane.rotation
    x, y, height = (axes.T @ (com - polygon.plane.origin)).tolist()
    vx, vy, _ = (axes.T @ com_velocity).tolist()
    return point_margin(capture_point((x, y), (vx, vy), height), polygon)
