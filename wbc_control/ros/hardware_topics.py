"""The hardware's side of the topics: what ros2_control's broadcasters publish and its forwarder hears, for a simulator.

Like the stock forwarder it has no timeout: the last command is held for ever.  But a simulated robot need not pay for
a machine that has no core free: simulated time waits for a late command (``mujoco_sim.command_patience``, wall time),
and the wait shows as missed deadlines.  A stack that does not answer for so long is dead, and time goes on without it.
"""

from __future__ import annotations

import time
from typing import Any

from wbc_control.ros.conversions.efforts import EffortDecoder
from wbc_control.ros.conversions.joints import JointStateEncoder
from wbc_control.ros.conversions.sensors import ImuEncoder, WrenchEncoder
from wbc_control.ros.conversions.stamps import set_stamp
from wbc_control.ros.inbox import Inbox, Waiter
from wbc_control.ros.node import StackNode
from wbc_control.ros.quality import message_class, profile
from wbc_control.ros.topics import TOPICS
from wbc_control.state import ImuSample, JointState, SensorSample
from wbc_control.state.checks import Array

LOCKSTEP_SAMPLES = 200
"""Samples for which a simulator waits for every command after one came more than a period late."""
RELEASE_COMMANDS = 20
"""Commands after which a simulator lets go of the robot: the first says who claims the joints, these say that it lasts."""
REPEAT_S = 0.1
"""Silence after which a waiting simulator repeats its sample: a best-effort message may have been lost, s."""


class HardwareTopics:
    """Sensors out, efforts in.

    Args:
        node: The simulator's node.

    Attributes:
        effort: (n,) newest command, N·m; None until the first: nobody has claimed the joints.
        flowing: Whether commands flow, and the robot may be let go.
        late: Samples that were not answered within the patience.
        sent: Samples said so far, repetitions included.
    """

    def __init__(self, node: StackNode) -> None:
        model = node.model
        self._node = node
        self._joints = JointStateEncoder(model.joint_names)
        self._imu = ImuEncoder(node.parameters.robot.imu_link or model.base_link)
        self._wrenches = [WrenchEncoder(foot) for foot in model.foot_names]
        self._commands: Inbox = node.inbox("effort", raw=True)
        self._waiter = Waiter(node.context, [self._commands])
        self._decoder = EffortDecoder(model.n)
        self._clock = self._open_clock(bool(node.get_parameter("use_sim_time").value))
        self._patience_ns = round(1e9 * node.parameters.simulator.command_patience)
        self._answered = self._answered_before = True
        self._lockstep_left = 0
        self._given_up = False
        self._sent: tuple[Any, Any, Any] = ([], None, None)
        self.effort: Array | None = None
        self.flowing = False
        self.late = self.sent = 0

    @property
    def received(self) -> int:
        """Commands heard so far."""
        return self._commands.received

    def publish(self, sample: SensorSample, stamp_ns: int) -> None:
        """Send a sample, joints last, every stamp moved by the same shift so that the tick's becomes ``stamp_ns``."""
        shift = stamp_ns - sample.time_ns
        self._tick_clock(stamp_ns)
        feet = zip(self._wrenches, sample.wrench_time_ns.tolist(), sample.foot_wrenches, strict=True)
        wrenches = [encoder.encode(time_ns + shift, wrench) for encoder, time_ns, wrench in feet]
        joints = sample.joints
        moved = JointState(joints.time_ns + shift, joints.position, joints.velocity, joints.effort)
        self._answered_before, self._answered = self._answered, False
        self._lockstep_left = max(0, self._lockstep_left - 1)
        self._send(wrenches, self._imu.encode(_shifted_imu(sample.imu, shift)), self._joints.encode(moved))

    def be_patient(self) -> bool:
        """Once the joints are claimed, wait for a command that is overdue; after one wait in vain, no longer.

        A command may be one period under way, as with hardware, so that the stack computes while the world moves.  A
        stack that is slower than that gets lockstep for the next samples: better a slow world than a stale command.
        Waiting ends with the patience and begins again with the next command, so that a stack that is gone does not
        slow the world down.

        Returns:
            Whether it waited.
        """
        spoken = self._answered or (self._answered_before and self._lockstep_left == 0)
        if self.effort is None or spoken or self._given_up or not self._patience_ns:
            return False
        if not self._answered_before:
            self._lockstep_left = LOCKSTEP_SAMPLES
        if not self._wait_patiently():
            self.late += 1
            self._given_up = True
        return True

    def _wait_patiently(self) -> bool:
        """Whether a command came; without one the sample is said again now and then, while somebody is there to hear."""
        end_ns = time.monotonic_ns() + self._patience_ns
        while True:
            left_ns = end_ns - time.monotonic_ns()
            if self.wait_for_command(min(left_ns, round(1e9 * REPEAT_S))):
                return True
            if left_ns <= 0 or self._node.count_publishers(self._commands.topic_name) == 0:
                return False
            self._send(*self._sent)

    def wait_for_command(self, timeout_ns: int) -> bool:
        """Whether a command arrived within the timeout."""
        return self._waiter.wait(timeout_ns) and self.take()

    def take(self) -> bool:
        """Take the newest command into ``effort``; whether there was one that could be used."""
        wire = self._commands.take_newest()
        if wire is None:
            return False
        effort = self._decoder.decode_wire(wire)
        if effort is None:
            self._node.log_rarely("command", f"{self._decoder.reason}: the last command is held")
            return False
        self.effort = effort
        self._answered, self._given_up = True, False
        self.flowing = self.flowing or self._commands.received >= RELEASE_COMMANDS
        return True

    def _send(self, wrenches: list[Any], imu: Any, joints: Any) -> None:
        """Joints last: they are the tick."""
        self.sent += 1
        self._sent = (wrenches, imu, joints)
        for publisher, wrench in zip(self._node.publishers_of("wrench"), wrenches, strict=True):
            publisher.publish(wrench)
        self._node.publish("imu", imu)
        self._node.publish("joint_states", joints)

    def _open_clock(self, simulated: bool) -> Any:
        topic = TOPICS["clock"]
        kind = message_class(topic.type)
        self._clock_message = kind()
        return self._node.create_publisher(kind, topic.name, profile(topic.writer)) if simulated else None

    def _tick_clock(self, stamp_ns: int) -> None:
        if self._clock is not None:
            set_stamp(self._clock_message.clock, stamp_ns)
            self._clock.publish(self._clock_message)


def _shifted_imu(imu: ImuSample, shift: int) -> ImuSample:
    return ImuSample(imu.time_ns + shift, imu.orientation_xyzw, imu.angular_velocity, imu.linear_acceleration)
