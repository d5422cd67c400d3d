"""The scenario's ground for the rigid-contact engine: distance and normal below a point.

Contact points of that engine are sole corners and hull corners, so a sole could not rest on an edge between its
corners: grounds with steps are refused, ramps and rough fields are taken.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import BackendError
from wbc_control.simulation.terrain import Box, Ground, HeightField

Array = NDArray[np.float64]

_PROBE_M, _SLOPE_STEP_M = 1e-3, 1e-5
_STEP_M, _COURSE_HALF_WIDTH_M = 0.005, 2.9
_DEEPEST_M = 0.2
"""A point deeper than this has come through the side of an obstacle; pushing it up to the surface would throw it."""


class GroundSurface:
    """A :class:`~wbc_control.contact_mechanics.support_surface.SupportSurface` of a ground.

    Args:
        ground: The ground.

    Raises:
        BackendError: The ground has a step.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        for box in ground.boxes:
            _refuse_steps(ground, box)
        self.level = not ground.boxes and ground.field is None
        self._faces = [_UpperFaces(box) for box in ground.boxes]
        field = 0.0 if ground.field is None else _steepest(ground.field)
        self._steepest = max([field, *(faces.steepest for faces in self._faces)])

    def clear_of(self, centres: Array, radii: Array) -> NDArray[np.bool_]:
        """(k,) True only where the sphere about a world point (k, 3) cannot touch; the sides of obstacles do not count."""
        height, _ = self._height_and_normal(centres)
        return np.asarray(centres[:, 2] - (1.0 + self._steepest) * radii > height)

    def gap_and_normal(self, points: Array) -> tuple[Array, Array]:
        """Distances (k,), m, along the normals (k, 3) of world points (k, 3)."""
        height, normal = self._height_and_normal(points)
        gap = (points[:, 2] - height) * normal[:, 2]
        return np.where(gap < -_DEEPEST_M, np.inf, gap), normal

    def _height_and_normal(self, points: Array) -> tuple[Array, Array]:
        """Of the highest surface at (x, y) of each point."""
        height = np.full(len(points), self._ground.base_height)
        normal = np.zeros((len(points), 3))
        normal[:, 2] = 1.0
        for faces in self._faces:
            upper, its_normal = faces.height_and_normal(points)
            higher = upper > height
            height, normal = np.where(higher, upper, height), np.where(higher[:, None], its_normal, normal)
        if self._ground.field is not None:
            self._raise_to_field(self._ground.field, points, height, normal)
        return height, normal

    def _raise_to_field(self, field: HeightField, points: Array, height: Array, normal: Array) -> None:
        """Where the field is higher, its height and normal instead, in place."""
        step = _SLOPE_STEP_M
        for row, (x, y, _) in enumerate(points.tolist()):
            here = field.height(x, y)
            if here > height[row]:
                along_x = (field.height(x + step, y) - field.height(x - step, y)) / (2.0 * step)
                along_y = (field.height(x, y + step) - field.height(x, y - step)) / (2.0 * step)
                up = np.array([-along_x, -along_y, 1.0])
                height[row], normal[row] = here, up / np.linalg.norm(up)


class _UpperFaces:
    """Where vertical lines leave a box."""

    def __init__(self, box: Box) -> None:
        self._box = box
        along = box.rotation[2]
        self._tilted = np.abs(along) > 1e-12
        self._along = np.where(self._tilted, along, 1.0)
        upright = float(np.abs(along).max())
        self.steepest = math.sqrt(max(0.0, 1.0 - upright**2)) / upright

    def height_and_normal(self, points: Array) -> tuple[Array, Array]:
        """Height (k,) above world z = 0 of the upper surface, −inf beside the box, and its outward normal (k, 3)."""
        box = self._box
        start = (np.column_stack([points[:, :2], np.zeros(len(points))]) - box.center) @ box.rotation
        reach = box.half_size / np.abs(self._along)
        middle = -start / self._along
        low = np.where(self._tilted, middle - reach, np.where(np.abs(start) <= box.half_size, -np.inf, np.inf))
        high = np.where(self._tilted, middle + reach, np.inf)
        face = np.argmin(high, axis=1)
        top = high[np.arange(len(points)), face]
        normal = box.rotation.T[face] * np.sign(self._along[face])[:, None]
        return np.where(low.max(axis=1) <= top, top, -np.inf), normal


def _steepest(field: HeightField) -> float:
    """Largest slope between neighbours of a field, both axes together."""
    rise = [np.abs(np.diff(field.heights, axis=axis)).max() for axis in (0, 1)]
    return float(math.hypot(*rise) / field.cell)


def _refuse_steps(ground: Ground, box: Box) -> None:
    """The middles of the upper face's edges must be flush with what lies beyond; the sides of a course are exempt."""
    upright = int(np.argmax(np.abs(box.rotation[2])))
    up = math.copysign(1.0, box.rotation[2, upright])
    for axis in range(3):
        for sign in (-1.0, 1.0) if axis != upright else ():
            local = np.zeros(3)
            local[upright], local[axis] = up * box.half_size[upright], sign * box.half_size[axis]
            edge = box.center + box.rotation @ local
            outward = sign * box.rotation[:2, axis] / np.linalg.norm(box.rotation[:2, axis])
            inside, outside = (ground.height(*(edge[:2] + side * _PROBE_M * outward)) for side in (-1.0, 1.0))
            if abs(inside - outside) > _STEP_M and abs(edge[1]) < _COURSE_HALF_WIDTH_M:
                message = (
                    f"the ground has a step of {abs(inside - outside):.3f} m at x = {edge[0]:.2f} m, y = {edge[1]:.2f} m; "
                    "the rigid engine takes flat, slope and rough terrain: use simulation.backend=mujoco"
                )
                raise BackendError(
                    message, where="simulation.backend=rigid", value=abs(inside - outside), bound=_STEP_M
                )
