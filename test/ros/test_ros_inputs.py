"""Subscriptions of the loop and the time of ticks: any publisher is heard, time never runs backwards (C33, C34)."""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import wait_until

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
import rclpy
from conversion_samples import RNG, random_rotation
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState

from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.joints import JointStateEncoder
from wbc_control.ros.conversions.sensors import ImuEncoder, WrenchEncoder
from wbc_control.ros.inbox import Inbox, Waiter
from wbc_control.ros.node import StackNode
from wbc_control.ros.parameter_file import dump
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.sensor_inputs import Clockwork, SensorInputs
from wbc_control.ros.topics import TOPICS
from wbc_control.ros.transforms import TransformOutput
from wbc_control.spatial import matrix_to_quaternion
from wbc_control.state import ImuSample

pytestmark = pytest.mark.ros

S = 1_000_000_000


class Sayings(list):
    """What a node said, in place of a node's log."""

    def log_once(self, _topic: str, sentence: str) -> None:
        if sentence not in self:
            self.append(sentence)

    log_rarely = log_once


def clockwork(simulated: bool, now_ns: int) -> tuple[Clockwork, Sayings, SimpleNamespace]:
    """A clockwork on a clock that the test sets."""
    sayings, clock = Sayings(), SimpleNamespace(nanoseconds=now_ns)
    node = SimpleNamespace(
        get_parameter=lambda name: SimpleNamespace(value=simulated),
        get_clock=lambda: SimpleNamespace(now=lambda: clock),
        log_once=sayings.log_once,
        log_rarely=sayings.log_rarely,
    )
    return Clockwork(node), sayings, clock


def test_simulated_time_without_clock_gives_no_tick_and_one_warning():
    ticks, sayings, clock = clockwork(simulated=True, now_ns=0)
    assert [ticks.accept(S + i) for i in range(5)] == [None] * 5
    assert len(sayings) == 1 and "/clock" in sayings[0]
    clock.nanoseconds = S
    assert ticks.accept(S) == S


def test_a_jump_back_is_said_once_and_time_goes_on_from_there():
    ticks, sayings, _ = clockwork(simulated=False, now_ns=S)
    assert ticks.accept(100 * S) == 100 * S and not ticks.jumped
    assert ticks.accept(S) == S and ticks.jumped and len(sayings) == 1
    assert ticks.accept(S + 1) == S + 1 and not ticks.jumped


def test_a_repeated_stamp_is_no_tick():
    ticks, _, _ = clockwork(simulated=False, now_ns=S)
    assert ticks.accept(5 * S) == 5 * S and ticks.accept(5 * S) is None


def test_a_driver_that_does_not_stamp_gets_the_nodes_clock():
    ticks, _, clock = clockwork(simulated=False, now_ns=7 * S)
    assert ticks.accept(0) == 7 * S
    clock.nanoseconds += 1
    assert ticks.accept(0) == 7 * S + 1


