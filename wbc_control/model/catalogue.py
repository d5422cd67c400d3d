"""A robot's name or file → typed parameters for the whole stack."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wbc_control.errors import ParameterError
from wbc_control.model.share import config_path, known_robots
from wbc_control.parameters import StackParameters, read_parameter_file, stack_parameters

_SUFFIXES = (".yaml", ".yml")


def load_robot(
    name_or_path: str, overrides: Mapping[str, Any] | None = None, extra_files: tuple[str, ...] = ()
) -> StackParameters:
    """Typed parameters of a shipped robot or of a parameter file.

    Args:
        name_or_path: A shipped robot's name, or a path that ends in .yaml.
        overrides: ``node.parameter`` (or ``robot.parameter``) → value, applied last.
        extra_files: Further ROS parameter files, each laid over the ones before.

    Raises:
        ParameterError: Unknown robot, unreadable file, or a refused value.
    """
    path = robot_file(name_or_path)
    sections = read_parameter_file(path)
    for extra in extra_files:
        for node, values in read_parameter_file(extra).items():
            sections.setdefault(node, {}).update(values)
    return stack_parameters(sections, ", ".join([str(path), *extra_files]), overrides)


def robot_file(name_or_path: str) -> Path:
    """Parameter file of a shipped robot's name or of a path; errors as :func:`load_robot`."""
    if name_or_path.endswith(_SUFFIXES):
        return Path(name_or_path)
    robots = known_robots()
    if name_or_path not in robots:
        close = difflib.get_close_matches(name_or_path, robots, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        message = f"unknown robot '{name_or_path}': choose {', '.join(robots)}, or give the path of a .yaml file{hint}"
        raise ParameterError(message, value=name_or_path, bound=robots)
    return config_path(name_or_path)
