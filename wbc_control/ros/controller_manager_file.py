"""Writes ros2_control's controller file for a robot, in the joint order of the robot model, which is that of our commands.

``python3 -m wbc_control.ros.controller_manager_file humanoid > controllers.yaml``; the shipped files in
``config/ros2_control`` are made by this.  Settings follow the robot: ``... humanoid joint_pd_bridge.mode=mit`` writes one
forwarder for each interface of the drives.
"""

from __future__ import annotations

import sys
from typing import Any

import yaml

from wbc_control.errors import WbcError
from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.parameters import StackParameters
from wbc_control.ros.forwarders import forwarders_of
from wbc_control.ros.graph.ros2_control import (
    FORWARDER_TYPE,
    IMU_BROADCASTER,
    JOINT_BROADCASTER,
    WRENCH_BROADCASTER,
)

IMU_SENSOR = "imu_sensor"
WRENCH_SENSOR = "{foot}_fts"
_TYPES = {
    "joint": "joint_state_broadcaster/JointStateBroadcaster",
    "imu": "imu_sensor_broadcaster/IMUSensorBroadcaster",
    "wrench": "force_torque_sensor_broadcaster/ForceTorqueSensorBroadcaster",
}


def controller_manager_file(parameters: StackParameters, model: RobotModel) -> str:
    """The file's text.

    Args:
        parameters: Name of the controller, rates, IMU frame.
        model: Joints and feet, in their order.
    """
    controllers: dict[str, str] = {JOINT_BROADCASTER: _TYPES["joint"]}
    sections: dict[str, Any] = {}
    if model.floating_base:
        controllers[IMU_BROADCASTER] = _TYPES["imu"]
        frame = parameters.robot.imu_link or model.base_link
        sections[IMU_BROADCASTER] = {"sensor_name": IMU_SENSOR, "frame_id": frame}
    for foot in model.foot_names:
        name = WRENCH_BROADCASTER.format(foot=foot)
        controllers[name] = _TYPES["wrench"]
        sections[name] = {"sensor_name": WRENCH_SENSOR.format(foot=foot), "frame_id": foot}
    for forwarder, interface in forwarders_of(parameters.bridge).items():
        controllers[forwarder] = FORWARDER_TYPE
        sections[forwarder] = {"interface_name": interface, "joints": list(model.joint_names)}
    return _text(round(parameters.bridge.rate), controllers, sections)


def _text(rate: int, controllers: dict[str, str], sections: dict[str, Any]) -> str:
    manager = {"update_rate": rate} | {name: {"type": kind} for name, kind in controllers.items()}
    content = {name: {"ros__parameters": body} for name, body in ({"controller_manager": manager} | sections).items()}
    head = "# Made by wbc_control.ros.controller_manager_file: `joints` is the order in which efforts are sent.\n"
    return head + yaml.safe_dump(content, sort_keys=False)


def main(arguments: list[str]) -> int:
    """Print the file for the robot named by the first argument, with the settings of the others."""
    if not arguments or not all("=" in setting for setting in arguments[1:]):
        print(
            "usage: python3 -m wbc_control.ros.controller_manager_file ROBOT [NODE.PARAMETER=VALUE ...]",
            file=sys.stderr,
        )
        return 2
    try:
        settings = {name: yaml.safe_load(value) for name, _, value in (word.partition("=") for word in arguments[1:])}
        parameters = load_robot(arguments[0], settings)
        print(controller_manager_file(parameters, RobotModel.from_parameters(parameters.robot)), end="")
    except WbcError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
