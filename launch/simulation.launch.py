"""The nodes and MuJoCo in place of hardware: ``ros2 launch wbc_control simulation.launch.py robot:=g1 rviz:=true``."""

from pathlib import Path

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration

from launch import LaunchDescription
from wbc_control.ros.graph import launch_arguments, truth

HERE = Path(__file__).resolve().parent

ARGUMENTS = launch_arguments(
    "robot", "namespace", "use_sim_time", "params_file", "autostart", "use_composition", "log_level"
)


def generate_launch_description():
    """Bringup with the simulator, and RViz on request."""
    declared = [DeclareLaunchArgument(name, default_value=value, description=text) for name, value, text in ARGUMENTS]
    rviz = DeclareLaunchArgument("rviz", default_value="false", description="open RViz")
    return LaunchDescription([*declared, rviz, OpaqueFunction(function=include)])


def include(context):
    """Hand the arguments on."""
    given = {name: LaunchConfiguration(name).perform(context) for name, _, _ in ARGUMENTS}
    included = [_included("bringup.launch.py", given | {"hardware": "mujoco"})]
    if truth(LaunchConfiguration("rviz").perform(context)):
        shown = {name: given[name] for name in ("robot", "namespace", "use_sim_time")}
        included.append(_included("visualize.launch.py", shown | {"rviz": "true"}))
    return included


def _included(file, arguments):
    source = PythonLaunchDescriptionSource(str(HERE / file))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())
