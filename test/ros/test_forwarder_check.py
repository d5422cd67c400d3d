"""A forwarder that expects other joints, or ours in another order, is never sent anything (C31)."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from conftest import wait_until

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
import rclpy
from bridge_bench import Bench
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from wbc_control.model.catalogue import load_robot
from wbc_control.ros.parameter_file import dump

pytestmark = pytest.mark.ros


@pytest.fixture
def bench(context):
    bench = Bench(context, load_robot("humanoid"))
    yield bench
    bench.node.destroy_node()


@pytest.fixture
def forwarder(context, bench):
    """Makes a stand-in for the forwarder: a node of its name with its parameters, served as ros2_control's are."""
    executor = SingleThreadedExecutor(context=context)

    def serve() -> None:
        try:
            executor.spin()
        except ExternalShutdownException:
            return

    def make(joints, interface: str = "effort"):
        node = rclpy.create_node(bench.parameters.bridge.controller, context=context)
        node.declare_parameter("joints", list(joints))
        node.declare_parameter("interface_name", interface)
        executor.add_node(node)
        thread.start()

    thread = threading.Thread(target=serve, daemon=True)
    yield make
    executor.shutdown()
    thread.join(5.0)


def bridge_of(start, bench, tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(dump(bench.parameters), encoding="utf-8")
    child = start("-m", "wbc_control.nodes.joint_pd_bridge", "--ros-args", "--params-file", str(path))
    assert wait_until(bench.connected, 60.0), child.text
    return child


def swapped(names):
    first, second, *rest = names
    return [second, first, *rest]


@pytest.mark.parametrize(
    ("joints", "interface", "words"),
    [
        (swapped, "effort", "as joint 0, but we send"),
        (lambda names: names[:-1], "effort", "expects 28 joints, but the robot has 29"),
        (list, "position", "forwards to interface 'position'"),
    ],
)
def test_a_forwarder_with_another_file_is_sent_nothing(start, bench, forwarder, tmp_path, joints, interface, words):
    forwarder(joints(bench.model.joint_names), interface)
    child = bridge_of(start, bench, tmp_path)

    def said() -> bool:
        bench.step(True)
        return words in child.text

    assert wait_until(said, 60.0), child.text
    before = bench.efforts.received
    for _ in range(50):
        bench.step(True)
    assert bench.efforts.received == before == 0
    assert child.end() == 0 and "Traceback" not in child.text


def test_the_right_forwarder_is_commanded(start, bench, forwarder, tmp_path):
    forwarder(bench.model.joint_names)
    child = bridge_of(start, bench, tmp_path)
    assert bench.reaches(bench.tracking, command=True), child.text
    assert np.isfinite(bench.last).all() and child.end() == 0
