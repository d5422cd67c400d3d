"""The nodes of the stack, without hardware: ``ros2 launch wbc_control bringup.launch.py robot:=g1 hardware:=robot``.

Which processes run is declared in ``wbc_control.ros.graph`` and shared with ``wbc up``.
"""

import os
from pathlib import Path

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from launch import LaunchDescription
from wbc_control.ros.graph import (
    HARDWARE,
    LOCAL_ENVIRONMENT,
    PACKAGE,
    PARENT_VARIABLE,
    launch_arguments,
    node_environment,
    processes,
    stock_remaps,
    truth,
)

SHARE = Path(__file__).resolve().parents[1]

ARGUMENTS = (
    *launch_arguments("robot", "namespace", "use_sim_time", "params_file", "autostart", "use_composition", "log_level"),
    ("hardware", "robot", "what is behind the topics: " + ", ".join(HARDWARE)),
)


def generate_launch_description():
    """Arguments, then the nodes."""
    declared = [DeclareLaunchArgument(name, default_value=value, description=text) for name, value, text in ARGUMENTS]
    return LaunchDescription([*declared, OpaqueFunction(function=start_nodes)])


def start_nodes(context):
    """One action a process of the declared node set."""
    given = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    environment = node_environment(os.environ)
    settings = {"use_sim_time": truth(given["use_sim_time"]), "middleware.autostart": truth(given["autostart"])}
    extra = [given["params_file"]] if given["params_file"] else []
    files = [robot_file(given["robot"]), *hardware_files(given["hardware"]), *extra]
    return [
        Node(
            package=PACKAGE,
            executable=process.executable,
            namespace=given["namespace"],
            parameters=[*files, settings],
            remappings=list(stock_remaps(given["hardware"], files[0]).items()),
            ros_arguments=["--log-level", given["log_level"]],
            additional_env={name: environment[name] for name in (*LOCAL_ENVIRONMENT, PARENT_VARIABLE)},
            output="screen",
        )
        for process in processes(given["hardware"], truth(given["use_composition"]))
    ]


def hardware_files(hardware):
    """What a kind of hardware wants changed in the robot's parameters, if anything."""
    path = SHARE / "config" / "hardware" / f"{hardware}.yaml"
    return [str(path)] if path.is_file() else []


def robot_file(robot):
    """Parameter file of a shipped robot, or the given path."""
    path = Path(robot) if robot.endswith((".yaml", ".yml")) else SHARE / "config" / f"{robot}.yaml"
    if not path.is_file():
        raise RuntimeError(
            f"robot '{robot}' has no parameter file {path}: name a shipped robot or give the path of one"
        )
    return str(path)
