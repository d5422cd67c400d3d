"""Messages as `ros2 bag` writes them: what rclpy serialises is what the decoder gives back."""

from __future__ import annotations

import numpy as np
import pytest

from wbc_control.recorded.cdr import decoder_of

STAMP = "================================================================================\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"
HEADER = (
    "================================================================================\nMSG: std_msgs/Header\n"
    "builtin_interfaces/Time stamp\nstring frame_id\n"
)
JOINT_STATE = (
    "# a comment\nstd_msgs/Header header\n\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n"
    + HEADER + STAMP
)  # fmt: skip


def test_joint_states_survive_the_wire() -> None:
    serialization = pytest.importorskip("rclpy.serialization", reason="needs rclpy (extra `ros`)")
    from sensor_msgs.msg import JointState

    message = JointState(name=["l_knee", "ankle"], position=[0.5, -1.25], velocity=[], effort=[3.0, 4.0])
    message.header.stamp.sec, message.header.stamp.nanosec, message.header.frame_id = 7, 250_000_000, "odd"
    found = decoder_of("sensor_msgs/msg/JointState", JOINT_STATE)(serialization.serialize_message(message))
    assert found is not None
    assert found["header"] == {"stamp": {"sec": 7, "nanosec": 250_000_000}, "frame_id": "odd"}
    assert found["name"] == ["l_knee", "ankle"] and list(found["velocity"]) == []
    np.testing.assert_array_equal(found["position"], [0.5, -1.25])
    np.testing.assert_array_equal(found["effort"], [3.0, 4.0])


def test_a_message_cut_short_is_no_message() -> None:
    decode = decoder_of("sensor_msgs/msg/JointState", JOINT_STATE)
    assert decode(b"\x00\x01\x00\x00\x07\x00") is None
