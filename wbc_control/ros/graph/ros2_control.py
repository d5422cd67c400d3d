"""Where the graph meets ros2_control: names of its stock broadcasters and forwarder, and the files that set them up."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

JOINT_BROADCASTER = "joint_state_broadcaster"
IMU_BROADCASTER = "imu_sensor_broadcaster"
WRENCH_BROADCASTER = "{foot}_fts_broadcaster"
FORWARDER_TYPE = "forward_command_controller/ForwardCommandController"
_MANAGER, _PARAMETERS = "controller_manager", "ros__parameters"


def broadcaster_remaps(feet: Sequence[str]) -> dict[str, str]:
    """Our sensor topics → the topics of ros2_control's IMU and force-torque broadcasters."""
    remaps = {"imu/data": f"{IMU_BROADCASTER}/imu"}
    return remaps | {f"{foot}/wrench": f"{WRENCH_BROADCASTER.format(foot=foot)}/wrench" for foot in feet}


def stock_remaps(hardware: str, robot_file: str) -> dict[str, str]:
    """Remaps of our nodes for a kind of hardware; none for our own simulator.

    Args:
        hardware: One of ``processes.HARDWARE``.
        robot_file: Parameter file of the robot, which names the feet.
    """
    return {} if hardware == "mujoco" else broadcaster_remaps(tuple(_robot(robot_file).get("feet", {})))


def controllers_file(robot: str, share: Path) -> str:
    """The shipped controller file of a shipped robot.

    Raises:
        RuntimeError: There is none; says how to make one.
    """
    path = share / "config" / "ros2_control" / f"{robot}.yaml"
    if not path.is_file():
        make = f"python3 -m wbc_control.ros.controller_manager_file {robot} > controllers.yaml"
        raise RuntimeError(f"no controller file {path}: make one (`{make}`) and give it as controllers_file:=")
    return str(path)


def broadcasters(path: str) -> list[str]:
    """Controllers of a controller file that only read, in its order."""
    return [name for name, kind in _controllers(path).items() if kind != FORWARDER_TYPE]


def forwarders(path: str) -> list[str]:
    """The forwarding controllers of a controller file: one for efforts, or one a command interface.

    Raises:
        RuntimeError: It has none.
    """
    found = [name for name, kind in _controllers(path).items() if kind == FORWARDER_TYPE]
    if not found:
        raise RuntimeError(f"{path}: there is no controller of type {FORWARDER_TYPE}")
    return found


def description_file(robot: str, share: Path) -> str:
    """URDF or xacro of a robot, from its parameter file.

    Args:
        robot: Shipped robot, or the path of a parameter file.
        share: This package's share folder.

    Raises:
        RuntimeError: The robot or its description is not found.
    """
    own = Path(robot) if robot.endswith((".yaml", ".yml")) else share / "config" / f"{robot}.yaml"
    address = str(_robot(str(own)).get("urdf", ""))
    candidates = _description_candidates(address, own.parent, share)
    for path in candidates:
        if path.is_file():
            return str(path)
    raise RuntimeError(f"{own}: description '{address}' is in none of {', '.join(str(path) for path in candidates)}")


def _description_candidates(address: str, folder: Path, share: Path) -> list[Path]:
    if not address.startswith("package://"):
        return [share / "urdf" / address, folder / address]
    package, _, rest = address.removeprefix("package://").partition("/")
    prefixes = (Path(sys.prefix), *(Path(entry) / "cmeel.prefix" for entry in sys.path if entry.endswith("-packages")))
    return [_ament_share(package) / rest, *(prefix / "share" / package / rest for prefix in prefixes)]


def _ament_share(package: str) -> Path:
    """Share folder of a ROS package; a path that does not exist where the package or the index is missing."""
    try:
        from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
    except ImportError:
        return Path("(no ament index)")
    try:
        return Path(get_package_share_directory(package))
    except (PackageNotFoundError, OSError):  # not found, or no index at all
        return Path(f"(package {package} not found)")


def _robot(path: str) -> Mapping[str, Any]:
    """The ``robot`` group of a robot's parameter file."""
    content = _read(path)
    return content.get("/**", {}).get(_PARAMETERS, {}).get("robot", {})  # type: ignore[no-any-return]


def _controllers(path: str) -> dict[str, str]:
    """Controller → type, in the file's order."""
    rows = _read(path).get(_MANAGER, {}).get(_PARAMETERS, {})
    return {name: row["type"] for name, row in rows.items() if isinstance(row, Mapping) and "type" in row}


def _read(path: str) -> dict[str, Any]:
    try:
        content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise RuntimeError(f"{path} cannot be read: {error}") from error
    return content if isinstance(content, dict) else {}
