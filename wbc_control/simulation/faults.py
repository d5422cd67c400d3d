"""Breaks sensors and commands on purpose, by topic and time; works on any backend's samples.

Kinds: *silence* holds the last value and its old stamp; *kill* is silence to the end of the run; *nan* fills the values
with NaN; *delay* hands on values ``value`` seconds old, stamps included; *slow* lets a message through every ``value``
seconds only, held in between; *bias* adds ``value`` (on a foot's wrench to the normal force, on the IMU to the gyro);
*shuffle* permutes the values; *flip_sign* negates them.  On the command topic, *silence* holds the last torques (as a forwarding controller
does) and *kill* leaves the motors slack.
"""

from __future__ import annotations

import dataclasses
import math
from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import ScenarioError
from wbc_control.simulation.scenario import FaultSettings
from wbc_control.state import ImuSample, JointState, SensorSample

Array = NDArray[np.float64]

JOINT_TOPIC, IMU_TOPIC, COMMAND_SUFFIX = "joint_states", "imu/data", "/commands"
_GYRO, _NORMAL_FORCE = slice(0, 3), slice(2, 3)
"""What a bias on the IMU and on a foot's wrench adds to."""


@dataclasses.dataclass(frozen=True)
class Message:
    """Values of one topic at one instant: what a fault works on, whatever the topic is.

    Attributes:
        time_ns: Stamp, ns.
        values: All numbers of the message, flat.
    """

    time_ns: int
    values: Array


class Fault:
    """One fault on one topic."""

    def __init__(self, settings: FaultSettings, seed: np.random.SeedSequence) -> None:
        self.settings = settings
        self._start = round(1e9 * settings.t)
        lasting = settings.kind == "kill" or math.isinf(settings.duration)
        self._end = None if lasting else self._start + round(1e9 * settings.duration)
        self._generator = np.random.default_rng(seed)
        self._past: deque[Message] = deque()
        self._order: NDArray[np.int64] | None = None
        self._held: Message | None = None

    def active(self, now_ns: int) -> bool:
        """Whether the fault acts at ``now_ns``."""
        return self._start <= now_ns and (self._end is None or now_ns < self._end)

    def apply(self, message: Message, now_ns: int) -> Message:
        """What arrives instead of ``message``."""
        kind = self.settings.kind
        if kind in ("silence", "kill", "delay"):
            return self._late(message, now_ns)
        if kind == "slow":
            return self._held_back(message, now_ns)
        return self._spoilt(message) if self.active(now_ns) else message

    def _late(self, message: Message, now_ns: int) -> Message:
        """The newest message that has got through: nothing new during silence, ``value`` s old under delay."""
        lag = round(1e9 * self.settings.value) if self.settings.kind == "delay" else 0
        if self.settings.kind == "delay" or not (self.active(now_ns) and self._past):
            self._past.append(message)
        while len(self._past) > 1 and self._past[1].time_ns <= now_ns - (lag if self.active(now_ns) else 0):
            self._past.popleft()
        return self._past[0]

    def _held_back(self, message: Message, now_ns: int) -> Message:
        """The last message until the period is over, counted from the one that was let through."""
        held, period_ns = self._held, round(1e9 * self.settings.value)
        if held is None or not self.active(now_ns) or message.time_ns - held.time_ns >= period_ns:
            self._held = message
        return self._held if self._held is not None else message

    def _spoilt(self, message: Message) -> Message:
        values = message.values
        match self.settings.kind:
            case "nan":
                spoilt = np.full_like(values, np.nan)
            case "bias":
                spoilt = values + self.settings.value
            case "flip_sign":
                spoilt = -values
            case _:
                if self._order is None:
                    self._order = self._generator.permutation(len(values))
                spoilt = values[self._order]
        return Message(message.time_ns, spoilt)


