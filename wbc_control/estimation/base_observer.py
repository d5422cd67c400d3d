"""Pose and velocity of the floating base from IMU and stance feet, around the invariant filter."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.estimation.invariant_filter import InvariantFilter
from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.estimation.sensor_intake import Intake
from wbc_control.estimation.stance import StanceWeights
from wbc_control.estimation.start_pose import start_rotation
from wbc_control.estimation.vectors import small_rotation_between
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array, yaw_matrix, yaw_of

_LONGEST_STEP_S = 0.02
_GAIN_PERIOD_S = 0.004
_SETTLING_TICKS = 25
"""After the start and after a gap the gains fall so fast that each tick needs its own."""


class BaseObserver:
    """Runs the filter and speaks of the base frame.

    Args:
        model: Robot with a floating base and an IMU.

    Attributes:
        filter: The invariant filter of the IMU's point, base axes.
        imu: (2, 3) newest angular velocity, rad/s, and specific force, m/s², base axes, bias not removed.
        spin: Angular velocity of the base, base axes, bias removed, rad/s.
        jump: Change of the accelerometer in the last IMU period, m/s².
        foot_offset: (N, 3) soles from the IMU, world axes, m.
        foot_velocity: (N, 3) of the sole origin in world, m/s.
        resting_velocity: (N, 3) likewise of the point that rests in contact: rolling of spherical feet removed.
        foot_spin: (N, 3) angular velocity of the soles, world axes, rad/s.
    """

    def __init__(self, model: RobotModel) -> None:
        n_feet = len(model.feet)
        self.filter = InvariantFilter(n_feet)
        self.stance = StanceWeights(model)
        self._to_base = np.array(model.imu_placement.rotation).T
        self._offset = np.array(model.imu_placement.translation)
        self._offset_list = self._offset.tolist()
        self.radius = np.array([foot.radius for foot in model.feet])
        self._rolls = bool(self.radius.any())
        self.imu, self._from_imu = np.zeros((2, 3)), np.zeros((2, 3))
        self.spin = [0.0, 0.0, 0.0]
        self.jump = 0.0
        self.foot_offset, self.foot_velocity, self.foot_spin = np.zeros((3, n_feet, 3))
        self.resting_velocity, self._rolling = np.zeros((n_feet, 3)), np.zeros((n_feet, 3))
        self._errors = np.zeros(3 + 3 * n_feet)
        self._foot_errors = self._errors[3:].reshape(n_feet, 3)
        self._heading: Array | None = None
        self._since_gain_s, self._since_rotation_s = 0.0, math.inf
        self._gained_stance: list[bool] = []
        self._was_doubtful, self._settling = False, _SETTLING_TICKS

    @property
    def rotation(self) -> Array:
        """(3, 3) base frame → world."""
        return self.filter.rotation

    def start(self, intake: Intake, legs: LegKinematics, parameters: EstimatorParameters) -> None:
        """Place the world: origin on the ground amid the feet, x along the base's heading."""
        self.imu = intake.now.imu.dot(self._to_base)
        oriented = parameters.base.orientation == "auto" and intake.orientation.time_ns >= 0
        measured = self._measured_rotation(intake) if oriented else None
        rotation = start_rotation(measured, self.imu[1], legs)
        self._heading = None if measured is None else yaw_matrix(-yaw_of(measured))
        self.foot_offset = (legs.foot_position - self._offset).dot(rotation.T)
        ground = np.zeros(3)
        if len(self.foot_offset):
            ground = self.foot_offset.mean(axis=0)
            ground[2] = (self.foot_offset[:, 2] - self.radius).min()
        self.filter.reset(rotation, -ground, self.foot_offset - ground, parameters)
        self._since_gain_s, self._since_rotation_s, self._gained_stance = 0.0, math.inf, []
        self.spin, self._settling = self.imu[0].tolist(), _SETTLING_TICKS

    def _measured_rotation(self, intake: Intake) -> Array:
        """(3, 3) base axes → the IMU's own world."""
        return intake.orientation_matrix().dot(self._to_base)

    def predict(self, intake: Intake, dt: float) -> None:
        """Integrate the IMU to the present.

        Between readings the last one is held; when the next arrives after T, what the held one left out against the
        trapezoid, ½(new − old)·T, is made up for.  So a slow IMU is integrated to second order too.
        """
        step = min(dt, _LONGEST_STEP_S)
        reading = self.imu - self.filter.bias
        if intake.new_imu:
            imu = intake.now.imu.dot(self._to_base)
            change = imu - self.imu
            self.imu = imu
            x, y, z = change[1].tolist()
            self.jump = math.sqrt(x * x + y * y + z * z)
            change *= 0.5 * min(intake.imu_period_s, _LONGEST_STEP_S) / step
            reading += change
        self.filter.integrate(reading, step)
        if dt > step:
            blind = dt - step
            self.filter.inflate(2.0 * blind, 0.5 * blind, blind)
            self._settling = _SETTLING_TICKS
        self.spin = (self.imu[0] - self.filter.bias[0]).tolist()

    def base_acceleration(self, imu: Array, imu_change: Array, dt: float) -> list[float]:
        """Six numbers: specific force of the base origin, m/s², and angular acceleration, rad/s², base axes.

        From a low-passed IMU reading (2, 3), IMU frame, and its change over ``dt`` s: f − α×r − ω×(ω×r).
        """
        (x, y, z), (fx, fy, fz) = (imu.dot(self._to_base) - self.filter.bias).tolist()
        ax, ay, az = (imu_change[0] / dt).dot(self._to_base).tolist()
        rx, ry, rz = self._offset_list
        along, square = x * rx + y * ry + z * rz, x * x + y * y + z * z
        return [
            fx - (ay * rz - az * ry) - x * along + rx * square,
            fy - (az * rx - ax * rz) - y * along + ry * square,
            fz - (ax * ry - ay * rx) - z * along + rz * square,
            ax,
            ay,
            az,
        ]

    def see_feet(self, legs: LegKinematics) -> None:
        """Offsets and velocities of the feet in world axes from the present estimate of the base."""
        rotation, (x, y, z), (rx, ry, rz) = self.filter.rotation, self.spin, self._offset_list
        # Seen from the base origin, which moves against the IMU's point by −ω × r.
        self._from_imu[0] = rx, ry, rz
        self._from_imu[1] = y * rz - z * ry, z * rx - x * rz, x * ry - y * rx
        shift = self._from_imu.dot(rotation.T)
        shift[1] -= self.filter.points[0]
        world = legs.foot_motion.reshape(-1, 3).dot(rotation.T).reshape(legs.foot_motion.shape)
        world[:, :2] -= shift
        self.foot_offset, self.foot_velocity, self.foot_spin = world[:, 0], world[:, 1], world[:, 2]
        self.resting_velocity = self.foot_velocity
        if self._rolls:
            # A sphere that rolls moves its centre by spin × radius·z over the resting contact point.
            self._rolling[:, 0] = self.foot_spin[:, 1] * self.radius
            self._rolling[:, 1] = self.foot_spin[:, 0] * -self.radius
            self.resting_velocity = self.foot_velocity - self._rolling

    def place_foot(self, foot: int, parameters: EstimatorParameters) -> None:
        """Anchor a foot where it is now (touchdown, or while sliding)."""
        self.filter.place_foot(foot, self.foot_offset[foot], parameters.base.foot_position_noise**2)

    def correct(
        self,
        stance: list[bool],
        force: list[float],
        speeds: list[float],
        intake: Intake,
        dt: float,
        parameters: EstimatorParameters,
    ) -> None:
        """Use resting feet and the IMU's own orientation as measurements.

        Args:
            stance: Whether each foot rests.
            force: Normal force of each, N.
            speeds: Speed of each resting point in world, m/s.
            intake: Sensors.
            dt: Time since the last call, s.
            parameters: Noise.
        """
        kalman, settings = self.filter, parameters.base
        if self._rolls:
            kalman.points[2:] += self._rolling * dt
        self._since_gain_s += dt
        expected = float(kalman.diagonal[0] + kalman.diagonal[1])
        doubtful = self.stance.gate(stance, speeds, expected, settings)
        due = self._since_gain_s >= _GAIN_PERIOD_S - 1e-9 or stance != self._gained_stance
        if due or doubtful or self._was_doubtful or self._settling > 0:
            self._settling -= 1
            self.stance.weigh(stance, force, speeds, self.foot_spin.tolist(), expected, settings)
            self._refresh_gains(dt, parameters)
            self._use_orientation(intake, parameters)
            self._gained_stance, self._was_doubtful = stance, doubtful
        if self.stance.any_stance:
            self._errors[:3] = self.stance.velocity_error(self.resting_velocity)
            np.subtract(kalman.points[2:] - kalman.points[1], self.foot_offset, out=self._foot_errors)
            self._foot_errors *= self.stance.standing
            kalman.correct_stance(self._errors)

    def _refresh_gains(self, dt: float, parameters: EstimatorParameters) -> None:
        kalman, spanned = self.filter, self._since_gain_s
        kalman.propagate(spanned, parameters)
        kalman.diagonal[3 : kalman.rotation_at] += self.stance.drift * spanned
        lever = self.stance.share.dot(self.foot_offset)
        kalman.absorb_stance(self.stance.variances, max(spanned / dt, 1.0), lever)
        self._since_rotation_s += spanned
        self._since_gain_s = 0.0

    def _use_orientation(self, intake: Intake, parameters: EstimatorParameters) -> None:
        """Fuse the IMU's own orientation; its errors stay alike for a while, so it counts once in that time."""
        fresh = intake.orientation.time_ns >= 0 and intake.orientation.time_ns == intake.gyro.time_ns
        if not fresh or parameters.base.orientation != "auto":
            return
        base = parameters.base
        measured = self._measured_rotation(intake)
        if self._heading is None:  # the IMU's filter spoke up late: its heading means nothing, ours stays
            self._heading = yaw_matrix(yaw_of(self.rotation) - yaw_of(measured))
        spanned = min(self._since_rotation_s, base.orientation_correlation)
        self._since_rotation_s = 0.0
        self.filter.absorb_rotation(
            base.orientation_noise**2 * max(base.orientation_correlation / max(spanned, 1e-4), 1.0)
        )
        self.filter.correct_rotation(small_rotation_between(self.filter.rotation, self._heading.dot(measured)))

    def base_position(self) -> Array:
        """(3,) base origin in world, m."""
        return self.filter.points[1] - self.filter.rotation.dot(self._offset)

    def base_velocity(self) -> list[float]:
        """Velocity of the base origin, base axes, m/s."""
        vx, vy, vz = self.filter.points[0].dot(self.filter.rotation).tolist()
        (x, y, z), (rx, ry, rz) = self.spin, self._offset_list
        return [vx - y * rz + z * ry, vy - z * rx + x * rz, vz - x * ry + y * rx]
