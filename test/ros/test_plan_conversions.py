"""A plan survives the trip through its two messages and through the wire bytes; what does not fit is refused."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
from conversion_samples import FEET, TIME, assert_same, random_plan, random_sample, through_dds
from rclpy.serialization import deserialize_message, serialize_message
from trajectory_msgs.msg import JointTrajectory, MultiDOFJointTrajectory

from wbc_control.ros.conversions.horizon import horizon_from_message, horizon_to_message
from wbc_control.ros.conversions.horizon_wire import decode_horizon, encode_horizon
from wbc_control.ros.conversions.plan import (
    PlanDecoder,
    PlannedContact,
    ReferenceEncoder,
    body_names,
    plan_to_horizon,
    plan_to_schedule,
)
from wbc_control.ros.conversions.schedule import schedule_from_message, schedule_from_wire
from wbc_control.ros.conversions.stamps import stamp_ns
from wbc_control.state import Plan

pytestmark = pytest.mark.ros


def test_plan_survives_as_messages():
    plan, names = random_plan(), body_names("torso", FEET)
    trajectory = through_dds(horizon_to_message(plan_to_horizon(plan, names)))
    schedule = schedule_from_message(through_dds(plan_to_schedule(plan, FEET)))
    found = PlanDecoder("torso", FEET).decode(horizon_from_message(trajectory), schedule)
    assert found.time_ns == plan.time_ns and len(found.samples) == len(plan.samples)
    for one, other in zip(found.samples, plan.samples, strict=True):
        assert_same(one, other, 1e-14)


@pytest.mark.parametrize("torso", ["t", "to", "tor", "torso", "torso_", "torso_l", "torso_li", "torso_lin"])
@pytest.mark.parametrize("count", [1, 2, 21])
def test_wire_bytes_are_those_of_the_message(torso, count):
    horizon = plan_to_horizon(random_plan(count), body_names(torso, FEET))
    wire = encode_horizon(horizon)
    message = horizon_to_message(horizon)
    assert deserialize_message(wire, MultiDOFJointTrajectory) == message
    assert len(wire) == len(serialize_message(message))
    found = decode_horizon(serialize_message(message))
    assert (found.time_ns, found.names) == (horizon.time_ns, horizon.names)
    for name in ("offset_ns", "pose", "velocity", "acceleration"):
        np.testing.assert_array_equal(getattr(found, name), getattr(horizon, name))


def test_bytes_that_are_no_regular_trajectory_are_left_to_the_message_class():
    horizon = plan_to_horizon(random_plan(3), body_names("torso", FEET))
    wire = encode_horizon(horizon)
    assert decode_horizon(wire[:-40]) is None
    assert decode_horizon(b"\x00\x00" + wire[2:]) is None
    assert decode_horizon(serialize_message(MultiDOFJointTrajectory())) is None
    message = horizon_to_message(horizon)
    message.points[1].velocities = []
    assert decode_horizon(serialize_message(message)) is None
    assert horizon_from_message(message) is None
    for cut in range(0, len(wire), 7):
        decode_horizon(wire[:cut])


def test_bodies_and_feet_of_a_plan_are_matched_by_name():
    plan = random_plan(3)
    horizon = plan_to_horizon(plan, body_names("torso", FEET))
    message = horizon_to_message(horizon)
    message.joint_names = message.joint_names[::-1]
    for point in message.points:
        point.transforms, point.velocities = point.transforms[::-1], point.velocities[::-1]
        point.accelerations = point.accelerations[::-1]
    schedule = plan_to_schedule(plan, FEET)
    schedule.joint_names = ["r_sole", "l_sole"]
    for point in schedule.points:
        point.positions, point.velocities, point.effort = (
            point.positions[::-1],
            point.velocities[::-1],
            point.effort[::-1],
        )
    found = PlanDecoder("torso", FEET).decode(horizon_from_message(message), schedule_from_message(schedule))
    for one, other in zip(found.samples, plan.samples, strict=True):
        assert_same(one, other, 1e-14)


def written(plan: Plan, feet=FEET):
    """The schedule of a plan as a reader gets it."""
    return schedule_from_wire(serialize_message(plan_to_schedule(plan, feet)))


def broken_plans():
    plan = random_plan(3)
    horizon = plan_to_horizon(plan, body_names("torso", FEET))
    yield "lacks 'torso'", plan_to_horizon(plan, body_names("trunk", FEET)), written(plan)
    yield "do not fit", horizon, written(Plan(TIME, plan.samples[:2]))
    yield "lacks 'r_sole'", horizon, written(plan, ("l_sole", "other"))
    yield "do not increase", plan_to_horizon(Plan(TIME, plan.samples[::-1]), body_names("torso", FEET)), written(plan)
    nan = plan_to_horizon(plan, body_names("torso", FEET))
    nan.pose[1, 0, 0] = np.nan
    yield "not finite", nan, written(plan)


@pytest.mark.parametrize("case", range(5))
def test_plans_that_do_not_fit_are_refused_with_a_reason(case):
    words, horizon, schedule = list(broken_plans())[case]
    decoder = PlanDecoder("torso", FEET)
    assert decoder.decode(horizon, schedule) is None
    assert words in decoder.reason and decoder.refused == 1


def test_schedule_says_who_stands_now():
    first, second = random_sample(TIME), random_sample(TIME + 10_000_000)
    second.in_contact[:] = (False, True)
    schedule = written(Plan(TIME, (first, second)))
    planned = PlannedContact(schedule, FEET)
    assert planned.at(TIME + 9_999_999).tolist() == [True, False]
    assert PlannedContact(schedule, FEET[::-1]).at(TIME + 10_000_000).tolist() == [True, False]
    assert planned.at(TIME - 5).tolist() == [True, False]
    assert planned.at(TIME + 10**12).tolist() == [False, True]
    assert PlannedContact(schedule, ("other",)).at(TIME) is None
    assert PlannedContact(None, FEET).at(TIME) is None


@pytest.mark.parametrize("foot", ["l", "l_", "l_s", "l_sol", "l_sole", "left_sole"])
@pytest.mark.parametrize("count", [1, 2, 21])
def test_wire_bytes_of_a_schedule_say_what_its_message_says(foot, count):
    message = plan_to_schedule(random_plan(count), (foot, "r_sole"))
    wire, read = schedule_from_wire(serialize_message(message)), schedule_from_message(message)
    assert (wire.time_ns, wire.names) == (read.time_ns, read.names)
    np.testing.assert_array_equal(wire.offset_ns, read.offset_ns)
    np.testing.assert_array_equal(wire.values, read.values)


def test_schedules_of_others_are_left_to_the_message_class():
    message = plan_to_schedule(random_plan(3), FEET)
    message.points[1].accelerations = [1.0, 2.0]
    assert schedule_from_wire(serialize_message(message)) is None and schedule_from_message(message) is not None
    message.points[2].effort = []
    assert schedule_from_message(message) is None
    assert schedule_from_message(JointTrajectory(joint_names=list(FEET))) is None


def test_what_lies_beyond_the_look_ahead_is_left_out():
    plan = random_plan(21)
    found = PlanDecoder("torso", FEET, 0.1).decode(plan_to_horizon(plan, body_names("torso", FEET)), written(plan))
    assert [sample.time_ns for sample in found.samples] == [sample.time_ns for sample in plan.samples[:11]]
    for one, other in zip(found.samples, plan.samples):
        assert_same(one, other, 1e-14)


def test_reference_carries_the_stamp_it_is_valid_at():
    sample = random_sample(TIME)
    message = through_dds(ReferenceEncoder(body_names("torso", FEET)).encode(sample))
    assert stamp_ns(message.header.stamp) == TIME and message.joint_names[0] == "com"
    assert message.transforms[0].translation.x == sample.com_position[0]
    assert message.wrench[2].force.z == sample.normal_force[0]
