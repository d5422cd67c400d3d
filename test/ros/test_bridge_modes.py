"""The bridge as a process in its other modes: drives with their own loop, position drives, joint states (C29 to C31)."""

from __future__ import annotations

import signal

import numpy as np
import pytest
from conftest import wait_until

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
from bridge_bench import SPEED, Bench

from wbc_control.model.catalogue import load_robot
from wbc_control.ros.forwarders import forwarders_of
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.parameter_file import dump
from wbc_control.ros.topics import TOPICS

pytestmark = pytest.mark.ros

EFFORT = 5.0


class Motors:
    """Hears what a mode says, by interface."""

    def __init__(self, bench: Bench) -> None:
        parameters = bench.parameters.bridge
        forwarded = forwarders_of(parameters)
        self.inboxes = {
            face: Inbox(bench.node, TOPICS["effort"], f"{name}/commands") for name, face in forwarded.items()
        }
        if not forwarded:
            topic = parameters.joint_commands_topic
            self.inboxes["joint_state"] = Inbox(bench.node, TOPICS["joint_commands"], topic)
        self.last: dict[str, np.ndarray] = {}

    def listen(self) -> None:
        for face, inbox in self.inboxes.items():
            message = inbox.take_newest()
            if message is not None and face == "joint_state":
                fields = ("position", "velocity", "effort")
                self.last |= {field: np.array(getattr(message, field)) for field in fields}
            elif message is not None:
                self.last[face] = np.array(message.data)

    def are(self, **wanted: float | np.ndarray) -> bool:
        """Whether the last commands are the wanted ones."""
        return all(face in self.last and np.allclose(self.last[face], value) for face, value in wanted.items())


def bridge_in(mode: str, start, context, tmp_path, **settings: object):
    """A bench, what the motors hear, and the running bridge."""
    # The bench's time is slower than the wall's: its joint states must not count as silent, nor the ramp take for ever.
    settings = {"start_ramp": 0.0, "joint_state_timeout": 5.0} | settings
    named = {f"joint_pd_bridge.{name}": value for name, value in settings.items()}
    bench = Bench(context, load_robot("humanoid", {"joint_pd_bridge.mode": mode} | named))
    motors = Motors(bench)
    path = tmp_path / "p.yaml"
    path.write_text(dump(bench.parameters), encoding="utf-8")
    child = start("-m", "wbc_control.nodes.joint_pd_bridge", "--ros-args", "--params-file", str(path))
    assert wait_until(bench.connected, 60.0), child.text
    return bench, motors, child


def comes_to(bench: Bench, motors: Motors, command: bool, **wanted: float | np.ndarray) -> bool:
    """Whether the motors come to hear the wanted values while the bench plays on."""

    def there() -> bool:
        bench.step(command, EFFORT)
        motors.listen()
        return motors.are(**wanted)

    return wait_until(there, 60.0)


def ends_well(bench: Bench, motors: Motors, child, **last: float | np.ndarray) -> None:
    """SIGTERM in mid-cycle: the last words are the wanted ones, the exit code is clean."""
    child.process.send_signal(signal.SIGTERM)

    def ended() -> bool:
        bench.step(True)
        motors.listen()
        return child.process.poll() is not None

    wait_until(ended, 60.0)
    assert child.wait() == 0 and "Traceback" not in child.text
    motors.listen()
    assert motors.are(**last), motors.last
    bench.node.destroy_node()


def test_drives_with_their_own_loop_are_told_targets_and_gains(start, context, tmp_path):
    bench, motors, child = bridge_in("mit", start, context, tmp_path, **{"interfaces.stiffness": "proportional"})
    gains = bench.parameters.bridge.gains
    stiff = np.array([gains[name].kp for name in bench.model.joint_names])
    feed = np.minimum(EFFORT, bench.model.limits.effort)
    assert comes_to(bench, motors, True, position=bench.position, velocity=SPEED, effort=feed, proportional=stiff)
    damping = bench.parameters.bridge.damping
    braked = {"proportional": 0.0, "kd": damping, "velocity": 0.0}
    assert comes_to(bench, motors, False, effort=0.0, **braked)
    assert comes_to(bench, motors, True, proportional=stiff)
    ends_well(bench, motors, child, **braked)


def test_position_drives_are_led_to_the_command_and_halt_without_it(start, context, tmp_path):
    bench, motors, child = bridge_in("position", start, context, tmp_path)
    assert comes_to(bench, motors, True, position=bench.position)
    bench.position = bench.position + 0.01
    assert comes_to(bench, motors, False, position=bench.position)
    assert comes_to(bench, motors, True, position=bench.position)
    ends_well(bench, motors, child, position=bench.position)


def test_a_driver_hears_joint_states_by_name(start, context, tmp_path):
    bench, motors, child = bridge_in("joint_state", start, context, tmp_path, joint_commands_topic="driver/commands")
    feed = np.minimum(EFFORT, bench.model.limits.effort)
    assert comes_to(bench, motors, True, position=bench.position, velocity=SPEED, effort=feed)
    damped = np.clip(-bench.parameters.bridge.damping * SPEED, -bench.model.limits.effort, bench.model.limits.effort)
    assert comes_to(bench, motors, False, velocity=0.0, effort=damped)
    ends_well(bench, motors, child, velocity=0.0, effort=damped)
