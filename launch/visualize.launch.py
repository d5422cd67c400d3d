"""robot_state_publisher and RViz: ``ros2 launch wbc_control visualize.launch.py robot:=humanoid``."""

from pathlib import Path

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import Command, LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchDescription
from wbc_control.ros.graph import description_file, launch_arguments, truth

SHARE = Path(__file__).resolve().parents[1]

# In a namespace each robot has its own tree of transforms; outside, these are the usual topics.
TRANSFORMS = [("/tf", "tf"), ("/tf_static", "tf_static")]

ARGUMENTS = (
    *launch_arguments("robot", "namespace", "use_sim_time", robot="humanoid"),
    ("rviz", "true", "open RViz"),
)


def generate_launch_description():
    """Arguments, then the nodes."""
    declared = [DeclareLaunchArgument(name, default_value=value, description=text) for name, value, text in ARGUMENTS]
    return LaunchDescription([*declared, OpaqueFunction(function=start)])


def start(context):
    """The description goes through ParameterValue(str): a colon in an xacro comment would else be read as YAML."""
    given = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    clock = {"use_sim_time": truth(given["use_sim_time"])}
    path = description_file(given["robot"], SHARE)
    description = ParameterValue(Command(["xacro ", path]), value_type=str)
    publisher = Node(
        package="robot_state_publisher",
        executable="robot_state_publisher",
        namespace=given["namespace"],
        parameters=[{"robot_description": description, "frame_prefix": ""}, clock],
        remappings=TRANSFORMS,
        output="screen",
    )
    rviz = Node(
        package="rviz2",
        executable="rviz2",
        namespace=given["namespace"],
        arguments=["-d", str(SHARE / "config" / "rviz" / "wbc.rviz")],
        parameters=[clock],
        remappings=TRANSFORMS,
    )
    return [publisher, rviz] if truth(given["rviz"]) else [publisher]
