"""Pictures for RViz: forces in their cones, support polygon, points, footsteps → visualization_msgs/MarkerArray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.stamps import set_stamp

_CONE_EDGES = 12

Colour = tuple[float, float, float, float]

FORCE_SCALE_M_PER_N = 0.001
"""Length of a force arrow: 1 mm a newton."""

COLOURS: Mapping[str, Colour] = {
    "com": (0.9, 0.6, 0.1, 1.0),
    "zmp": (0.9, 0.1, 0.1, 1.0),
    "dcm": (0.2, 0.4, 0.9, 1.0),
    "force": (0.1, 0.7, 0.2, 1.0),
    "cone": (0.1, 0.7, 0.2, 0.4),
    "polygon": (0.1, 0.7, 0.7, 0.8),
    "footstep": (0.5, 0.5, 0.9, 0.5),
}
"""Colour of each kind of picture, red, green, blue, opacity."""


def force_marker(time_ns: int, number: int, origin: Any, force: Any) -> Marker:
    """Arrow of a force, N, that acts at ``origin``, m, both (3,) in world."""
    marker = _marker(time_ns, "force", number, Marker.ARROW, (0.01, 0.02, 0.03))
    tip = [float(o) + FORCE_SCALE_M_PER_N * float(f) for o, f in zip(origin, force, strict=True)]
    marker.points = [_point(origin), _point(tip)]
    return marker


def sphere_marker(time_ns: int, kind: str, number: int, centre: Any, diameter: float = 0.04) -> Marker:
    """Ball of one of the kinds in :data:`COLOURS` at (3,) or (2,) ``centre``, m."""
    marker = _marker(time_ns, kind, number, Marker.SPHERE, (diameter, diameter, diameter))
    marker.pose.position = _point(centre)
    return marker


def cone_marker(time_ns: int, number: int, apex: Any, axis: Any, height: float, friction: float) -> Marker:
    """Wire frame of a friction cone; a force whose tip leaves it slips.

    Args:
        time_ns: Stamp, ns.
        number: Of the foot.
        apex: (3,) point of contact, world, m.
        axis: (3,) unit normal of the ground, world.
        height: Of the picture, m; 0 or less deletes it.
        friction: Coulomb coefficient: the tangent of the half angle.
    """
    marker = _marker(time_ns, "cone", number, Marker.LINE_LIST, (0.003, 0.0, 0.0))
    if height <= 0.0:
        marker.action = Marker.DELETE
        return marker
    apex, axis = np.asarray(apex), np.asarray(axis)
    side = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    angle = np.linspace(0.0, 2.0 * np.pi, _CONE_EDGES, endpoint=False)[:, None]
    rim = apex + height * (axis + friction * (np.cos(angle) * side + np.sin(angle) * np.cross(axis, side)))
    ends = zip(rim, np.roll(rim, -1, axis=0), strict=True)
    marker.points = [_point(point) for start, end in ends for point in (apex, start, start, end)]
    return marker


def polygon_marker(time_ns: int, vertices: Any) -> Marker:
    """Closed outline of the support polygon; no vertices deletes the picture."""
    return _outline(time_ns, "polygon", 0, vertices)


def footstep_marker(time_ns: int, number: int, corners: Any) -> Marker:
    """Closed outline of a sole, (k, 3) world, m, where a foot is going to land; no corners delete the picture."""
    return _outline(time_ns, "footstep", number, corners)


def _outline(time_ns: int, kind: str, number: int, vertices: Any) -> Marker:
    marker = _marker(time_ns, kind, number, Marker.LINE_STRIP, (0.008, 0.0, 0.0))
    if not len(vertices):
        marker.action = Marker.DELETE
        return marker
    marker.points = [_point(vertex) for vertex in (*vertices, vertices[0])]
    return marker


def marker_array(markers: Sequence[Marker]) -> MarkerArray:
    """All pictures of one instant."""
    return MarkerArray(markers=list(markers))


def _marker(time_ns: int, kind: str, number: int, shape: int, scale: tuple[float, float, float]) -> Marker:
    marker = Marker(ns=kind, id=number, type=shape, action=Marker.ADD)
    marker.header.frame_id = ODOM_FRAME
    set_stamp(marker.header.stamp, time_ns)
    marker.scale.x, marker.scale.y, marker.scale.z = scale
    red, green, blue, opacity = COLOURS[kind]
    marker.color = ColorRGBA(r=red, g=green, b=blue, a=opacity)
    marker.pose.orientation.w = 1.0
    return marker


def _point(values: Any) -> Point:
    return Point(x=float(values[0]), y=float(values[1]), z=float(values[2]) if len(values) > 2 else 0.0)
