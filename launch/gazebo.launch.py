"""The nodes in Gazebo: ``ros2 launch wbc_control gazebo.launch.py robot:=humanoid``.

gz_ros2_control holds the joints until a controller claims them.  Order: world and clock bridge, robot, broadcasters, our
nodes, and last the effort controller, so that commands already flow when it claims the joints.
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
from launch.substitutions import Command, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription
from wbc_control.ros.graph import broadcasters, controllers_file, description_file, forwarders, launch_arguments

HERE = Path(__file__).resolve().parent
SHARE = HERE.parent
SETTLE_S = 3.0
CLOCK_BRIDGE = "/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock"

ARGUMENTS = (
    *launch_arguments("robot", "namespace", robot="humanoid"),
    ("world", "", "SDF world; empty takes the shipped one, which has the IMU and force-torque systems"),
    ("height", "1.0", "height of the base at the start, m"),
    ("gui", "true", "open Gazebo's window"),
    *launch_arguments("params_file", "autostart", "use_composition", "log_level"),
)


def generate_launch_description():
    """Arguments, then everything in order."""
    declared = [DeclareLaunchArgument(name, default_value=value, description=text) for name, value, text in ARGUMENTS]
    return LaunchDescription([*declared, OpaqueFunction(function=start)])


def start(context):
    """World, robot, controllers, nodes."""
    given = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    controllers = controllers_file(given["robot"], SHARE)
    common = {"namespace": given["namespace"], "parameters": [{"use_sim_time": True}], "output": "screen"}
    robot = Node(
        package="ros_gz_sim",
        executable="create",
        arguments=["-topic", "robot_description", "-name", given["robot"], "-z", given["height"]],
        **common,
    )
    first = spawner(broadcasters(controllers), controllers, common)
    last = spawner(forwarders(controllers), controllers, common)
    then = [nodes(given), TimerAction(period=SETTLE_S, actions=[last])]
    return [
        world(given),
        Node(package="ros_gz_bridge", executable="parameter_bridge", arguments=[CLOCK_BRIDGE], output="screen"),
        state_publisher(given, controllers),
        robot,
        RegisterEventHandler(OnProcessExit(target_action=robot, on_exit=[first])),
        RegisterEventHandler(OnProcessExit(target_action=first, on_exit=then)),
    ]


def world(given):
    """Gazebo with a world that has the sensor systems, once."""
    path = given["world"] or str(SHARE / "config" / "gazebo" / "ground.sdf")
    source = PathJoinSubstitution([FindPackageShare("ros_gz_sim"), "launch", "gz_sim.launch.py"])
    window = "" if given["gui"].lower() in ("true", "1", "yes", "on") else "-s "
    arguments = {"gz_args": f"-r {window}{path}", "on_exit_shutdown": "true"}
    return IncludeLaunchDescription(PythonLaunchDescriptionSource(source), launch_arguments=arguments.items())


def state_publisher(given, controllers):
    """The description, with Gazebo's plugins; as a string whatever its comments hold."""
    path = description_file(given["robot"], SHARE)
    words = Command(["xacro ", path, " hardware:=gazebo", f" controllers_file:={controllers}"])
    return Node(
        package="robot_state_publisher",
        executable="robot_state_publisher",
        namespace=given["namespace"],
        parameters=[{"robot_description": ParameterValue(words, value_type=str), "use_sim_time": True}],
        remappings=[("/tf", "tf"), ("/tf_static", "tf_static")],
        output="screen",
    )


def nodes(given):
    """Our nodes, on simulated time."""
    passed = ("robot", "namespace", "params_file", "autostart", "use_composition", "log_level")
    arguments = {name: given[name] for name in passed} | {"hardware": "gazebo", "use_sim_time": "true"}
    source = PythonLaunchDescriptionSource(str(HERE / "bringup.launch.py"))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def spawner(controllers, file, common):
    """Loads and activates controllers."""
    return Node(
        package="controller_manager",
        executable="spawner",
        arguments=[*controllers, "--param-file", file],
        **common,
    )
