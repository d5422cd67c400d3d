"""Skeletons of the ROS messages that are recorded: the field names of the standard messages, and nothing invented."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbc_control.simulation.recording_json import NUMBER

Skeleton = dict[str, Any]


def stamp_values(time_ns: int) -> tuple[int, int]:
    """Seconds and nanoseconds: the first two numbers of every stamped message."""
    return divmod(time_ns, 1_000_000_000)


def header(frame_id: str = "") -> Skeleton:
    """std_msgs/Header."""
    return {"stamp": {"sec": NUMBER, "nanosec": NUMBER}, "frame_id": frame_id}


def joint_state(names: Sequence[str]) -> Skeleton:
    """sensor_msgs/JointState; numbers: stamp, positions, velocities, efforts."""
    columns = {column: [NUMBER] * len(names) for column in ("position", "velocity", "effort")}
    return {"header": header(), "name": list(names), **columns}


def scalars(names: Sequence[str]) -> Skeleton:
    """sensor_msgs/JointState of named scalars; numbers: stamp, values."""
    return {"header": header(), "name": list(names), "position": [NUMBER] * len(names)}


def vector3() -> Skeleton:
    """geometry_msgs/Vector3 and Point."""
    return dict.fromkeys("xyz", NUMBER)


def quaternion() -> Skeleton:
    """geometry_msgs/Quaternion."""
    return dict.fromkeys("xyzw", NUMBER)


def imu(frame_id: str) -> Skeleton:
    """sensor_msgs/Imu; numbers: stamp, quaternion x y z w, rad/s, m/s²."""
    vectors = {"orientation": quaternion(), "angular_velocity": vector3(), "linear_acceleration": vector3()}
    return {"header": header(frame_id), **vectors}


def wrench(frame_id: str) -> Skeleton:
    """geometry_msgs/WrenchStamped; numbers: stamp, N, N·m."""
    return {"header": header(frame_id), "wrench": {"force": vector3(), "torque": vector3()}}


def twist() -> Skeleton:
    """geometry_msgs/Twist; numbers: m/s, rad/s."""
    return {"linear": vector3(), "angular": vector3()}


def odometry(frame_id: str, child_frame_id: str) -> Skeleton:
    """nav_msgs/Odometry; numbers: stamp, position, quaternion x y z w, twist in the child's frame."""
    pose = {"pose": {"position": vector3(), "orientation": quaternion()}}
    return {
        "header": header(frame_id),
        "child_frame_id": child_frame_id,
        "pose": pose,
        "twist": {"twist": twist()},
    }


def point(frame_id: str) -> Skeleton:
    """geometry_msgs/PointStamped; numbers: stamp, m."""
    return {"header": header(frame_id), "point": vector3()}


def multi_dof(names: Sequence[str], frame_id: str) -> Skeleton:
    """sensor_msgs/MultiDOFJointState; numbers: stamp, then poses of all names, then twists, then wrenches."""
    count = len(names)
    return {
        "header": header(frame_id),
        "joint_names": list(names),
        "transforms": [{"translation": vector3(), "rotation": quaternion()} for _ in range(count)],
        "twist": [twist() for _ in range(count)],
        "wrench": [{"force": vector3(), "torque": vector3()} for _ in range(count)],
    }


def numbers(count: int) -> Skeleton:
    """std_msgs/Float64MultiArray without a layout; numbers: data."""
    return {"data": [NUMBER] * count}
