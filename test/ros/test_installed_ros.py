"""With a whole ROS 2 installation: `ros2 launch` gives the graph of `wbc up`, and mock ros2_control gets our joint order."""

from __future__ import annotations

import importlib.util
import shutil
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from conftest import ROOT, Child, wait_until
from graph_checks import check_quality, declared_topics, graph_of, is_declared

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
import rclpy

from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.efforts import EffortEncoder
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import PORTS, TOPICS

START_S = 180.0


def ros_package(name: str) -> bool:
    """Whether a ROS package is installed."""
    try:
        from ament_index_python.packages import get_package_share_directory

        return Path(get_package_share_directory(name)).is_dir()
    except (ImportError, LookupError, OSError):
        return False


LAUNCH = shutil.which("ros2") is not None and importlib.util.find_spec("launch_ros") is not None
CONTROL = LAUNCH and ros_package("controller_manager") and ros_package("forward_command_controller")
pytestmark = [
    pytest.mark.ros,
    pytest.mark.skipif(
        not LAUNCH or not ros_package("wbc_control"),
        reason="needs the ros2 command, launch_ros and this package in a workspace (a ROS 2 installation; not on PyPI)",
    ),
]
needs_control = pytest.mark.skipif(
    not CONTROL, reason="needs ros2_control and ros2_controllers (controller_manager, forward_command_controller)"
)


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[object]:
    """Start a launch file; ended with the test."""
    children: list[Child] = []

    def begin(name: str, *arguments: str) -> Child:
        words = ("launch", str(ROOT / "launch" / name), *arguments)
        children.append(Child(words, tmp_path / f"launch_{len(children)}.txt", ("ros2",)))
        return children[-1]

    yield begin
    for child in children:
        child.end(seconds=60.0)


@pytest.mark.parametrize("composed", [True, False])
def test_launch_gives_the_declared_graph(launch, context, composed):
    child = launch("simulation.launch.py", "robot:=humanoid", f"use_composition:={composed}")
    parameters, node = load_robot("humanoid"), rclpy.create_node("onlooker", context=context)
    assert wait_until(lambda: set(PORTS) <= set(node.get_node_names()), START_S), child.text
    for name in PORTS:
        written, read = declared_topics(name, composed, parameters)
        assert wait_until(partial(is_declared, node, name, written, read), START_S), (graph_of(node, name), child.text)
    check_quality(node, parameters)
    node.destroy_node()


@needs_control
def test_commands_reach_the_effort_interfaces_of_mock_hardware_in_our_order(launch, context):
    child = launch("ros2_control.launch.py", "robot:=humanoid", "hardware:=mock")
    parameters = load_robot("humanoid")
    joints = RobotModel.from_parameters(parameters.robot).joint_names
    node, topic = rclpy.create_node("onlooker", context=context), TOPICS["effort"]
    name = f"{parameters.bridge.controller}/commands"
    publisher = node.create_publisher(message_class(topic.type), name, profile(topic.writer))
    states = Inbox(node, TOPICS["joint_states"], "joint_states")
    wanted = {joint: 0.1 * (i + 1) for i, joint in enumerate(joints)}
    message = EffortEncoder(len(joints)).encode(list(wanted.values()))

    def mirrored() -> bool:
        publisher.publish(message)
        time.sleep(0.05)
        found = states.take_newest()
        efforts = dict(zip(found.name, found.effort, strict=False)) if found is not None else {}
        return all(abs(efforts.get(joint, -1.0) - value) < 1e-9 for joint, value in wanted.items())

    assert wait_until(mirrored, START_S), child.text
    node.destroy_node()
