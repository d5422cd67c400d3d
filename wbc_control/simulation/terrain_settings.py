"""What a scenario may say about the ground, one class a terrain type; lengths in m, angles in degrees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wbc_control.errors import ScenarioError
from wbc_control.simulation.reading import number, numbers, read, refuse_unknown, sections, whole


@dataclass(frozen=True)
class TerrainSettings:
    """Flat ground, and what all terrains share.

    Attributes:
        friction: Coulomb coefficient of every surface.
    """

    friction: float = number(0.8, lower=1e-3, upper=5.0)


@dataclass(frozen=True)
class FlatTerrain(TerrainSettings):
    """An infinite plane at ``height``."""

    height: float = number(0.0)


@dataclass(frozen=True)
class SlopeTerrain(FlatTerrain):
    """A ramp from x = ``start`` up over the horizontal ``length``, flat for ``top``, and down again."""

    pitch_deg: float = number(10.0, lower=-60.0, upper=60.0)
    start: float = number(1.0)
    length: float = number(3.0, lower=0.1)
    top: float = number(1.0, lower=0.1)


@dataclass(frozen=True)
class StairsTerrain(TerrainSettings):
    """``count`` steps ``height`` high and ``depth`` long from x = ``start``, a landing ``top`` long, and down again."""

    height: float = number(0.10, lower=0.001, upper=1.0)
    depth: float = number(0.30, lower=0.05)
    count: int = whole(3, lower=1)
    start: float = number(0.6)
    top: float = number(1.0, lower=0.1)


@dataclass(frozen=True)
class RoughTerrain(FlatTerrain):
    """Random heights within ± ``amplitude`` about ``height`` on a grid of ``cell``, flat where the robot starts."""

    amplitude: float = number(0.02, lower=0.0, upper=0.5)
    seed: int = whole(0)
    cell: float = number(0.15, lower=0.02, upper=1.0)


@dataclass(frozen=True)
class BeamTerrain(FlatTerrain):
    """A beam along x whose upper face lies at ``height`` and starts 1 m behind the origin; ground ``drop`` below."""

    width: float = number(0.30, lower=0.02)
    length: float = number(6.0, lower=0.1)
    drop: float = number(0.30, lower=0.01)


@dataclass(frozen=True)
class BoxObstacle:
    """A solid box: ``position`` of its centre above the plane, full ``size`` and fixed-axis ``rpy_deg``.

    ``friction`` of its faces where it is not the terrain's; 0 takes that.
    """

    position: tuple[float, ...] = numbers(3)
    size: tuple[float, ...] = numbers(3, lower=1e-4)
    rpy_deg: tuple[float, ...] = numbers(3, (0.0, 0.0, 0.0))
    friction: float = number(0.0, lower=0.0, upper=5.0)


@dataclass(frozen=True)
class BoxesTerrain(FlatTerrain):
    """A plane with boxes on it."""

    boxes: tuple[BoxObstacle, ...] = sections(BoxObstacle)


TERRAINS: dict[str, type[TerrainSettings]] = {
    "flat": FlatTerrain,
    "slope": SlopeTerrain,
    "stairs": StairsTerrain,
    "rough": RoughTerrain,
    "beam": BeamTerrain,
    "boxes": BoxesTerrain,
}
"""The terrain types by the name a scenario uses."""


def read_terrain(mapping: Any, where: str) -> TerrainSettings:
    """The settings of the type that ``mapping['type']`` names (flat without one).

    Raises:
        ScenarioError: Unknown type, or as :func:`wbc_control.simulation.reading.read`.
    """
    if not isinstance(mapping, Mapping):
        raise ScenarioError(f"is {mapping!r}, wanted a mapping", where=where, value=mapping)
    kind = mapping.get("type", "flat")
    refuse_unknown({kind: None}, TERRAINS, f"{where}, 'type'")
    return read(TERRAINS[kind], {key: value for key, value in mapping.items() if key != "type"}, where)
