"""A scenario: everything that happens to the robot in one run, read from YAML and checked.

Times in s, lengths in m, impulses in N·s in world axes.  The file's keys are the attribute names below.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from wbc_control.errors import ScenarioError
from wbc_control.simulation.reading import declare, number, numbers, read, section, sections, text, whole
from wbc_control.simulation.terrain_settings import FlatTerrain, TerrainSettings, read_terrain

FAULT_KINDS = ("silence", "nan", "delay", "bias", "kill", "shuffle", "flip_sign", "slow")
"""What a fault may do to a topic."""


@dataclass(frozen=True)
class InitialSettings:
    """Where the robot starts.

    Attributes:
        x, y, yaw_deg: Base pose on the ground.
        drop: Height of the lowest sole point above the ground.
        posture: Joint name → rad where it differs from the standing posture; empty for the default.
    """

    x: float = number(0.0)
    y: float = number(0.0)
    yaw_deg: float = number(0.0)
    drop: float = number(0.0, lower=0.0)
    posture: Mapping[str, float] = declare(lambda value, where: _read_posture(value, where), factory=dict)


@dataclass(frozen=True)
class CommandSettings:
    """Velocity command from ``t`` on: forward and leftward m/s, yaw rate rad/s; what is not named is zero."""

    t: float = number(lower=0.0)
    vx: float = number(0.0)
    vy: float = number(0.0)
    wz: float = number(0.0)


@dataclass(frozen=True)
class PushSettings:
    """A constant force that adds up to ``impulse`` (N·s, world) over ``duration``; ``link`` empty means the torso."""

    t: float = number(lower=0.0)
    duration: float = number(0.1, lower=1e-3)
    impulse: tuple[float, ...] = numbers(3)
    link: str = text("")


@dataclass(frozen=True)
class FaultSettings:
    """A sensor or actuator fault on a topic; ``value`` is the delay or the period in s, or the bias in the topic's unit."""

    t: float = number(lower=0.0)
    kind: str = text(choices=FAULT_KINDS)
    topic: str = text()
    duration: float = number(math.inf, lower=0.0)
    value: float = number(0.0)


@dataclass(frozen=True)
class NoiseSettings:
    """Standard deviation of the white noise on each sample: rad/s, m/s², rad, rad/s, N (and N·m / 10 for moments)."""

    gyro: float = number(0.005, lower=0.0)
    accelerometer: float = number(0.05, lower=0.0)
    joint_position: float = number(0.0001, lower=0.0)
    joint_velocity: float = number(0.01, lower=0.0)
    wrench: float = number(1.0, lower=0.0)


@dataclass(frozen=True)
class ActuationSettings:
    """What lies between command and torque: ``delay`` in s and a factor on every torque."""

    delay: float = number(0.0, lower=0.0, upper=1.0)
    torque_scale: float = number(1.0, lower=0.0, upper=10.0)


@dataclass(frozen=True)
class PayloadSettings:
    """A point mass (kg) at the centre of mass of ``link`` that the controller does not know of."""

    link: str = text("")
    mass: float = number(0.0)


@dataclass(frozen=True)
class ParameterChange:
    """Parameters set live at ``t``: ``values`` maps ``node.parameter`` to its new value."""

    t: float
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Scenario:
    """One run; see the classes of its attributes.

    Attributes:
        name: File name without suffix; not a key of the file.
        duration: Simulated time.
        seed: Of every random number in the run.
        set: Timed live parameter changes, each ``{t: 2.0, node.parameter: value, ...}``.
    """

    name: str = text("")
    duration: float = number(lower=0.001)
    seed: int = whole(0)
    initial: InitialSettings = section(InitialSettings)
    terrain: TerrainSettings = declare(read_terrain, factory=FlatTerrain)
    command: tuple[CommandSettings, ...] = sections(CommandSettings)
    push: tuple[PushSettings, ...] = sections(PushSettings)
    fault: tuple[FaultSettings, ...] = sections(FaultSettings)
    noise: NoiseSettings = section(NoiseSettings)
    actuation: ActuationSettings = section(ActuationSettings)
    payload: PayloadSettings = section(PayloadSettings)
    set: tuple[ParameterChange, ...] = declare(lambda value, where: _read_changes(value, where), default=())


def load_scenario(path: str | Path) -> Scenario:
    """Read a scenario file.

    Raises:
        ScenarioError: Missing file, malformed YAML (with its line), unknown key (with a suggestion), bad value.
    """
    return read_scenario(load_content(path), Path(path).stem, str(path))


def load_content(path: str | Path) -> Any:
    """Parsed YAML of a scenario file, unchecked; ScenarioError where it cannot be read or parsed."""
    try:
        return yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ScenarioError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark else ""
        raise ScenarioError(f"is not valid YAML{line}: {getattr(error, 'problem', error)}", where=str(path)) from error


def read_scenario(content: Any, name: str, where: str = "scenario") -> Scenario:
    """A scenario from parsed YAML; errors as :func:`load_scenario`."""
    if not isinstance(content, Mapping):
        raise ScenarioError(f"is {content!r}, wanted a mapping with at least 'duration'", where=where, value=content)
    if "name" in content:
        raise ScenarioError("unknown key 'name'; a scenario is named by its file", where=where, value="name")
    scenario = read(Scenario, {**content, "name": name}, where)
    _check_times(scenario, where)
    return scenario


def _check_times(scenario: Scenario, where: str) -> None:
    """Nothing may be asked for after the end, and commands come in order of time."""
    for key in ("command", "push", "fault", "set"):
        for row in getattr(scenario, key):
            if row.t > scenario.duration:
                message = f"t is {row.t:g} s, after the end at {scenario.duration:g} s"
                raise ScenarioError(message, where=f"{where}, '{key}'", value=row.t, bound=scenario.duration)
    times = [row.t for row in scenario.command]
    if times != sorted(times):
        raise ScenarioError(f"times {times} are not in order", where=f"{where}, 'command'", value=times)


def _read_posture(value: Any, where: str) -> dict[str, float]:
    if value == "default":
        return {}
    if not isinstance(value, Mapping):
        raise ScenarioError(f"is {value!r}, wanted 'default' or joint names with rad", where=where, value=value)
    for joint, angle in value.items():
        if isinstance(angle, bool) or not isinstance(angle, (int, float)) or not math.isfinite(angle):
            raise ScenarioError(f"is {angle!r}, wanted a number", where=f"{where}, '{joint}'", value=angle)
    return {str(joint): float(angle) for joint, angle in value.items()}


def _read_changes(value: Any, where: str) -> tuple[ParameterChange, ...]:
    if not isinstance(value, list) or not all(isinstance(row, Mapping) for row in value):
        raise ScenarioError(f"is {value!r}, wanted a list of mappings", where=where, value=value)
    changes = [_read_change(row, f"{where}, entry {index + 1}") for index, row in enumerate(value)]
    return tuple(sorted(changes, key=lambda change: change.t))


def _read_change(row: Mapping[Any, Any], where: str) -> ParameterChange:
    time_s = row.get("t", 0.0)
    if isinstance(time_s, bool) or not isinstance(time_s, (int, float)) or not 0.0 <= time_s < math.inf:
        raise ScenarioError(f"is {time_s!r}, wanted a time of at least 0 s", where=f"{where}, 't'", value=time_s)
    values = {str(name): value for name, value in row.items() if name != "t"}
    for name in values:
        if "." not in name:
            raise ScenarioError(f"'{name}' names no node; write node.parameter", where=where, value=name)
    return ParameterChange(float(time_s), values)
