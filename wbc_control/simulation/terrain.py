"""The ground: simple shapes for the physics engine, and the height of their surface for reports and start postures.

A :class:`Ground` is engine-neutral.  It always holds the infinite plane ``z = height``; obstacles stand on it.  Every
course starts flat around the origin, where the robot stands, and leads along +x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.terrain_settings import (
    BeamTerrain,
    BoxesTerrain,
    BoxObstacle,
    FlatTerrain,
    RoughTerrain,
    SlopeTerrain,
    StairsTerrain,
    TerrainSettings,
)
from wbc_control.spatial import roll_pitch_yaw_to_matrix

Array = NDArray[np.float64]

_COURSE_WIDTH_M = 6.0
_FLAT_RADIUS_M = 0.5


@dataclass(frozen=True)
class Box:
    """A solid box.

    Attributes:
        center: (3,) m, world.
        half_size: (3,) m.
        rotation: (3, 3) box axes in world.
        friction: Coulomb coefficient of its faces; None for that of the ground.
    """

    center: Array
    half_size: Array
    rotation: Array
    friction: float | None = None

    def height(self, x: float, y: float) -> float:
        """Height of the upper surface above world z = 0 at (x, y), m; −inf beside the box."""
        low, high = -math.inf, math.inf
        start = self.rotation.T @ (np.array([x, y, 0.0]) - self.center)
        for origin, slope, half in zip(start, self.rotation[2], self.half_size):
            if abs(slope) < 1e-12:
                if abs(origin) > half:
                    return -math.inf
                continue
            ends = sorted(((-half - origin) / slope, (half - origin) / slope))
            low, high = max(low, ends[0]), min(high, ends[1])
        return high if low <= high else -math.inf


@dataclass(frozen=True)
class HeightField:
    """A grid of heights, two triangles a cell (split along the diagonal of rising x and y, as MuJoCo does).

    Attributes:
        x_min: World x of the first column, m.
        y_min: World y of the first row, m.
        cell: Side of a square cell, m.
        heights: (rows, columns) m, world; rows along y.
    """

    x_min: float
    y_min: float
    cell: float
    heights: Array

    def height(self, x: float, y: float) -> float:
        """Height of the surface at (x, y), m; −inf outside the grid."""
        u, w = (x - self.x_min) / self.cell, (y - self.y_min) / self.cell
        rows, columns = self.heights.shape
        if not (0.0 <= u <= columns - 1 and 0.0 <= w <= rows - 1):
            return -math.inf
        i, j = min(int(u), columns - 2), min(int(w), rows - 2)
        return _on_triangle(self.heights[j : j + 2, i : i + 2], u - i, w - j)


def _on_triangle(corners: Array, u: float, w: float) -> float:
    """Height inside a cell; ``corners[row, column]``, u along columns, w along rows, both 0..1."""
    (low, right), (left, high) = corners
    h = low + w * (left - low) + u * (high - left) if w >= u else low + u * (right - low) + w * (high - right)
    return float(h)


@dataclass(frozen=True)
class Ground:
    """The plane ``z = base_height`` and what stands on it.

    Attributes:
        base_height: Height of the infinite plane, m.
        friction: Coulomb coefficient of every surface that has none of its own.
        boxes: Solid boxes.
        field: A height field, or None.
    """

    base_height: float = 0.0
    friction: float = 0.8
    boxes: tuple[Box, ...] = ()
    field: HeightField | None = field(default=None)

    @property
    def sharp(self) -> bool:
        """Whether there are edges a sole can stand on between its corners."""
        return bool(self.boxes)

    def height(self, x: float, y: float) -> float:
        """Height of the highest surface at (x, y), m, world."""
        highest = self.base_height
        for box in self.boxes:
            highest = max(highest, box.height(x, y))
        if self.field is not None:
            highest = max(highest, self.field.height(x, y))
        return float(highest)


def make_ground(settings: TerrainSettings) -> Ground:
    """The ground a scenario describes."""
    friction, level = settings.friction, settings.height if isinstance(settings, FlatTerrain) else 0.0
    match settings:
        case SlopeTerrain():
            return Ground(level, friction, _slope(settings))
        case StairsTerrain():
            return Ground(level, friction, _stairs(settings))
        case BeamTerrain():
            return Ground(level - settings.drop, friction, (_beam(settings),))
        case BoxesTerrain():
            return Ground(level, friction, tuple(_box(box, level) for box in settings.boxes))
        case RoughTerrain():
            return Ground(level - 2.0 * settings.amplitude, friction, (), _rough(settings))
    return Ground(level, friction)


def _slope(settings: SlopeTerrain) -> tuple[Box, ...]:
    """Up over ``length`` (horizontal), a flat top, down again."""
    pitch, length, start = math.radians(settings.pitch_deg), settings.length, settings.start
    rise, top = length * math.tan(pitch), settings.top
    up = _ramp(start, settings.height, length, pitch)
    down = _ramp(start + length + top, settings.height + rise, length, -pitch)
    plateau = _slab(start + length, start + length + top, settings.height, settings.height + rise)
    return up, plateau, down


def _ramp(x_start: float, z_start: float, length: float, pitch: float) -> Box:
    """A slab whose upper face rises from (x_start, z_start) over the horizontal ``length``."""
    rotation = roll_pitch_yaw_to_matrix(0.0, -pitch, 0.0)
    half = np.array([0.5 * length / math.cos(pitch), 0.5 * _COURSE_WIDTH_M, 0.5])
    upper_face = np.array([x_start + 0.5 * length, 0.0, z_start + 0.5 * length * math.tan(pitch)])
    return Box(upper_face - half[2] * rotation[:, 2], half, rotation)


def _slab(x_start: float, x_end: float, z_low: float, z_high: float) -> Box:
    """An upright block across the course between two heights."""
    center = np.array([0.5 * (x_start + x_end), 0.0, 0.5 * (z_low + z_high)])
    half = np.array([0.5 * (x_end - x_start), 0.5 * _COURSE_WIDTH_M, max(0.5 * (z_high - z_low), 1e-4)])
    return Box(center, half, np.eye(3))


def _stairs(settings: StairsTerrain) -> tuple[Box, ...]:
    """``count`` steps up, a landing as long as ``top``, the same steps down; each step is one block to the far side."""
    rise, depth, count = settings.height, settings.depth, settings.count
    end = settings.start + 2 * (count - 1) * depth + settings.top
    return tuple(_slab(settings.start + k * depth, end - k * depth, 0.0, (k + 1) * rise) for k in range(count))


def _beam(settings: BeamTerrain) -> Box:
    """A beam along x whose upper face is at ``height``; the plane lies ``drop`` below."""
    half = np.array([0.5 * settings.length, 0.5 * settings.width, 0.5 * settings.drop])
    center = np.array([0.5 * settings.length - 1.0, 0.0, settings.height - half[2]])
    return Box(center, half, np.eye(3))


def _box(box: BoxObstacle, base: float) -> Box:
    rotation = roll_pitch_yaw_to_matrix(*np.radians(box.rpy_deg))
    return Box(np.array(box.position) + [0.0, 0.0, base], 0.5 * np.array(box.size), rotation, box.friction or None)


def _rough(settings: RoughTerrain) -> HeightField:
    """Uniform random heights within ± ``amplitude``, fading to flat where the robot starts."""
    cell, columns, rows = settings.cell, int(16.0 / settings.cell) + 1, int(_COURSE_WIDTH_M / settings.cell) + 1
    heights = np.random.default_rng(settings.seed).uniform(-settings.amplitude, settings.amplitude, (rows, columns))
    x_min, y_min = -2.0, -0.5 * cell * (rows - 1)
    x, y = np.meshgrid(x_min + cell * np.arange(columns), y_min + cell * np.arange(rows))
    fade = np.clip((np.hypot(x, y) - _FLAT_RADIUS_M) / _FLAT_RADIUS_M, 0.0, 1.0)
    return HeightField(x_min, y_min, cell, settings.height + heights * fade)
