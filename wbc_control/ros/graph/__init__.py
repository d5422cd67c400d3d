"""The graph as launch files and ``wbc up`` see it; imports no ROS, no robot and no solver, so that any machine can read it."""

from wbc_control.ros.graph.arguments import launch_arguments
from wbc_control.ros.graph.processes import (
    EXECUTABLES,
    HARDWARE,
    LOCAL_ENVIRONMENT,
    PACKAGE,
    PARENT_VARIABLE,
    SIMULATOR,
    Process,
    command_line,
    node_environment,
    processes,
    ros_arguments,
    truth,
)
from wbc_control.ros.graph.ros2_control import (
    broadcaster_remaps,
    broadcasters,
    controllers_file,
    description_file,
    forwarders,
    stock_remaps,
)

__all__ = [
    "EXECUTABLES",
    "HARDWARE",
    "LOCAL_ENVIRONMENT",
    "PACKAGE",
    "PARENT_VARIABLE",
    "SIMULATOR",
    "Process",
    "broadcaster_remaps",
    "broadcasters",
    "command_line",
    "controllers_file",
    "description_file",
    "forwarders",
    "launch_arguments",
    "node_environment",
    "processes",
    "ros_arguments",
    "stock_remaps",
    "truth",
]