@pytest.mark.parametrize("reliability", [ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT])
@pytest.mark.parametrize("raw", [True, False])
def test_reliable_and_best_effort_publishers_are_heard(context, reliability, raw):
    node = rclpy.create_node("listener", context=context)
    inbox = Inbox(node, TOPICS["joint_states"], "joint_states", raw)
    waiter = Waiter(context, [inbox])
    publisher = node.create_publisher(JointState, "joint_states", QoSProfile(depth=1, reliability=reliability))

    def heard() -> bool:
        publisher.publish(JointState(name=["a"], position=[1.0]))
        return waiter.wait(S // 10) and inbox.take_newest() is not None

    assert wait_until(heard) and inbox.received >= 1
    assert inbox.take_newest() is None
    node.destroy_node()


def test_the_executor_leaves_the_loops_messages_alone(context):
    node = rclpy.create_node("listener", context=context)
    inbox = Inbox(node, TOPICS["joint_states"], "joint_states")
    publisher = node.create_publisher(JointState, "joint_states", profile("sensor_out"))
    assert wait_until(lambda: publisher.get_subscription_count() > 0)
    executor = rclpy.executors.SingleThreadedExecutor(context=context)
    executor.add_node(node)
    publisher.publish(JointState(name=["a"]))
    for _ in range(20):
        executor.spin_once(timeout_sec=0.01)
    assert inbox.take_newest().name == ["a"]
    executor.shutdown()
    node.destroy_node()


class Hardware:
    """Publishes sensors of the humanoid by hand."""

    def __init__(self, context, model) -> None:
        self.node = rclpy.create_node("hardware", context=context)
        self._joints, self._imu = JointStateEncoder(model.joint_names), ImuEncoder("imu_link")
        self._wrench, self._zeros = WrenchEncoder("l_sole"), np.zeros(model.n)
        topics = {"joint_states": "joint_states", "imu": "imu/data", "wrench": "l_sole/wrench"}
        self._publishers = {name: self._open(key, name) for key, name in topics.items()}

    def _open(self, key, name):
        return self.node.create_publisher(message_class(TOPICS[key].type), name, profile(TOPICS[key].writer))

    def joints(self, time_ns: int) -> None:
        self._publishers["joint_states"].publish(self._joints.write(time_ns, self._zeros, self._zeros, self._zeros))

    def imu(self, time_ns: int) -> None:
        sample = ImuSample(time_ns, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.array([0.0, 0.0, 9.81]))
        self._publishers["imu/data"].publish(self._imu.encode(sample))

    def wrench(self, time_ns: int) -> None:
        self._publishers["l_sole/wrench"].publish(self._wrench.encode(time_ns, np.arange(6.0)))


@pytest.fixture
def inputs(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(dump(load_robot("humanoid")), encoding="utf-8")
    context = rclpy.Context()
    arguments = ["--ros-args", "--params-file", str(path)]
    rclpy.init(context=context, args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    node = StackNode("contact_estimator", context)
    hardware = Hardware(context, node.model)
    yield SensorInputs(node), hardware
    hardware.node.destroy_node()
    node.destroy_node()
    context.try_shutdown()


def test_a_sample_needs_joints_and_imu_and_says_which_feet_have_spoken(inputs):
    sensors, hardware = inputs
    found = []

    def collected() -> bool:
        now = S + len(found) * 1_000_000
        hardware.imu(now)
        hardware.wrench(now)
        hardware.joints(now)
        found.append(sensors.collect())
        return found[-1] is not None and bool(found[-1].wrench_valid[0])

    hardware.joints(1)
    assert sensors.collect() is None
    assert wait_until(collected)
    sample = found[-1]
    assert sample.wrench_valid.tolist() == [True, False]
    np.testing.assert_array_equal(sample.foot_wrenches[0], np.arange(6.0))


def test_joints_without_a_stamp_are_stamped_on_arrival(inputs):
    sensors, hardware = inputs
    found = []

    def taken() -> bool:
        hardware.joints(0)
        found.append(sensors.joints.take())
        return found[-1] is not None

    assert wait_until(taken)
    assert abs(found[-1].time_ns - time.time_ns()) < 60 * S and sensors.joints.newest is found[-1]


def test_transform_of_the_base_says_its_pose(inputs):
    sensors, _ = inputs
    q = np.concatenate((RNG.normal(size=3), matrix_to_quaternion(random_rotation())))
    found = TransformOutput(sensors.joints._node).encode(5 * S, q)
    turn, way = found.transform.rotation, found.transform.translation
    assert [way.x, way.y, way.z, turn.x, turn.y, turn.z, turn.w] == q.tolist()
    assert (found.header.frame_id, found.child_frame_id, found.header.stamp.sec) == ("odom", "base_link", 5)


def test_a_silent_sensor_is_named(inputs, monkeypatch):
    sensors, _ = inputs
    assert sensors.silent() == []
    begin = time.monotonic_ns()
    monkeypatch.setattr("wbc_control.ros.inbox.time.monotonic_ns", lambda: begin + 3 * S)
    assert set(sensors.silent()) == {"joint_states", "imu/data", "l_sole/wrench", "r_sole/wrench"}
