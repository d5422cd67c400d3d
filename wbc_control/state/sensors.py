"""What the sensors say: joints, IMU, foot wrenches, and the sample that bundles them."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.state.checks import Array, BoolArray, check_shape


@dataclass(frozen=True, slots=True)
class JointState:
    """Measured joints, in the robot model's joint order.

    Attributes:
        time_ns: Time of the measurement, ns.
        position: (n,) rad or m.
        velocity: (n,) rad/s or m/s.
        effort: (n,) N·m or N; zeros where the robot does not measure it.
    """

    time_ns: int
    position: Array
    velocity: Array
    effort: Array

    def __post_init__(self) -> None:
        shape = self.position.shape
        check_shape("JointState.velocity", self.velocity, shape)
        check_shape("JointState.effort", self.effort, shape)


@dataclass(frozen=True, slots=True)
class ImuSample:
    """One IMU reading in the IMU's own frame (REP-145).

    Attributes:
        time_ns: Time of the measurement, ns.
        orientation_xyzw: (4,) orientation of the IMU frame in world by the IMU's own filter; NaN where it has none.
        angular_velocity: (3,) rad/s, IMU frame.
        linear_acceleration: (3,) m/s², specific force in the IMU frame (+g upwards at rest).
    """

    time_ns: int
    orientation_xyzw: Array
    angular_velocity: Array
    linear_acceleration: Array

    def __post_init__(self) -> None:
        check_shape("ImuSample.orientation_xyzw", self.orientation_xyzw, (4,))
        check_shape("ImuSample.angular_velocity", self.angular_velocity, (3,))
        check_shape("ImuSample.linear_acceleration", self.linear_acceleration, (3,))


@dataclass(frozen=True, slots=True)
class SensorSample:
    """All sensors at one control tick.

    Attributes:
        time_ns: Time of the tick, ns; never decreases.
        joints: Newest joint state.
        imu: Newest IMU reading.
        foot_wrenches: (n_feet, 6) force then torque that the ground exerts on each foot, in its sole frame, about the
            sole's origin, N and N·m, feet in the robot model's order (weight of the foot below the sensor included).
        wrench_time_ns: (n_feet,) int64 time of each wrench, ns.
        wrench_valid: (n_feet,) whether each foot has a wrench sensor that has spoken.
    """

    time_ns: int
    joints: JointState
    imu: ImuSample
    foot_wrenches: Array
    wrench_time_ns: Array
    wrench_valid: BoolArray

    def __post_init__(self) -> None:
        feet = self.wrench_valid.shape[0]
        check_shape("SensorSample.foot_wrenches", self.foot_wrenches, (feet, 6))
        check_shape("SensorSample.wrench_time_ns", self.wrench_time_ns, (feet,))
