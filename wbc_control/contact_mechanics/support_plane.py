"""The one declared plane on which ZMP, support polygon and margins live.  Never a mixture of two heights."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array
from wbc_control.contact_mechanics.contact_frame import frame_from_normal

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SupportPlane:
    """A plane with coordinates.  On a horizontal plane through (0, 0, h) they are world x and y.

    Attributes:
        origin: (3,) world point where the plane's coordinates are (0, 0), m.
        rotation: (3, 3) columns: the plane's x, y and normal in world.
    """

    origin: Array
    rotation: Array

    def coordinates(self, points: Array) -> Array:
        """Plane coordinates (n, 2), m, of world points (n, 3), projected along the normal."""
        return np.asarray((points - self.origin) @ self.rotation[:, :2])

    def heights(self, points: Array) -> Array:
        """Signed distance (n,) of world points (n, 3) above the plane, m."""
        return np.asarray((points - self.origin) @ self.rotation[:, 2])

    def world_point(self, coordinates: Array) -> Array:
        """World point (3,) of plane coordinates (2,)."""
        return np.asarray(self.origin + self.rotation[:, :2] @ coordinates)

    def same_as(self, other: SupportPlane, tolerance: float = 1e-9) -> bool:
        """Whether both have the same origin (m) and axes, up to ``tolerance``."""
        if self is other:
            return True
        origin_gap = np.abs(self.origin - other.origin).max()
        return bool(origin_gap <= tolerance and np.abs(self.rotation - other.rotation).max() <= tolerance)


def horizontal_plane(height: float = 0.0, x: float = 0.0, y: float = 0.0) -> SupportPlane:
    """Level plane at world ``height``, m, with world axes and its coordinates' origin over (x, y)."""
    return SupportPlane(finite_array("plane origin", [x, y, height], (3,)), np.eye(3))


def plane_from_normal(origin: Array, normal: Array, forward: Array | None = None) -> SupportPlane:
    """Plane through ``origin`` (3,) with the given normal; x axis as near ``forward`` as possible.

    Raises:
        DomainError: No normal direction, or a value that is not finite.
    """
    return SupportPlane(finite_array("plane origin", origin, (3,)), frame_from_normal(normal, forward))


def virtual_horizontal_plane(contact_points: Array) -> SupportPlane | None:
    """Level plane through the plain mean O' of the contact points (k, 3): the reference plane of the ZMP-margin index.

    Not weighted by force, and not the polygon's centroid.  None without contacts or with one that is not finite.
    """
    if len(contact_points) == 0:
        return None
    centre = np.asarray(contact_points, dtype=np.float64).mean(axis=0)
    return SupportPlane(centre, np.eye(3)) if np.isfinite(centre).all() else None
