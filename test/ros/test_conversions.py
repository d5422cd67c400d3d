"""Value types survive the trip through their messages; what does not fit is refused with a reason (C7, C28)."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
from conversion_samples import FEET, NAMES, RNG, TIME, assert_same, random_joints, random_rotation, through_dds
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState as JointStateMessage
from std_msgs.msg import Float64MultiArray

from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.centroidal import CentroidalEncoder, PointEncoder, decode_centroidal
from wbc_control.ros.conversions.contact import ContactDecoder, ContactEncoder
from wbc_control.ros.conversions.diagnostics import WARN, decode_diagnostics, encode_diagnostics
from wbc_control.ros.conversions.efforts import EffortDecoder, EffortEncoder
from wbc_control.ros.conversions.joints import JointStateDecoder, JointStateEncoder
from wbc_control.ros.conversions.markers import (
    cone_marker,
    footstep_marker,
    force_marker,
    marker_array,
    polygon_marker,
    sphere_marker,
)
from wbc_control.ros.conversions.odometry import OdometryEncoder, decode_odometry
from wbc_control.ros.conversions.polygon import decode_polygon, encode_polygon
from wbc_control.ros.conversions.scalars import ScalarsEncoder, decode_scalars
from wbc_control.ros.conversions.sensors import ImuEncoder, WrenchEncoder, decode_imu, decode_wrench
from wbc_control.ros.conversions.stamps import stamp_ns
from wbc_control.ros.conversions.velocity import decode_velocity, encode_velocity
from wbc_control.ros.pictures import footsteps
from wbc_control.spatial import matrix_to_quaternion
from wbc_control.state import (
    CentroidalState,
    ContactState,
    ImuSample,
    JointCommand,
    VelocityCommand,
)

pytestmark = pytest.mark.ros


def test_joint_state_survives():
    state = random_joints()
    assert_same(JointStateDecoder(NAMES).joint_state(through_dds(JointStateEncoder(NAMES).encode(state))), state)


def test_joint_command_survives():
    command = JointCommand(TIME, *RNG.normal(size=(3, 4)))
    wire = serialize_message(JointStateEncoder(NAMES).encode(command))
    assert_same(JointStateDecoder(NAMES).joint_command_from_wire(wire), command)


def test_shuffled_joints_with_foreign_ones_are_bit_identical():
    state = random_joints()
    names = ["gripper", *NAMES, "wheel"]
    order = RNG.permutation(len(names))
    padded = np.vstack((np.zeros(3), np.array([state.position, state.velocity, state.effort]).T, np.ones(3)))
    message = JointStateEncoder([names[i] for i in order]).write(TIME, *padded[order].T)
    decoder = JointStateDecoder(NAMES)
    for _ in range(2):
        assert_same(decoder.joint_state(through_dds(message)), state)
    assert decoder.refused == 0


def test_a_new_order_in_mid_stream_is_noticed():
    state, decoder = random_joints(), JointStateDecoder(NAMES)
    decoder.joint_state(JointStateEncoder(NAMES).encode(state))
    message = JointStateEncoder(NAMES[::-1]).write(TIME, state.position[::-1], state.velocity[::-1], state.effort[::-1])
    assert_same(decoder.joint_state(message), state)


@pytest.mark.parametrize("length", [0, 3, 5])
@pytest.mark.parametrize("field", ["position", "velocity"])
def test_arrays_of_another_length_are_refused_and_counted(field, length):
    message = JointStateEncoder(NAMES).encode(random_joints())
    setattr(message, field, [0.0] * length)
    decoder = JointStateDecoder(NAMES)
    assert decoder.joint_state(message) is None
    assert decoder.refused == 1 and str(length) in decoder.reason


def test_missing_joint_is_named():
    decoder = JointStateDecoder(NAMES)
    assert decoder.joint_state(JointStateEncoder(NAMES[:2]).write(TIME, *np.zeros((3, 2)))) is None
    assert "ankle" in decoder.reason and "1 more" in decoder.reason and decoder.refused == 1
    assert decoder.joint_state(JointStateMessage()) is None and decoder.refused == 2


@pytest.mark.parametrize("effort", [[], [float("nan")] * 4])
def test_effort_that_is_not_measured_reads_zero(effort):
    message = JointStateEncoder(NAMES).encode(random_joints())
    message.effort = effort
    np.testing.assert_array_equal(JointStateDecoder(NAMES).joint_state(message).effort, np.zeros(4))


def test_imu_survives_tilted_and_moving():
    sample = ImuSample(TIME, matrix_to_quaternion(random_rotation()), RNG.normal(size=3), RNG.normal(size=3))
    encoder = ImuEncoder("imu_link")
    assert_same(decode_imu(through_dds(encoder.encode(sample))), sample)


def test_imu_without_orientation_stays_without():
    encoder = ImuEncoder("imu_link")
    sample = ImuSample(TIME, np.full(4, np.nan), RNG.normal(size=3), RNG.normal(size=3))
    assert np.isnan(decode_imu(through_dds(encoder.encode(sample))).orientation_xyzw).all()
    with_one = ImuSample(TIME, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.zeros(3))
    assert_same(decode_imu(through_dds(encoder.encode(with_one))), with_one)


def test_wrench_survives():
    wrench = RNG.normal(size=6)
    time_ns, found = decode_wrench(through_dds(WrenchEncoder("l_sole").encode(TIME, wrench)))
    assert time_ns == TIME
    np.testing.assert_array_equal(found, wrench)


def test_base_survives_tilted_and_moving():
    q = np.concatenate((RNG.normal(size=3), matrix_to_quaternion(random_rotation()), RNG.normal(size=4)))
    v = RNG.normal(size=10)
    message = through_dds(OdometryEncoder("pelvis").encode(TIME, q, v))
    base, velocity = decode_odometry(message)
    np.testing.assert_array_equal(base, q[:7])
    np.testing.assert_array_equal(velocity, v[:6])
    assert (message.header.frame_id, message.child_frame_id) == ("odom", "pelvis")


def test_a_quaternion_of_zeros_is_not_taken_for_a_rotation():
    message = Odometry()
    message.pose.pose.orientation.w = 0.0
    assert np.isnan(decode_odometry(message)[0][3:]).all()


def random_contact() -> ContactState:
    rows = RNG.uniform(size=(5, 2))
    return ContactState(TIME, np.array([True, False]), rows[0], 400 * rows[1], rows[2], np.array([2.0, 1.0]), rows[3])


@pytest.mark.parametrize("healthy", [True, False])
def test_contact_survives(healthy):
    contact = random_contact()
    decoded = ContactDecoder(FEET).decode(through_dds(ContactEncoder(FEET).encode(contact, healthy)))
    assert decoded is not None
    found, health = decoded
    assert_same(found, contact)
    assert health is healthy


def test_contact_of_a_foreign_estimator_is_read_by_probability():
    message = JointStateEncoder(["r_sole", "l_sole"]).write(TIME, [0.2, 0.9], [0.0, 0.1], [1.0, 200.0])
    decoded = ContactDecoder(FEET).decode(message)
    assert decoded is not None
    contact, healthy = decoded
    assert healthy and contact.in_contact.tolist() == [True, False] and contact.normal_force.tolist() == [200.0, 1.0]


def test_contact_without_a_foot_is_refused():
    decoder = ContactDecoder(FEET)
    assert decoder.decode(JointStateEncoder(["l_sole"]).write(TIME, [1.0], [0.0], [1.0])) is None
    assert decoder.refused == 1 and "r_sole" in decoder.reason


def test_centroidal_state_survives():
    inertia = np.diag([2.0, 3.0, 0.7]) + 0.05
    state = CentroidalState(TIME, *RNG.normal(size=(5, 3)))
    message = through_dds(CentroidalEncoder(inertia).encode(state))
    assert_same(decode_centroidal(message, inertia), state, 1e-12)
    message.wrench = []
    assert decode_centroidal(message, inertia) is None


def test_points_scalars_polygons_survive():
    point = through_dds(PointEncoder().encode(TIME, np.array([0.1, 0.2])))
    assert (point.point.x, point.point.y, point.point.z, stamp_ns(point.header.stamp)) == (0.1, 0.2, 0.0, TIME)
    scalars = decode_scalars(
        through_dds(ScalarsEncoder(("zmp_margin", "friction_use")).encode(TIME, {"zmp_margin": 0.03}))
    )
    assert scalars["zmp_margin"] == 0.03 and np.isnan(scalars["friction_use"])
    vertices = RNG.normal(size=(5, 3))
    np.testing.assert_allclose(decode_polygon(through_dds(encode_polygon(TIME, vertices))), vertices, atol=1e-6)


def test_efforts_survive_and_are_always_finite():
    effort = RNG.normal(size=4)
    encoder, decoder = EffortEncoder(4), EffortDecoder(4)
    np.testing.assert_array_equal(decoder.decode(through_dds(encoder.encode(effort))), effort)
    broken = np.array([1.0, np.nan, np.inf, -2.0])
    np.testing.assert_array_equal(decoder.decode(encoder.encode(broken)), [1.0, 0.0, 0.0, -2.0])


@pytest.mark.parametrize("data", [[], [0.0] * 3, [0.0] * 5, [0.0, 1.0, float("nan"), 0.0]])
def test_efforts_that_do_not_fit_are_refused(data):
    decoder = EffortDecoder(4)
    assert decoder.decode(Float64MultiArray(data=data)) is None
    assert decoder.refused == 1 and decoder.reason


def test_velocity_command_survives_and_refuses_nan():
    command = VelocityCommand(TIME, np.array([0.4, -0.1]), 0.3)
    message = through_dds(encode_velocity(command))
    assert_same(decode_velocity(message, TIME), command)
    message.linear.x = float("nan")
    assert decode_velocity(message, TIME) is None


def test_diagnostics_survive():
    message = through_dds(
        encode_diagnostics(TIME, "whole_body_qp: solver", WARN, "held", {"rate": 999.51234567, "misses": 3})
    )
    assert decode_diagnostics(message) == [("whole_body_qp: solver", WARN, "held", {"rate": "999.512", "misses": "3"})]


def test_pictures_point_where_the_force_does():
    arrow = force_marker(TIME, 0, np.array([0.1, 0.0, 0.0]), np.array([0.0, 0.0, 300.0]))
    assert arrow.points[1].z == pytest.approx(0.3) and arrow.points[1].x == pytest.approx(0.1)
    outline = polygon_marker(TIME, [np.zeros(2), np.ones(2), np.array([0.0, 1.0])])
    assert outline.points[0] == outline.points[-1] and len(outline.points) == 4
    assert polygon_marker(TIME, []).action == 2
    assert len(through_dds(marker_array([arrow, outline, sphere_marker(TIME, "com", 0, np.zeros(3))])).markers) == 3


@pytest.mark.parametrize("axis", [np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.6, 0.0, 0.8])])
def test_a_friction_cone_has_the_angle_of_its_coefficient(axis):
    apex = np.array([0.1, -0.2, 0.3])
    points = [np.array([p.x, p.y, p.z]) for p in cone_marker(TIME, 0, apex, axis, 0.5, 0.7).points]
    rim = np.array([point for point in points if np.linalg.norm(point - apex) > 1e-9]) - apex
    np.testing.assert_allclose(rim @ axis, 0.5)
    np.testing.assert_allclose(np.linalg.norm(rim - np.outer(rim @ axis, axis), axis=1), 0.7 * 0.5)
    assert len({tuple(np.round(point, 9)) for point in rim}) == 12
    assert cone_marker(TIME, 0, apex, axis, 0.0, 0.7).action == 2


def test_the_next_footstep_is_where_the_plan_puts_the_foot_down():
    model = RobotModel.from_parameters(load_robot("humanoid").robot)
    assert [len(corners) for corners in footsteps(model.feet, None)] == [0, 0]
    samples = []
    for k, touching in enumerate([(True, True), (True, False), (True, False), (True, True), (True, True)]):
        place = np.array([[0.0, 0.1, 0.0], [0.05 * k, -0.1, 0.0]])
        turn = np.stack([np.eye(3)] * 2)
        samples.append(SimpleNamespace(in_contact=touching, foot_position=place, foot_rotation=turn))
    left, right = footsteps(model.feet, SimpleNamespace(samples=samples))
    assert not len(left), "a foot that stays down has no next footstep"
    np.testing.assert_allclose(right, np.asarray(model.feet[1].corners) + [0.15, -0.1, 0.0])
    assert footstep_marker(TIME, 1, right).id == 1 and footstep_marker(TIME, 0, left).action == 2
