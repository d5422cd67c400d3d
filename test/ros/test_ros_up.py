"""``wbc up`` as a person uses it: the graph is the declared one, the robot stands, nothing is left behind."""

from __future__ import annotations

import os
import re
import signal
from functools import partial
from pathlib import Path

import pytest
from conftest import wait_until
from graph_checks import check_quality, declared_topics, graph_of, is_declared

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
pytest.importorskip("mujoco", reason="needs mujoco (extra `sim`)")
import rclpy

from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.odometry import decode_odometry
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.topics import PORTS, TOPICS

pytestmark = pytest.mark.ros

STANDING = re.compile(r"Hz.*zmp_margin \d\.\d+ \(\d+ mm\)")
START_S = 180.0
"""Longest start and longest second of simulated time, s: a loaded machine is slow, the robot must not fall for it."""


def children_of(pid: int) -> list[int]:
    """Process ids of the children."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(params=["true", "false"], ids=["composed", "separate"])
def up(start, request):
    child = start("-m", "wbc_control.cli.main", "up", "--robot", "humanoid", "--composition", request.param)
    assert wait_until(lambda: bool(STANDING.search(child.text)) or child.process.poll() is not None, START_S), (
        child.text
    )
    assert child.process.poll() is None, child.text
    return child, request.param == "true"


def test_graph_robot_and_end(up, context):
    child, composed = up
    parameters = load_robot("humanoid")
    node = rclpy.create_node("onlooker", context=context)
    assert wait_until(lambda: set(PORTS) <= set(node.get_node_names()), START_S)
    for name in PORTS:
        written, read = declared_topics(name, composed, parameters)
        assert wait_until(partial(is_declared, node, name, written, read), START_S), (graph_of(node, name), child.text)
    check_quality(node, parameters)
    _check_standing(node, parameters)
    node.destroy_node()
    processes = children_of(child.process.pid)
    assert len(processes) == (3 if composed else 5)
    assert child.end(signal.SIGINT) == 0, child.text
    assert not any(alive(pid) for pid in processes)
    assert "Traceback" not in child.text


def _check_standing(node, parameters) -> None:
    """The base stays up while the true state is heard for a while."""
    inbox = Inbox(node, TOPICS["true_odom"], TOPICS["true_odom"].name)
    heights: list[float] = []

    def heard_enough() -> bool:
        message = inbox.take_newest()
        if message is not None:
            heights.append(decode_odometry(message)[0][2])
        return len(heights) >= 100

    assert wait_until(heard_enough, START_S)
    standing = RobotModel.from_parameters(parameters.robot).standing_configuration()[2]
    assert min(heights) > 0.85 * standing


def test_nodes_die_with_the_one_that_started_them(start):
    child = start("-m", "wbc_control.cli.main", "up", "--robot", "humanoid")
    assert wait_until(lambda: "zmp_margin" in child.text and len(children_of(child.process.pid)) == 3, START_S), (
        child.text
    )
    processes = children_of(child.process.pid)
    os.kill(child.process.pid, signal.SIGKILL)
    child.wait()
    assert wait_until(lambda: not any(alive(pid) for pid in processes), 20.0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--robot", "humanoit"), "did you mean 'humanoid'"),
        (("--robot", "humanoid", "--composition", "perhaps"), "is no boolean"),
        (("--robot", "humanoid", "--params", "/no/such/file.yaml"), "/no/such/file.yaml"),
        (("--robot", "humanoid", "--set", "whole_body_qp.contact.friction=-1.0"), "friction"),
        (("--robot", "humanoid", "--set", "joint_pd_bridge.mode=mit"), "hears efforts"),
    ],
)
def test_bad_input_is_one_clear_line(start, arguments, words):
    child = start("-m", "wbc_control.cli.main", "up", *arguments)
    assert child.wait() == 1
    assert words in child.text and len(child.text.strip().splitlines()) == 1


@pytest.mark.parametrize("text", ["whole_body_qp: [", "whole_body_qp:\n  ros__parameters: {rate: 1000}\n"])
def test_a_node_says_in_one_line_what_is_wrong_with_its_file(start, tmp_path, text):
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    child = start("-m", "wbc_control.nodes.whole_body_qp", "--ros-args", "--params-file", str(path))
    assert child.wait(30.0) == 1
    lines = [line for line in child.text.strip().splitlines() if line.startswith("error:")]
    assert len(lines) == 1 and "Traceback" not in child.text
