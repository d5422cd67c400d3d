"""The simulator's side of the topics: it lets go when commands flow, waits for a slow stack, and not for a dead one."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from conftest import wait_until

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
import rclpy
from rclpy.signals import SignalHandlerOptions

from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.efforts import EffortEncoder
from wbc_control.ros.hardware_topics import RELEASE_COMMANDS, HardwareTopics
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.parameter_file import dump
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import TOPICS
from wbc_control.state import ImuSample, JointState, SensorSample

pytestmark = pytest.mark.ros

MS = 1_000_000


class Stack:
    """Plays the other side by hand: hears joint states, sends efforts."""

    def __init__(self, context, model, controller: str) -> None:
        self.node = rclpy.create_node("stack", context=context)
        self.joints = Inbox(self.node, TOPICS["joint_states"], "joint_states")
        topic = TOPICS["effort"]
        name = f"{controller}/commands"
        self.publisher = self.node.create_publisher(message_class(topic.type), name, profile(topic.writer))
        self._message = EffortEncoder(model.n).encode(np.zeros(model.n))

    def connected(self) -> bool:
        return self.publisher.get_subscription_count() > 0

    def command(self) -> None:
        self.publisher.publish(self._message)

    def leave(self) -> None:
        self.node.destroy_publisher(self.publisher)


@pytest.fixture
def sides(tmp_path):
    """The hardware's side, the stack's, and a sample at rest."""
    path = tmp_path / "p.yaml"
    path.write_text(dump(load_robot("humanoid")), encoding="utf-8")
    context = rclpy.Context()
    arguments = ["--ros-args", "--params-file", str(path)]
    rclpy.init(context=context, args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    node = StackNode("mujoco_sim", context)
    stack = Stack(context, node.model, node.parameters.bridge.controller)
    hardware = HardwareTopics(node)
    assert wait_until(stack.connected)
    yield hardware, stack, at_rest(node.model)
    stack.node.destroy_node()
    node.destroy_node()
    context.try_shutdown()


def at_rest(model) -> SensorSample:
    zeros, feet = np.zeros(model.n), len(model.feet)
    joints = JointState(MS, model.joint_positions(model.standing_configuration()), zeros, zeros)
    imu = ImuSample(MS, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.array([0.0, 0.0, 9.81]))
    return SensorSample(MS, joints, imu, np.zeros((feet, 6)), np.full(feet, MS), np.ones(feet, dtype=bool))


def claim(hardware, stack) -> None:
    stack.command()
    assert hardware.wait_for_command(10_000 * MS)


def leave_unanswered(hardware, sample, count: int = 2) -> None:
    """Samples without an answer: one command may be under way, the second is overdue."""
    for _ in range(count):
        hardware.publish(sample, sample.time_ns)


def test_the_robot_is_let_go_when_commands_flow(sides):
    hardware, stack, _ = sides
    for number in range(RELEASE_COMMANDS):
        assert not hardware.flowing, number
        claim(hardware, stack)
    assert hardware.flowing


def test_nobody_is_waited_for_before_the_first_command(sides):
    hardware, _, sample = sides
    leave_unanswered(hardware, sample)
    assert not hardware.be_patient() and hardware.late == 0


def test_while_it_waits_it_says_the_same_sample_again_until_the_answer_comes(sides):
    hardware, stack, sample = sides
    claim(hardware, stack)
    stamps: list[int] = []

    def answer_the_third() -> None:
        def heard() -> bool:
            message = stack.joints.take()
            if message is not None:
                stamps.append(message.header.stamp.nanosec)
            return len(stamps) >= 3

        wait_until(heard)
        stack.command()

    leave_unanswered(hardware, sample)
    other = threading.Thread(target=answer_the_third)
    other.start()
    assert hardware.be_patient()
    other.join()
    assert hardware.late == 0 and set(stamps) == {MS}


def test_a_stack_that_left_the_graph_is_not_waited_for(sides):
    hardware, stack, sample = sides
    claim(hardware, stack)
    stack.leave()
    leave_unanswered(hardware, sample)
    assert hardware.be_patient() and hardware.late == 1
    leave_unanswered(hardware, sample)
    assert not hardware.be_patient(), "one wait in vain is enough"
