"""The ground as the time-stepping schemes see it: distance and normal below a point."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class SupportSurface(Protocol):
    """A ground without steps or overhangs."""

    @property
    def level(self) -> bool:
        """Whether every normal is world z, so that contact frames need not be turned."""

    def clear_of(self, centres: Array, radii: Array) -> NDArray[np.bool_]:
        """(k,) True only where the sphere about a world point (k, 3) of that radius, m, cannot touch; cheap."""

    def gap_and_normal(self, points: Array) -> tuple[Array, Array]:
        """Signed distances (k,), m, and unit normals (k, 3) towards the robot, of world points (k, 3)."""


class LevelGround:
    """The plane z = ``height``, m, world."""

    level = True

    def __init__(self, height: float = 0.0) -> None:
        self._height = height

    def clear_of(self, centres: Array, radii: Array) -> NDArray[np.bool_]:
        """See :class:`SupportSurface`."""
        return np.asarray(centres[:, 2] - radii > self._height)

    def gap_and_normal(self, points: Array) -> tuple[Array, Array]:
        """See :class:`SupportSurface`."""
        normals = np.zeros((len(points), 3))
        normals[:, 2] = 1.0
        return points[:, 2] - self._height, normals


def frames_from_normals(normals: Array) -> Array:
    """Contact frames (k, 3, 3) in world, columns tangent, tangent, normal, of upward normals (k, 3).

    The first tangent is as near world x as possible; normals along world x have no such frame and are not upward.
    """
    forward = np.array([1.0, 0.0, 0.0]) - normals[:, :1] * normals
    forward /= np.linalg.norm(forward, axis=1)[:, None]
    return np.stack([forward, np.cross(normals, forward), normals], axis=2)
