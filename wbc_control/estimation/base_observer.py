"""Pose and velocity of the floating base from IMU and stance feet, around the invariant filter."""
from __future__ import annotations

import numpy as np

from wbc_control.estimation.invariant_filter import InvariantFilter
from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.estimation.sensor_intake import Intake
from wbc_control.estimation.stance import StanceWeights
from wbc_control.estimation.start_pose import start_rotation
from wbc_control.estimation.vectors import skews, small_rotation_between
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array, yaw_matrix, yaw_of

_LONGEST_STEP_S = 0.02


class BaseObserver:
    """Runs the filter and speaks of the base frame.

    Args:
        model: Robot with a floating base and an IMU.

    Attributes:
        filter: The invariant filter of the IMU frame.
        rotation: (3, 3) base frame → world.
        angular_velocity: (3,) of the base, base axes, rad/s.
        foot_offset: (N, 3) soles from the IMU, world axes, m.
        foot_velocity: (N, 3) of the sole's resting point in world, m/s, rolling of spherical feet removed.
        foot_speed: (N, 3) of the sole origin in world, m/s.
        foot_spin: (N, 3) angular velocity of the soles, world axes, rad/s.
    """

    def __init__(self, model: RobotModel) -> None:
        n_feet = len(model.feet)
        self.filter = InvariantFilter(n_feet)
        self._imu_rotation = np.array(model.imu_placement.rotation)
        self._imu_offset = np.array(model.imu_placement.translation)
        self.radius = np.array([foot.radius for foot in model.feet])
        self._stance = StanceWeights(model)
        self.rotation = np.eye(3)
        self.angular_velocity = np.zeros(3)
        self.foot_offset, self.foot_velocity = np.zeros((n_feet, 3)), np.zeros((n_feet, 3))
        self.foot_speed, self.foot_spin = np.zeros((n_feet, 3)), np.zeros((n_feet, 3))
        self._rolling = np.zeros((n_feet, 3))
        self._heading: Array | None = None
        self._errors = np.zeros(6 + 3 * n_feet)
        self._variances = np.zeros(6 + 3 * n_feet)
        self._gyro, self._accelerometer = np.zeros(3), np.zeros(3)

    def start(self, intake: Intake, legs: LegKinematics, parameters: EstimatorParameters) -> None:
        """Place the world: origin on the ground amid the feet, x along the base's heading."""
        oriented = parameters.base.orientation == "auto" and intake.orientation.time_ns >= 0
        measured = intake.orientation_matrix().dot(self._imu_rotation.T) if oriented else None
        specific_force = self._imu_rotation.dot(intake.accelerometer.value)
        self.rotation = start_rotation(measured, specific_force, legs)
        self._heading = None if measured is None else yaw_matrix(-yaw_of(measured))
        self.foot_offset = (legs.foot_position - self._imu_offset).dot(self.rotation.T)
        ground = self.foot_offset.mean(axis=0) if len(self.foot_offset) else np.zeros(3)
        if len(self.foot_offset):
            ground[2] = (self.foot_offset[:, 2] - self.radius).min()
        self.filter.reset(self.rotation.dot(self._imu_rotation), -ground, self.foot_offset - ground, parameters)
        self._gyro[:], self._accelerometer[:] = intake.gyro.value, intake.accelerometer.value

    def predict(self, intake: Intake, legs: LegKinematics, dt: float, parameters: EstimatorParameters) -> None:
        """Integrate the IMU to the present and see where that puts the feet."""
        step = min(dt, _LONGEST_STEP_S)
        gyro, accelerometer = self._mean_readings(intake, step)
        self.filter.predict(gyro, accelerometer, step, parameters)
        if dt > step:
            blind = dt - step
            self.filter.inflate(2.0 * blind, 0.5 * blind, blind)
        self._see_feet(legs)

    def _mean_readings(self, intake: Intake, dt: float) -> tuple[Array, Array]:
        """Readings that make the integral exact to second order although the newest reading is held between samples.

        Between readings the last one is held; when the next arrives after T, what the held one left out against the
        trapezoid, ½(new − old)·T, is made up for.
        """
        if not intake.new_imu:
            return self._gyro, self._accelerometer
        share = 0.5 * min(intake.imu_period_s, _LONGEST_STEP_S) / dt
        gyro = self._gyro + share * (intake.gyro.value - self._gyro)
        accelerometer = self._accelerometer + share * (intake.accelerometer.value - self._accelerometer)
        self._gyro[:], self._accelerometer[:] = intake.gyro.value, intake.accelerometer.value
        return gyro, accelerometer

    def _see_feet(self, legs: LegKinematics) -> None:
        """Offsets and velocities of the feet in world axes from the present estimate of the base."""
        self.rotation = rotation = self.filter.rotation.dot(self._imu_rotation.T)
        self.angular_velocity = self._imu_rotation.dot(self._gyro - self.filter.gyro_bias)
        transposed = rotation.T
        offset = legs.foot_position - self._imu_offset
        spin = skews(self.angular_velocity)
        self.foot_offset = offset.dot(transposed)
        self.foot_spin = (legs.foot_spin + self.angular_velocity).dot(transposed)
        self.foot_speed = (legs.foot_velocity - offset.dot(spin)).dot(transposed) + self.filter.points[0]
        # A sphere that rolls moves its centre by spin × radius·z over the resting contact point.
        self._rolling[:, 0] = self.foot_spin[:, 1] * self.radius
        self._rolling[:, 1] = self.foot_spin[:, 0] * -self.radius
        self.foot_velocity = self.foot_speed - self._rolling

    def place_foot(self, foot: int, parameters: EstimatorParameters) -> None:
        """Anchor a foot where it is now (touchdown, or after sliding)."""
        self.filter.place_foot(foot, self.foot_offset[foot], parameters.base.foot_position_noise**2)

    def correct(
        self, stance: list[bool], force: list[float], intake: Intake, dt: float, parameters: EstimatorParameters
    ) -> None:
        """Use resting feet (N booleans, with their normal forces, N) and the IMU's own orientation as measurements."""
        kalman, at = self.filter, self.filter.rotation_at
        errors, variances = self._errors, self._variances
        np.subtract(kalman.anchors - kalman.position, self.foot_offset, out=errors[3:at].reshape(-1, 3))
        weights = self._stance
        weights.weigh(stance, force, self, parameters)
        kalman.drift_feet(self._rolling, weights.drift, dt)
        errors[:3], variances[:3] = weights.velocity_error, weights.velocity_variance
        errors[3:at].reshape(-1, 3)[:] *= weights.standing
        variances[3:at].reshape(-1, 3)[:] = weights.position_variance
        measured = at
        if intake.new_imu and parameters.base.orientation == "auto" and intake.orientation.time_ns == intake.gyro.time_ns:
            measured = at + 3
            self._orientation_error(intake, parameters)
        if measured > at or weights.any_stance:
            kalman.correct(errors[:measured], variances[:measured])
            self.rotation = kalman.rotation.dot(self._imu_rotation.T)

    def _orientation_error(self, intake: Intake, parameters: EstimatorParameters) -> None:
        base, at = parameters.base, self.filter.rotation_at
        measured = intake.orientation_matrix()
        if self._heading is None:  # the IMU's filter spoke up late: its heading means nothing, ours stays
            self._heading = yaw_matrix(yaw_of(self.rotation) - yaw_of(measured.dot(self._imu_rotation.T)))
        reference = self._heading.dot(measured)
        self._errors[at:] = small_rotation_between(self.filter.rotation, reference)
        alike = max(base.orientation_correlation / max(intake.imu_period_s, 1e-4), 1.0)
        self._variances[at:] = base.orientation_noise**2 * alike

    def base_position(self) -> Array:
        """(3,) base origin in world, m."""
        return self.filter.points[1] - self.rotation.dot(self._imu_offset)

    def base_velocity(self) -> Array:
        """(3,) velocity of the base origin, base axes, m/s."""
        swing = skews(self.angular_velocity).dot(self._imu_offset)
        return self.filter.points[0].dot(self.rotation) - swing

    def specific_force(self, spin_rate: Array) -> Array:
        """(3,) bias-free specific force of the base origin, base axes, m/s², given the spin rate (3,), rad/s²."""
        at_imu = self._imu_rotation.dot(self._accelerometer - self.filter.accelerometer_bias)
        spin = skews(self.angular_velocity)
        return at_imu - skews(spin_rate).dot(self._imu_offset) - spin.dot(spin.dot(self._imu_offset))

    def spin_rate(self, change: Array, period_s: float) -> Array:
        """(3,) angular acceleration of the base, base axes, rad/s², from a change of the gyro (3,) in a period."""
        return self._imu_rotation.dot(change) / period_s
