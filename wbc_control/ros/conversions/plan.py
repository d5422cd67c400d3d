"""A Plan ↔ planner/trajectory + planner/contact_schedule, and a PlanSample → planner/reference.

Bodies of the trajectory: ``com``, the task link (torso), the feet by name, and the pseudo-link ``zmp``, whose position
is the planned zero-moment point on the support plane (z = 0).  The schedule has one column a foot: position = planned
contact (0 or 1), velocity = share of full load (0..1), effort = planned normal force, N.  Both carry the same stamp and
the same times; together they lose nothing of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from geometry_msgs.msg import Transform, Twist, Wrench
from sensor_msgs.msg import MultiDOFJointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from wbc_control.ros.conversions.buffers import Array, set_quaternion, set_twist, set_vector, view, zeros
from wbc_control.ros.conversions.centroidal import COM
from wbc_control.ros.conversions.horizon import Horizon
from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.rotations import quaternions_of, rotations_of
from wbc_control.ros.conversions.schedule import Schedule
from wbc_control.ros.conversions.stamps import set_stamp
from wbc_control.state import Plan, PlanSample
from wbc_control.state.checks import BoolArray

ZMP = "zmp"
_COM, _TORSO, _FEET = 0, 1, 2


def body_names(torso: str, feet: Sequence[str]) -> tuple[str, ...]:
    """Bodies of the trajectory in the order we write them."""
    return (COM, torso, *feet, ZMP)


def plan_to_horizon(plan: Plan, names: tuple[str, ...]) -> Horizon:
    """The rigid-body part of a plan as arrays; ``names`` from :func:`body_names`."""
    samples, count = plan.samples, len(plan.samples)
    pose = np.zeros((count, len(names), 7))
    pose[..., 6] = 1.0
    velocity, acceleration = np.zeros((2, count, len(names), 6))
    feet = slice(_FEET, len(names) - 1)
    pose[:, _COM, :3] = [s.com_position for s in samples]
    pose[:, -1, :2] = [s.zmp for s in samples]
    pose[:, feet, :3] = [s.foot_position for s in samples]
    pose[:, feet, 3:] = quaternions_of(np.array([s.foot_rotation for s in samples]))
    pose[:, _TORSO, 3:] = quaternions_of(np.array([s.base_rotation for s in samples]))
    velocity[:, _COM, :3] = [s.com_velocity for s in samples]
    velocity[:, _TORSO, 3:] = [s.base_angular_velocity for s in samples]
    velocity[:, feet] = [s.foot_velocity for s in samples]
    acceleration[:, _COM, :3] = [s.com_acceleration for s in samples]
    acceleration[:, feet] = [s.foot_acceleration for s in samples]
    offset = np.array([s.time_ns - plan.time_ns for s in samples], dtype=np.int64)
    return Horizon(plan.time_ns, names, offset, pose, velocity, acceleration)


def plan_to_schedule(plan: Plan, feet: Sequence[str]) -> JointTrajectory:
    """The contact part of a plan."""
    message = JointTrajectory(joint_names=list(feet))
    message.header.frame_id = ODOM_FRAME
    set_stamp(message.header.stamp, plan.time_ns)
    message.points = [_schedule_point(plan, sample) for sample in plan.samples]
    return message


def _schedule_point(plan: Plan, sample: PlanSample) -> JointTrajectoryPoint:
    count = len(sample.in_contact)
    point = JointTrajectoryPoint(positions=zeros(count), velocities=zeros(count), effort=zeros(count))
    view(point.positions)[:] = sample.in_contact
    view(point.velocities)[:] = sample.contact_weight
    view(point.effort)[:] = sample.normal_force
    set_stamp(point.time_from_start, sample.time_ns - plan.time_ns)
    return point


class PlanDecoder:
    """Joins a horizon and a schedule of the same stamp into a plan, bodies and feet by name.

    Args:
        torso: Name of the task link.
        feet: Names of the feet, in the robot model's order.
        look_ahead_s: Samples far beyond this are never followed (the plan is stale by then) and left out.

    Attributes:
        refused: Pairs that could not be joined.
        reason: Why the last one was refused.
    """

    def __init__(self, torso: str, feet: Sequence[str], look_ahead_s: float = math.inf) -> None:
        self._look_ahead_ns = 1e9 * look_ahead_s
        self._names = body_names(torso, feet)
        self._feet = tuple(feet)
        self.refused = 0
        self.reason = ""

    def decode(self, horizon: Horizon, schedule: Schedule) -> Plan | None:
        """The plan, or None (counted): bodies missing, lengths that differ, numbers that are not finite."""
        missing = [name for name in self._names if name not in horizon.names]
        missing += [foot for foot in self._feet if foot not in schedule.names]
        if missing:
            return self._refuse(f"the plan lacks '{missing[0]}'")
        points, others = len(horizon.offset_ns), len(schedule.offset_ns)
        if points != others:
            return self._refuse(f"the schedule's {others} points do not fit the trajectory's {points}")
        if (np.diff(horizon.offset_ns) <= 0).any():
            return self._refuse("the times of the plan do not increase")
        bodies = [horizon.names.index(name) for name in self._names]
        feet = [schedule.names.index(foot) for foot in self._feet]
        needed = self._needed(horizon)
        arrays = [array[:needed, bodies] for array in (horizon.pose, horizon.velocity, horizon.acceleration)]
        arrays.append(schedule.values[:, :needed][:, :, feet])
        if not all(np.isfinite(array).all() for array in arrays):
            return self._refuse("the plan holds a number that is not finite")
        return _plan(horizon, *arrays)

    def _needed(self, horizon: Horizon) -> int:
        """Samples up to the first that lies beyond the look-ahead."""
        return int(np.searchsorted(horizon.offset_ns, self._look_ahead_ns)) + 1

    def _refuse(self, reason: str) -> Plan | None:
        self.refused += 1
        self.reason = reason
        return None


def _plan(horizon: Horizon, pose: Array, velocity: Array, acceleration: Array, contact: Array) -> Plan:
    rotation = rotations_of(pose[:, _TORSO:-1, 3:])
    in_contact = contact[0] > 0.5
    samples = tuple(
        PlanSample(
            time_ns=horizon.time_ns + offset,
            com_position=pose[i, _COM, :3],
            com_velocity=velocity[i, _COM, :3],
            com_acceleration=acceleration[i, _COM, :3],
            base_rotation=rotation[i, 0],
            base_angular_velocity=velocity[i, _TORSO, 3:],
            foot_position=pose[i, _FEET:-1, :3],
            foot_rotation=rotation[i, 1:],
            foot_velocity=velocity[i, _FEET:-1],
            foot_acceleration=acceleration[i, _FEET:-1],
            in_contact=in_contact[i],
            contact_weight=contact[1, i],
            normal_force=contact[2, i],
            zmp=pose[i, -1, :2],
        )
        for i, offset in enumerate(horizon.offset_ns[: len(pose)].tolist())
    )
    return Plan(horizon.time_ns, samples)


class PlannedContact:
    """Who stands when, from a schedule, feet by name; a schedule that lacks a foot knows nothing."""

    def __init__(self, schedule: Schedule | None, feet: Sequence[str]) -> None:
        self._known = schedule is not None and all(foot in schedule.names for foot in feet)
        if schedule is not None and self._known:
            order = [schedule.names.index(foot) for foot in feet]
            self._times = schedule.time_ns + schedule.offset_ns
            self._contact = schedule.values[0][:, order] > 0.5

    def at(self, time_ns: int) -> BoolArray | None:
        """(n_feet,) planned contact: the last point not in the future, before the start the first; None if unknown."""
        if not self._known:
            return None
        contact: BoolArray = self._contact[max(0, int(np.searchsorted(self._times, time_ns, side="right")) - 1)]
        return contact


class ReferenceEncoder:
    """Writes the sample that is valid now into one preallocated message, for people and tools.

    Bodies as in the trajectory; the wrench of a foot is its planned normal force, that of ``com`` their sum.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.message = MultiDOFJointState(
            joint_names=list(names),
            transforms=[Transform() for _ in names],
            twist=[Twist() for _ in names],
            wrench=[Wrench() for _ in names],
        )
        self.message.header.frame_id = ODOM_FRAME
        self._names = names

    def encode(self, sample: PlanSample) -> MultiDOFJointState:
        """The message; its stamp is the time at which the sample is valid."""
        horizon = plan_to_horizon(Plan(sample.time_ns, (sample,)), self._names)
        set_stamp(self.message.header.stamp, sample.time_ns)
        for i in range(len(self._names)):
            set_vector(self.message.transforms[i].translation, horizon.pose[0, i])
            set_quaternion(self.message.transforms[i].rotation, horizon.pose[0, i, 3:])
            set_twist(self.message.twist[i], horizon.velocity[0, i, :3], horizon.velocity[0, i, 3:])
        for i, force in enumerate(sample.normal_force):
            self.message.wrench[_FEET + i].force.z = float(force)
        self.message.wrench[_COM].force.z = float(sample.normal_force.sum())
        return self.message
