"""Stand-ins for ``launch`` and ``launch_ros``, which are not on PyPI: they record what a launch file builds."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

NAMES = {
    "launch": ("LaunchDescription",),
    "launch.actions": (
        "DeclareLaunchArgument", "IncludeLaunchDescription", "OpaqueFunction", "RegisterEventHandler", "TimerAction",
    ),
    "launch.event_handlers": ("OnProcessExit",),
    "launch.launch_description_sources": ("PythonLaunchDescriptionSource",),
    "launch.substitutions": ("Command", "PathJoinSubstitution"),
    "launch_ros": (),
    "launch_ros.actions": ("Node",),
    "launch_ros.parameter_descriptions": ("ParameterValue",),
    "launch_ros.substitutions": ("FindPackageShare",),
}  # fmt: skip


class Recorded:
    """An action or substitution, as it was made."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs


class LaunchConfiguration:
    """Looks an argument up in the context, which here is a dictionary."""

    def __init__(self, name: str) -> None:
        self.name = name

    def perform(self, context: dict[str, str]) -> str:
        return context[self.name]


def install(monkeypatch: Any) -> None:
    """Put the doubles where the launch files import from."""
    for module, names in NAMES.items():
        double = ModuleType(module)
        for name in names:
            setattr(double, name, type(name, (Recorded,), {}))
        monkeypatch.setitem(sys.modules, module, double)
    sys.modules["launch.substitutions"].LaunchConfiguration = LaunchConfiguration  # type: ignore[attr-defined]


def actions(path: Path, **arguments: str) -> list[Any]:
    """Actions of a launch file with its defaults, changed by ``arguments``; opaque functions are called."""
    (description,) = runpy.run_path(str(path))["generate_launch_description"]().args
    declared = [action for action in description if type(action).__name__ == "DeclareLaunchArgument"]
    context = {action.args[0]: action.kwargs["default_value"] for action in declared} | arguments
    found = []
    for action in description:
        found += action.kwargs["function"](context) if type(action).__name__ == "OpaqueFunction" else []
    return found


def of_kind(found: list[Any], kind: str) -> list[Any]:
    """The actions of one kind."""
    return [action for action in found if type(action).__name__ == kind]
