"""Sensor topics → one SensorSample a tick, whoever publishes them and in whatever order.

A tick begins when ``joint_states`` arrives; IMU and wrenches are the newest heard by then, each with its own stamp.
Time is the stamp of the joints (the node's clock where a driver does not stamp), so that recorded and simulated data
tick as they were taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from geometry_msgs.msg import WrenchStamped
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Imu

from wbc_control.ros.conversions.joints import JointStateDecoder
from wbc_control.ros.conversions.sensor_wire import imu_from_wire, wrench_from_wire
from wbc_control.ros.conversions.sensors import decode_imu, decode_wrench
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.spatial import GRAVITY_M_S2
from wbc_control.state import ImuSample, JointState, SensorSample


class Clockwork:
    """The time of ticks: from stamps, never backwards without saying so.

    Attributes:
        jumped: Whether the last stamp lay before its predecessor (a simulator was reset, ``/clock`` jumped back).
    """

    def __init__(self, node: StackNode) -> None:
        self._node = node
        self._simulated = bool(node.get_parameter("use_sim_time").value)
        self._last_ns = -1
        self.jumped = False

    def accept(self, stamp_ns: int) -> int | None:
        """Time of the tick for a stamp; None for a repeated stamp, or while simulated time has not begun."""
        now = stamp_ns or self._node.get_clock().now().nanoseconds
        if self._simulated and self._node.get_clock().now().nanoseconds == 0:
            self._node.log_once("clock", "use_sim_time is set but nothing is heard on /clock: no commands until it is")
            return None
        self.jumped = now < self._last_ns
        if self.jumped:
            self._node.log_rarely("jump", f"time jumped back by {1e-9 * (self._last_ns - now):.3f} s: starting afresh")
        elif now == self._last_ns:
            return None
        self._last_ns = now
        return now


class JointInput:
    """``joint_states`` of one node."""

    def __init__(self, node: StackNode) -> None:
        self.inbox = node.inbox("joint_states", raw=True)
        self._node = node
        self._decoder = JointStateDecoder(node.model.joint_names)
        self.newest: JointState | None = None

    @property
    def refused(self) -> int:
        """Messages that could not be used so far."""
        return self._decoder.refused

    def health(self) -> dict[str, object]:
        """Counters for diagnostics."""
        return {"heard": self.inbox.received, "refused_joint_states": self.refused}

    def take(self) -> JointState | None:
        """Joints of the newest message; None without one, or when it is refused (counted and named)."""
        wire = self.inbox.take_newest()
        if wire is None:
            return None
        joints = self._decoder.joint_state_from_wire(wire)
        if joints is None:
            self._node.log_rarely("joints", f"{self._decoder.reason}: ignored ({self._decoder.refused} so far)")
            return None
        if joints.time_ns == 0:  # a driver that does not stamp: every node of ours must see the same kind of time
            now = self._node.get_clock().now().nanoseconds
            joints = JointState(now, joints.position, joints.velocity, joints.effort)
        self.newest = joints
        return joints


class SensorInputs:
    """All sensors of the estimator.

    Attributes:
        joints: The joints; their arrival is the tick.
        jumped: Whether time jumped back with the last sample: whoever integrates must start afresh.
    """

    def __init__(self, node: StackNode) -> None:
        feet = len(node.model.feet)
        self._node = node
        self.joints = JointInput(node)
        self._imu_inbox = node.inbox("imu", raw=True)
        self._wrench_inboxes = node.inboxes("wrench", raw=True)
        self._clockwork = Clockwork(node)
        self._imu = None if node.model.floating_base else _resting_imu()
        self._wrenches = np.zeros((feet, 6))
        self._wrench_times: Any = np.zeros(feet, dtype=np.int64)
        self._wrench_valid = np.zeros(feet, dtype=bool)

    @property
    def jumped(self) -> bool:
        """Whether time jumped back with the last sample."""
        return self._clockwork.jumped

    def collect(self) -> SensorSample | None:
        """The sample of this tick; None while joints are unusable, the IMU has not spoken or time stands still."""
        self._take_imu()
        self._take_wrenches()
        joints = self.joints.take()
        if joints is None or self._imu is None:
            return None
        now = self._clockwork.accept(joints.time_ns)
        if now is None:
            return None
        if self._clockwork.jumped:
            self._forget_wrenches(now)
        joints = joints if joints.time_ns == now else JointState(now, joints.position, joints.velocity, joints.effort)
        times, valid = self._wrench_times.copy(), self._wrench_valid.copy()
        return SensorSample(now, joints, self._imu, self._wrenches.copy(), times, valid)

    def silent(self) -> list[str]:
        """Topics that have said nothing for longer than ``middleware.sensor_silence``."""
        limit = self._node.parameters.middleware.sensor_silence
        inboxes: list[Inbox] = [self.joints.inbox, *self._wrench_inboxes]
        inboxes += [self._imu_inbox] if self._node.model.floating_base else []
        return [inbox.name for inbox in inboxes if inbox.silence_s() > limit]

    def _take_imu(self) -> None:
        wire = self._imu_inbox.take_newest()
        if wire is not None:
            self._imu = imu_from_wire(wire) or decode_imu(deserialize_message(wire, Imu))

    def _take_wrenches(self) -> None:
        for i, inbox in enumerate(self._wrench_inboxes):
            wire = inbox.take_newest()
            if wire is not None:
                read = wrench_from_wire(wire) or decode_wrench(deserialize_message(wire, WrenchStamped))
                self._wrench_times[i], self._wrenches[i] = read
                self._wrench_valid[i] = True

    def _forget_wrenches(self, now: int) -> None:
        """After a jump back, stamps from the old future must not count as fresh."""
        self._wrench_valid[self._wrench_times > now] = False


def _resting_imu() -> ImuSample:
    """What a fixed base would measure: it has no IMU and needs none."""
    return ImuSample(0, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.array([0.0, 0.0, GRAVITY_M_S2]))
