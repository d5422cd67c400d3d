"""The bridge as a process: claims on the first command, brakes when commands stay away, ends cleanly (C29 to C31)."""

from __future__ import annotations

import signal

import numpy as np
import pytest
from conftest import wait_until

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
from bridge_bench import MS, Bench
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from std_msgs.msg import Float64MultiArray

from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.joints import JointStateEncoder
from wbc_control.ros.parameter_file import dump
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import TOPICS

pytestmark = pytest.mark.ros


@pytest.fixture
def bench(context):
    bench = Bench(context, load_robot("humanoid"))
    yield bench
    bench.node.destroy_node()


@pytest.fixture
def bridge(start, bench, tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(dump(bench.parameters), encoding="utf-8")
    child = start("-m", "wbc_control.nodes.joint_pd_bridge", "--ros-args", "--params-file", str(path))
    assert wait_until(bench.connected, 20.0), child.text
    return child


def test_nothing_is_sent_before_the_first_command(bench, bridge):
    wait_until(lambda: bench.step(False) or False, 1.0)
    assert bench.last is None


def test_commands_are_tracked_and_their_absence_brakes_and_their_return_is_tracked_again(bench, bridge):
    assert bench.reaches(bench.tracking, command=True)
    assert bench.reaches(bench.damping, command=False)
    assert bench.reaches(bench.tracking, command=True)


def test_joints_that_fall_silent_brake_with_the_last_velocity(bench, bridge):
    assert bench.reaches(bench.tracking, command=True)

    def braked() -> bool:
        bench.listen()
        return bool(np.allclose(bench.last, bench.damping))

    assert wait_until(braked)


def test_commands_that_are_not_finite_or_of_another_length_never_reach_the_motors(bench, bridge):
    assert bench.reaches(bench.tracking, command=True)
    heard = []

    def spoil() -> bool:
        bench.time_ns += MS
        bench.joints.publish(bench.encoder.write(bench.time_ns, bench.position, bench.velocity, bench.zeros))
        message = JointStateEncoder(bench.model.joint_names).write(
            bench.time_ns, bench.position, bench.velocity, np.full(bench.model.n, np.nan)
        )
        bench.commands.publish(message)
        bench.listen()
        heard.append(bench.last)
        return bool(np.allclose(bench.last, bench.damping))

    assert wait_until(spoil)
    assert all(np.isfinite(effort).all() and effort.shape == (bench.model.n,) for effort in heard)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_mid_cycle_ends_with_finite_damping(bench, bridge, number):
    assert bench.reaches(bench.tracking, command=True)
    bridge.process.send_signal(number)
    wait_until(lambda: bench.step(True) or bridge.process.poll() is not None, 20.0)
    assert bridge.wait() == 0
    bench.listen()
    np.testing.assert_allclose(bench.last, bench.damping, atol=1e-9)
    assert "Traceback" not in bridge.text


def test_deactivation_brakes_and_lets_go(bench, bridge):
    assert bench.reaches(bench.tracking, command=True)
    client = bench.node.create_client(ChangeState, "joint_pd_bridge/change_state")
    assert client.wait_for_service(timeout_sec=10.0)
    request = ChangeState.Request(transition=Transition(id=Transition.TRANSITION_DEACTIVATE))
    client.call_async(request)
    assert bench.reaches(bench.damping, command=True)
    received = -1

    def silent() -> bool:
        nonlocal received
        before, received = received, bench.efforts.received
        for _ in range(20):
            bench.step(True)
        return bench.efforts.received == before

    assert wait_until(silent)
    np.testing.assert_allclose(bench.last, bench.damping, atol=1e-9)
    assert bridge.end() == 0


def test_joint_states_in_another_order_change_nothing(bench, bridge):
    assert bench.reaches(bench.tracking, command=True)
    order = np.random.default_rng(1).permutation(bench.model.n)
    bench.velocity[:] = np.linspace(-0.4, 0.4, bench.model.n)
    names = [bench.model.joint_names[i] for i in order]
    shuffled = JointStateEncoder(names)
    wanted = np.clip(
        -bench.parameters.bridge.damping * bench.velocity, -bench.model.limits.effort, bench.model.limits.effort
    )

    def damped() -> bool:
        bench.time_ns += MS
        bench.joints.publish(shuffled.write(bench.time_ns, bench.position[order], bench.velocity[order], bench.zeros))
        bench.listen()
        return bool((bench.last == wanted).all())

    assert wait_until(damped)


def test_a_message_is_the_length_of_the_controllers_joints(bench, bridge):
    assert bench.reaches(bench.tracking, command=True)
    assert len(bench.last) == bench.model.n and Float64MultiArray is message_class(TOPICS["effort"].type)


def test_a_second_master_is_refused_until_it_is_gone(bench, bridge):
    topic = TOPICS["effort"]
    name = f"{bench.parameters.bridge.controller}/commands"
    rival = bench.node.create_publisher(message_class(topic.type), name, profile(topic.writer))
    foreign = Float64MultiArray(data=[1.0] * bench.model.n)

    def refused() -> bool:
        rival.publish(foreign)
        bench.step(True)
        return "another node already commands" in bridge.text

    assert wait_until(refused)
    assert np.array_equal(bench.last, np.ones(bench.model.n))
    bench.node.destroy_publisher(rival)
    assert bench.reaches(bench.tracking, command=True)
