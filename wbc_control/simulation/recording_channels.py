"""What is recorded of a control period: topic, message type, and where its numbers come from.

Topics and types are those the nodes use; what only a simulator knows lies below ``simulation/ground_truth``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wbc_control.model import RobotModel
from wbc_control.recorded.names import IMU, JOINT_STATE, NUMBERS, ODOMETRY, TRUTH, TWIST, WRENCH
from wbc_control.simulation import recording_messages as messages
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.recording_messages import Skeleton, stamp_values

_WORLD = "world"


@dataclass(frozen=True)
class Channel:
    """One topic of a recording.

    Attributes:
        topic: Relative name.
        type: Name of the message type.
        skeleton: The message with holes for its numbers.
        values: Its numbers in a period; None when there is nothing to say.
    """

    topic: str
    type: str
    skeleton: Skeleton
    values: Callable[[Period], Sequence[float] | None]


def sensor_channels(model: RobotModel) -> list[Channel]:
    """Sensors as the controller got them, noise and faults included."""
    imu_frame = model.pinocchio.frames[model.imu_frame_id].name
    channels = [
        Channel("joint_states", JOINT_STATE, messages.joint_state(model.joint_names), _joints),
        Channel("imu/data", IMU, messages.imu(imu_frame), _imu),
    ]
    return channels + [
        Channel(f"{foot}/wrench", WRENCH, messages.wrench(foot), _Wrench(i)) for i, foot in enumerate(model.foot_names)
    ]


def effort_channels(model: RobotModel, controller: str) -> list[Channel]:
    """What the controller commanded, and the velocity command."""
    return [
        Channel(f"{controller}/commands", NUMBERS, messages.numbers(model.n), lambda period: period.effort.tolist()),
        Channel("cmd_vel", TWIST, messages.twist(), _velocity),
    ]


def truth_channels(model: RobotModel) -> list[Channel]:
    """True base, joints and contacts."""
    feet = len(model.feet)

    def contact(period: Period) -> list[float]:
        touching, force = period.truth.in_contact.astype(float), period.truth.foot_force[:, 2]
        return [*stamp_values(period.time_ns), *touching.tolist(), *([0.0] * feet), *force.tolist()]

    def joints(period: Period) -> list[float]:
        positions, velocities = model.joint_positions(period.truth.q), period.truth.v[model.v_index]
        effort = period.applied_effort.tolist()
        return [*stamp_values(period.time_ns), *positions.tolist(), *velocities.tolist(), *effort]

    channels = [Channel(f"{TRUTH}/joint_states", JOINT_STATE, messages.joint_state(model.joint_names), joints)]
    if feet:
        skeleton = messages.joint_state(model.foot_names)
        channels.append(Channel(f"{TRUTH}/contact_state", JOINT_STATE, skeleton, contact))
    if model.floating_base:
        odometry = messages.odometry(_WORLD, model.base_link)
        channels.append(Channel(f"{TRUTH}/odom", ODOMETRY, odometry, _true_base))
    return channels


def base_values(time_ns: int, q: Any, v: Any) -> list[float]:
    """Numbers of an odometry message from a configuration and a velocity with a floating base."""
    return [*stamp_values(time_ns), *q[:7].tolist(), *v[:6].tolist()]


def _joints(period: Period) -> list[float]:
    joints = period.sample.joints
    rows = (joints.position.tolist(), joints.velocity.tolist(), joints.effort.tolist())
    return [*stamp_values(joints.time_ns), *rows[0], *rows[1], *rows[2]]


def _imu(period: Period) -> list[float]:
    imu = period.sample.imu
    vectors = (*imu.orientation_xyzw.tolist(), *imu.angular_velocity.tolist(), *imu.linear_acceleration.tolist())
    return [*stamp_values(imu.time_ns), *vectors]


def _velocity(period: Period) -> list[float] | None:
    velocity = period.velocity
    if velocity is None:
        return None
    return [float(velocity.linear[0]), float(velocity.linear[1]), 0.0, 0.0, 0.0, float(velocity.yaw_rate)]


def _true_base(period: Period) -> list[float]:
    return base_values(period.time_ns, period.truth.q, period.truth.v)


class _Wrench:
    """Numbers of one foot's wrench."""

    def __init__(self, foot: int) -> None:
        self._foot = foot

    def __call__(self, period: Period) -> list[float] | None:
        sample = period.sample
        if not sample.wrench_valid[self._foot]:
            return None
        return [*stamp_values(int(sample.wrench_time_ns[self._foot])), *sample.foot_wrenches[self._foot].tolist()]