class FaultInjector:
    """All faults of a scenario.

    Args:
        faults: What breaks, where, when.
        foot_names: Feet in the order of a sample; their topics are ``<foot>/wrench``.
        controller: Name of the forwarding controller; commands are on ``<controller>/commands``.
        seed: Of the permutations.

    Raises:
        ScenarioError: A fault on a topic that does not exist.
    """

    def __init__(self, faults: Sequence[FaultSettings], foot_names: Sequence[str], controller: str, seed: int) -> None:
        wrench_topics = [f"{name}/wrench" for name in foot_names]
        self._command_topic = controller + COMMAND_SUFFIX
        known = [JOINT_TOPIC, IMU_TOPIC, *wrench_topics, self._command_topic]
        for fault in faults:
            if fault.topic not in known:
                raise ScenarioError(
                    f"fault on unknown topic '{fault.topic}'; known are {', '.join(known)}",
                    value=fault.topic,
                    bound=known,
                )
        seeds = np.random.SeedSequence([seed, 2]).spawn(len(faults))
        self._faults = {topic: [Fault(f, s) for f, s in zip(faults, seeds) if f.topic == topic] for topic in known}
        self._wrench_topics = wrench_topics
        self._any = bool(faults)

    def apply(self, sample: SensorSample) -> SensorSample:
        """The sample as it arrives."""
        if not self._any:
            return sample
        now = sample.time_ns
        joints = self._joints(sample.joints, now)
        imu = self._imu(sample.imu, now)
        wrenches, times = sample.foot_wrenches.copy(), sample.wrench_time_ns.copy()
        for row, topic in enumerate(self._wrench_topics):
            message = Message(int(times[row]), wrenches[row].copy())
            for fault in self._faults[topic]:
                message = _on_biased_part(fault, message, now, _NORMAL_FORCE)
            wrenches[row], times[row] = message.values, message.time_ns
        return dataclasses.replace(sample, joints=joints, imu=imu, foot_wrenches=wrenches, wrench_time_ns=times)

    def apply_effort(self, effort: Array, now_ns: int) -> Array:
        """The (n,) torque command as it arrives."""
        for fault in self._faults[self._command_topic]:
            if fault.settings.kind == "kill" and fault.active(now_ns):
                return np.zeros_like(effort)
        return self._through(self._command_topic, Message(now_ns, effort), now_ns).values

    def _through(self, topic: str, message: Message, now_ns: int) -> Message:
        for fault in self._faults[topic]:
            message = fault.apply(message, now_ns)
        return message

    def _joints(self, joints: JointState, now_ns: int) -> JointState:
        """Shuffled joints keep position, velocity and effort of one joint together, as a wrong joint order does."""
        n = len(joints.position)
        flat = np.concatenate([joints.position, joints.velocity, joints.effort])
        message = Message(joints.time_ns, flat)
        for fault in self._faults[JOINT_TOPIC]:
            message = (
                _by_row(fault, message, now_ns, n) if fault.settings.kind == "shuffle" else fault.apply(message, now_ns)
            )
        if message.values is flat:
            return joints
        return JointState(message.time_ns, message.values[:n], message.values[n : 2 * n], message.values[2 * n :])

    def _imu(self, imu: ImuSample, now_ns: int) -> ImuSample:
        """A bias on the IMU means its gyroscope; the other kinds take all of it."""
        flat = np.concatenate([imu.angular_velocity, imu.linear_acceleration, imu.orientation_xyzw])
        message = Message(imu.time_ns, flat)
        for fault in self._faults[IMU_TOPIC]:
            message = _on_biased_part(fault, message, now_ns, _GYRO)
        if message.values is flat:
            return imu
        values = message.values
        return ImuSample(message.time_ns, values[6:10], values[:3], values[3:6])


def _on_biased_part(fault: Fault, message: Message, now_ns: int, part: slice) -> Message:
    """A bias touches ``part`` of the values alone; every other kind touches all."""
    if fault.settings.kind != "bias":
        return fault.apply(message, now_ns)
    values = message.values.copy()
    values[part] = fault.apply(Message(message.time_ns, values[part]), now_ns).values
    return Message(message.time_ns, values)


def _by_row(fault: Fault, message: Message, now_ns: int, n: int) -> Message:
    """Permute the columns of the (3, n) table position, velocity, effort."""
    order = fault.apply(Message(message.time_ns, np.arange(n, dtype=float)), now_ns).values.astype(int)
    return Message(message.time_ns, message.values.reshape(3, n)[:, order].ravel())
