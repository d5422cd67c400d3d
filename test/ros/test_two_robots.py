"""Two robots in one graph, each in its namespace, do not disturb each other."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable

import pytest
from conftest import wait_until

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
pytest.importorskip("mujoco", reason="needs mujoco (extra `sim`)")
import rclpy

from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.diagnostics import node_in
from wbc_control.ros.conversions.sensors import WrenchEncoder
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import PORTS, TOPICS

START_S = 180.0
ROBOTS = {"one": "quadruped", "two": "humanoid"}
STANDING = re.compile(r"Hz.*zmp_margin +\d")
SHARED = {"/diagnostics", "/rosout", "/parameter_events", "/tf"}


def test_a_status_belongs_to_its_namespace():
    assert node_in("one/whole_body_qp: loop", "/one") == "whole_body_qp"
    assert node_in("whole_body_qp: loop", "/") == "whole_body_qp"
    assert node_in("two/whole_body_qp: loop", "/one") is None
    assert node_in("whole_body_qp: loop", "/one") is None


class Witness:
    """Sees what one robot does."""

    def __init__(self, node, namespace: str) -> None:
        topics = (("odometry", "true_odom"), ("joints", "joint_states"))
        self.inboxes = {name: Inbox(node, TOPICS[key], f"/{namespace}/{TOPICS[key].name}") for name, key in topics}
        push = TOPICS["push"]
        self._push = node.create_publisher(message_class(push.type), f"/{namespace}/{push.name}", profile(push.writer))
        self.speeds: list[float] = []
        self.joint_names: set[str] = set()

    def look(self) -> None:
        odometry, joints = self.inboxes["odometry"].take_newest(), self.inboxes["joints"].take_newest()
        if odometry is not None:
            speed = odometry.twist.twist.linear
            self.speeds.append((speed.x**2 + speed.y**2 + speed.z**2) ** 0.5)
        self.joint_names |= set(joints.name) if joints is not None else set()

    def push(self) -> None:
        self._push.publish(WrenchEncoder("").encode(0, [60.0, 0.0, 0.0, 0.0, 0.0, 0.0]))


def watch(witnesses: dict[str, Witness], until: Callable[[], bool]) -> bool:
    def condition() -> bool:
        for witness in witnesses.values():
            witness.look()
        return until()

    return wait_until(condition, START_S)


@pytest.mark.ros
def test_two_robots_in_one_graph(start, context):
    children = {
        space: start("-m", "wbc_control.cli.main", "up", "--robot", robot, "--namespace", space)
        for space, robot in ROBOTS.items()
    }
    for space, child in children.items():
        assert wait_until(lambda child=child: bool(STANDING.search(child.text)), START_S), (space, child.text)
        assert ROBOTS[space] in child.text
    node = rclpy.create_node("onlooker", context=context)
    witnesses = {space: Witness(node, space) for space in ROBOTS}
    assert watch(witnesses, lambda: all(len(witness.speeds) > 20 for witness in witnesses.values()))
    check_graph(node)
    for space, robot in ROBOTS.items():
        assert len(witnesses[space].joint_names) == len(load_robot(robot).robot.joints)
    still = witnesses["two"]
    before = max(still.speeds)
    witnesses["one"].push()
    count = len(witnesses["one"].speeds)
    assert watch(witnesses, lambda: max(witnesses["one"].speeds[count:], default=0.0) > 0.05), "the pushed robot moves"
    assert max(still.speeds) < before + 0.02, "the other one does not"
    assert children["one"].end(signal.SIGINT) == 0
    count = len(still.speeds)
    assert watch(witnesses, lambda: len(still.speeds) > count + 50), "it lives on alone"
    assert max(still.speeds) < before + 0.02 and children["two"].process.poll() is None
    node.destroy_node()
    assert children["two"].end(signal.SIGINT) == 0


def check_graph(node) -> None:
    """Every node twice, every topic in a namespace but for those that robots share, one master each."""
    expected = {(name, f"/{space}") for name in PORTS for space in ROBOTS}
    # Names of nodes come by a topic of their own, on a busy machine later than the messages that were waited for.
    wait_until(lambda: expected <= set(node.get_node_names_and_namespaces()), START_S)
    assert expected <= set(node.get_node_names_and_namespaces())
    names = {name for name, _ in node.get_topic_names_and_types()}
    strangers = {name for name in names - SHARED if name.split("/")[1] not in ROBOTS}
    assert not strangers
    for space in ROBOTS:
        assert node.count_publishers(f"/{space}/effort_controller/commands") == 1
        assert node.count_subscribers(f"/{space}/effort_controller/commands") == 1
