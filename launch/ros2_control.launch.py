"""The nodes on ros2_control: ``ros2 launch wbc_control ros2_control.launch.py robot:=humanoid hardware:=mock``.

Order: description and controller manager, broadcasters, our nodes (they wait for sensors), and last the effort
controller, so that commands already flow when it claims the joints.
"""

from pathlib import Path

from launch.actions import (
    DeclareLaunchArgument,
    IncludeLaunchDescription,
    OpaqueFunction,
    RegisterEventHandler,
    TimerAction,
)
from launch.event_handlers import OnProcessExit
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import Command, LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchDescription
from wbc_control.ros.graph import broadcasters, controllers_file, description_file, forwarders, launch_arguments

HERE = Path(__file__).resolve().parent
SHARE = HERE.parent
SETTLE_S = 3.0

ARGUMENTS = (
    *launch_arguments("robot", "namespace", robot="humanoid"),
    ("hardware", "mock", "mock or robot"),
    ("robot_plugin", "", "ros2_control hardware plugin of the robot (hardware:=robot)"),
    ("controllers_file", "", "file of the controller manager; empty takes the shipped one"),
    *launch_arguments("params_file", "autostart", "use_composition", "log_level"),
)


def generate_launch_description():
    """Arguments, then everything in order."""
    declared = [DeclareLaunchArgument(name, default_value=value, description=text) for name, value, text in ARGUMENTS]
    return LaunchDescription([*declared, OpaqueFunction(function=start)])


def start(context):
    """Everything in order."""
    given = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    controllers = given["controllers_file"] or controllers_file(given["robot"], SHARE)
    plugin = f" robot_plugin:={given['robot_plugin']}" if given["robot_plugin"] else ""
    words = ["xacro ", description_file(given["robot"], SHARE), f" hardware:={given['hardware']}", plugin]
    description = {"robot_description": ParameterValue(Command(words), value_type=str)}
    common = {"namespace": given["namespace"], "output": "screen"}
    publisher = Node(
        package="robot_state_publisher",
        executable="robot_state_publisher",
        parameters=[description],
        remappings=[("/tf", "tf"), ("/tf_static", "tf_static")],
        **common,
    )
    manager = Node(
        package="controller_manager",
        executable="ros2_control_node",
        parameters=[controllers],
        remappings=[("~/robot_description", "robot_description")],
        **common,
    )
    first = spawner(broadcasters(controllers), controllers, common)
    last = spawner(forwarders(controllers), controllers, common)
    passed = ("robot", "namespace", "hardware", "params_file", "autostart", "use_composition", "log_level")
    nodes = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(HERE / "bringup.launch.py")),
        launch_arguments={name: given[name] for name in passed}.items(),
    )
    then = OnProcessExit(target_action=first, on_exit=[nodes, TimerAction(period=SETTLE_S, actions=[last])])
    return [publisher, manager, first, RegisterEventHandler(then)]


def spawner(controllers, file, common):
    """Loads and activates controllers."""
    return Node(
        package="controller_manager",
        executable="spawner",
        arguments=[*controllers, "--param-file", file],
        **common,
    )
