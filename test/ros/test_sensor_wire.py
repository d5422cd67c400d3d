"""Wire bytes of sensors and commands say what their messages say, whatever the length of names and frames."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
from conversion_samples import NAMES, RNG, TIME, assert_same, random_joints, random_rotation
from rclpy.serialization import serialize_message
from std_msgs.msg import Float64MultiArray, MultiArrayDimension

from wbc_control.ros.conversions.contact import ContactDecoder, row_names
from wbc_control.ros.conversions.efforts import EffortDecoder, EffortEncoder
from wbc_control.ros.conversions.joint_wire import JointStateWire
from wbc_control.ros.conversions.joints import JointStateDecoder, JointStateEncoder
from wbc_control.ros.conversions.odometry import OdometryEncoder, odometry_from_wire
from wbc_control.ros.conversions.sensor_wire import array_from_wire, imu_from_wire, wrench_from_wire
from wbc_control.ros.conversions.sensors import ImuEncoder, WrenchEncoder
from wbc_control.spatial import matrix_to_quaternion
from wbc_control.state import ImuSample

pytestmark = pytest.mark.ros

FRAMES = ["", "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"]


@pytest.mark.parametrize("frame", FRAMES)
def test_imu(frame):
    sample = ImuSample(TIME, matrix_to_quaternion(random_rotation()), RNG.normal(size=3), RNG.normal(size=3))
    assert_same(imu_from_wire(serialize_message(ImuEncoder(frame).encode(sample))), sample)


def test_imu_without_orientation():
    sample = ImuSample(TIME, np.full(4, np.nan), RNG.normal(size=3), RNG.normal(size=3))
    assert np.isnan(imu_from_wire(serialize_message(ImuEncoder("i").encode(sample))).orientation_xyzw).all()


@pytest.mark.parametrize("frame", FRAMES)
def test_wrench(frame):
    wrench = RNG.normal(size=6)
    time_ns, found = wrench_from_wire(serialize_message(WrenchEncoder(frame).encode(TIME, wrench)))
    assert time_ns == TIME
    np.testing.assert_array_equal(found, wrench)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("base", FRAMES)
def test_odometry(frame, base):
    q = np.concatenate((RNG.normal(size=3), matrix_to_quaternion(random_rotation())))
    v = RNG.normal(size=6)
    wire = serialize_message(OdometryEncoder(base, frame).encode(TIME, q, v))
    time_ns, found_q, found_v = odometry_from_wire(wire)
    assert time_ns == TIME
    np.testing.assert_array_equal(found_q, q)
    np.testing.assert_array_equal(found_v, v)
    assert all(odometry_from_wire(wire[:length]) is None for length in range(0, len(wire) - 300, 7))


@pytest.mark.parametrize("foreign", [False, True])
def test_contact(foreign):
    feet = ("l_sole", "r_sole")
    decoder, by_message = ContactDecoder(feet), ContactDecoder(feet)
    for _ in range(3):
        numbers = RNG.uniform(0.0, 1.0, size=(3, 5))
        names = list(feet) if foreign else row_names(feet)
        message = JointStateEncoder(names).write(TIME, *numbers[:, : len(names)])
        found, healthy = decoder.decode_wire(serialize_message(message))
        wanted, wanted_healthy = by_message.decode(message)
        assert_same(found, wanted)
        assert healthy is wanted_healthy
    assert (
        decoder.decode_wire(serialize_message(JointStateEncoder(["l_sole"]).write(TIME, [1.0], [0.0], [0.0]))) is None
    )
    assert decoder.refused == 1 and "r_sole" in decoder.reason


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("prefix", FRAMES)
def test_joint_states(frame, prefix):
    names = [prefix + name for name in NAMES]
    encoder, decoder = JointStateEncoder(names, frame), JointStateDecoder(names)
    for _ in range(3):
        state = random_joints()
        assert_same(decoder.joint_state_from_wire(serialize_message(encoder.encode(state))), state)
    assert decoder.refused == 0


def test_names_are_parsed_once_and_a_new_order_is_noticed():
    wire, state = JointStateWire(), random_joints()
    first = wire.read(serialize_message(JointStateEncoder(NAMES).encode(state)))
    assert wire.read(serialize_message(JointStateEncoder(NAMES).encode(random_joints()))).names is first.names
    turned = JointStateEncoder(NAMES[::-1]).write(TIME, state.position[::-1], state.velocity[::-1], state.effort[::-1])
    assert wire.read(serialize_message(turned)).names == list(NAMES[::-1])
    decoder = JointStateDecoder(NAMES)
    decoder.joint_state_from_wire(serialize_message(JointStateEncoder(NAMES).encode(random_joints())))
    assert_same(decoder.joint_state_from_wire(serialize_message(turned)), state)


@pytest.mark.parametrize("field", ["position", "velocity"])
@pytest.mark.parametrize("length", [0, 3, 5])
def test_arrays_of_another_length_are_refused_from_bytes_too(field, length):
    message, decoder = JointStateEncoder(NAMES).encode(random_joints()), JointStateDecoder(NAMES)
    assert decoder.joint_state_from_wire(serialize_message(message)) is not None
    setattr(message, field, [0.0] * length)
    assert decoder.joint_state_from_wire(serialize_message(message)) is None and decoder.refused == 1
    assert str(length) in decoder.reason


def test_effort_left_out_reads_zero_from_bytes_too():
    message = JointStateEncoder(NAMES).encode(random_joints())
    message.effort = []
    state = JointStateDecoder(NAMES).joint_state_from_wire(serialize_message(message))
    np.testing.assert_array_equal(state.effort, np.zeros(4))


def test_commands():
    effort, decoder = RNG.normal(size=4), EffortDecoder(4)
    np.testing.assert_array_equal(decoder.decode_wire(serialize_message(EffortEncoder(4).encode(effort))), effort)
    with_layout = Float64MultiArray(data=effort.tolist())
    with_layout.layout.dim = [MultiArrayDimension(label="joints", size=4, stride=4)]
    assert array_from_wire(serialize_message(with_layout)) is None
    np.testing.assert_array_equal(decoder.decode_wire(serialize_message(with_layout)), effort)
    assert decoder.decode_wire(serialize_message(Float64MultiArray())) is None and decoder.refused == 1


def test_cut_or_foreign_bytes_are_left_to_the_message_class():
    joints = serialize_message(JointStateEncoder(NAMES).encode(random_joints()))
    imu = serialize_message(ImuEncoder("i").encode(ImuSample(TIME, np.ones(4), np.ones(3), np.ones(3))))
    wrench = serialize_message(WrenchEncoder("w").encode(TIME, np.ones(6)))
    for read, wire in ((JointStateWire().read, joints), (imu_from_wire, imu), (wrench_from_wire, wrench)):
        assert read(wire) is not None and read(b"\x00\x00" + wire[2:]) is None
        assert all(read(wire[:cut]) is None for cut in range(0, len(wire) - 8, 5))
