"""Pose and velocity of the floating base from IMU and stance feet, around the invariant filter."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.estimation.correction_turns import CorrectionTurns
from wbc_control.estimation.invariant_filter import InvariantFilter
from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.estimation.sensor_intake import Intake
from wbc_control.estimation.stance import StanceWeights
from wbc_control.estimation.start_pose import start_rotation
from wbc_control.estimation.vectors import Vector, quaternion_of_axes, small_rotation_between
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array, yaw_matrix, yaw_of

_LONGEST_STEP_S = 0.02


class BaseObserver:
    """Runs the filter and speaks of the base frame.

    Args:
        model: Robot with a floating base and an IMU.

    Attributes:
        filter: The invariant filter of the IMU's point, base axes.
        imu: Newest angular velocity, rad/s, and specific force, m/s², base axes, bias not removed; six numbers.
        spin: Angular velocity of the base, base axes, bias removed, rad/s.
        acceleration: Specific force of the base origin, m/s², and angular acceleration, rad/s², base axes, low-passed.
        jump: Change of the accelerometer in the last IMU period, m/s².
        seen: Per foot, world axes: place from the base origin, m; velocity, m/s, and angular velocity, rad/s, of the
            sole; force, N, and torque, N·m, of the ground.
        to_base: Base origin from the IMU, world axes, m.
        resting_velocity: Of each foot's point that rests in contact, world, m/s: rolling of spherical feet removed.
    """

    def __init__(self, model: RobotModel) -> None:
        n_feet = len(model.feet)
        self.filter = InvariantFilter(n_feet)
        self.stance = StanceWeights(model)
        self._to_base = np.array(model.imu_placement.rotation).T
        self._aligned = bool(np.array_equal(self._to_base, np.eye(3)))
        self._offset = np.array(model.imu_placement.translation)
        self._offset_list: list[float] = self._offset.tolist()
        self.radius = np.array([foot.radius for foot in model.feet])
        self._radii: list[float] = self.radius.tolist()
        self._rolls, self._numbers = bool(self.radius.any()), range(n_feet)
        self.imu, self.acceleration = [0.0] * 6, [0.0] * 6
        self._bias = [0.0] * 6
        self.spin: Vector = (0.0, 0.0, 0.0)
        self.jump = 0.0
        self._unseen = (0.0, 0.0)
        self._frames, self._vectors = np.zeros((4 * n_feet, 3)), np.zeros((n_feet, 4, 3))
        self._places, self._axes = self._frames[:n_feet], self._frames[n_feet:].reshape(n_feet, 3, 3)
        self.seen: list[list[list[float]]] = [[[0.0, 0.0, 0.0]] * 5] * n_feet
        self.to_base: Vector = (0.0, 0.0, 0.0)
        self.resting_velocity: list[Vector] = [(0.0, 0.0, 0.0)] * n_feet
        self._errors, self._rolling = np.zeros(3 + 3 * n_feet), np.zeros((n_feet, 3))
        self._heading: Array | None = None
        self.turns, self._since_rotation_s = CorrectionTurns(), math.inf
        self._gained_stance: list[bool] = []
        self._was_doubtful = False

    @property
    def rotation(self) -> Array:
        """(3, 3) base frame → world."""
        return self.filter.rotation

    def start(self, intake: Intake, legs: LegKinematics, parameters: EstimatorParameters) -> None:
        """Place the world: origin on the ground amid the feet, x along the base's heading."""
        self.imu = self._in_base_axes(intake.now.gyro_and_accelerometer)
        oriented = parameters.base.orientation == "auto" and intake.orientation.time_ns >= 0
        measured = self._measured_rotation(intake) if oriented else None
        rotation = start_rotation(measured, np.array(self.imu[3:]), legs)
        self._heading = None if measured is None else yaw_matrix(-yaw_of(measured))
        offset = (legs.foot_position - self._offset).dot(rotation.T)
        ground = np.zeros(3)
        if len(offset):
            ground = offset.mean(axis=0)
            ground[2] = (offset[:, 2] - self.radius).min()
        self.filter.reset(rotation, -ground, offset - ground, parameters)
        self.turns.reset()
        self._since_rotation_s, self._gained_stance = math.inf, []
        self._bias = [0.0] * 6
        self._note_spin()

    def _measured_rotation(self, intake: Intake) -> Array:
        """(3, 3) base axes → the IMU's own world."""
        return intake.orientation_matrix().dot(self._to_base)

    def _note_spin(self) -> None:
        imu, bias = self.imu, self._bias
        self.spin = (imu[0] - bias[0], imu[1] - bias[1], imu[2] - bias[2])

    def _in_base_axes(self, reading: Array) -> list[float]:
        """Six numbers, IMU axes → base axes."""
        if self._aligned:
            return reading.tolist()
        return reading.reshape(2, 3).dot(self._to_base).ravel().tolist()

    def predict(self, intake: Intake, dt: float) -> None:
        """Integrate the IMU to the present.

        Between readings the last one is held; when the next arrives after T, what the held one left out against the
        trapezoid, ½(new − old)·T, is made up for.  So a slow IMU is integrated to second order too.
        """
        step = min(dt, _LONGEST_STEP_S)
        wx, wy, wz, fx, fy, fz = self.imu
        if intake.new_imu:
            a, b, c, d, e, f = self.imu = self._in_base_axes(intake.now.gyro_and_accelerometer)
            a, b, c, d, e, f = a - wx, b - wy, c - wz, d - fx, e - fy, f - fz
            self.jump = math.sqrt(d * d + e * e + f * f)
            if intake.imu_period_s > 1.5 * dt:
                self._note_unseen(a * a + b * b + c * c, d * d + e * e + f * f, intake.imu_period_s)
            share = 0.5 * min(intake.imu_period_s, _LONGEST_STEP_S) / step
            wx, wy, wz, fx, fy, fz = (
                wx + a * share,
                wy + b * share,
                wz + c * share,
                fx + d * share,
                fy + e * share,
                fz + f * share,
            )
        a, b, c, d, e, f = self._bias
        reading = (wx - a, wy - b, wz - c, fx - d, fy - e, fz - f)
        self.filter.integrate(reading, step)
        if dt > step:
            blind = dt - step
            self.filter.inflate(2.0 * blind, 0.5 * blind, blind)
            self.turns.settle()
        self._note_spin()

    def _note_unseen(self, spin_squared: float, force_squared: float, period_s: float) -> None:
        """What happens between the readings of a slow IMU is noise to the filter: the wilder they change, the more.

        A third of the change each axis, as variance lasting one period; else impacts would shake the velocity of a robot
        whose IMU speaks at 200 Hz until it falls.
        """
        spin, force = self._unseen
        share = period_s / 9.0
        self._unseen = (max(spin, spin_squared * share), max(force, force_squared * share))

    def note_acceleration(self, imu: Array, imu_change: Array, dt: float) -> None:
        """Compute :attr:`acceleration`: specific force of the base origin, m/s², and angular acceleration, rad/s², base axes.

        From a low-passed IMU reading (6,), IMU frame, and its change over ``dt`` s: f − α×r − ω×(ω×r).
        """
        bias = self._bias
        x, y, z, fx, fy, fz = self._in_base_axes(imu)
        x, y, z, fx, fy, fz = x - bias[0], y - bias[1], z - bias[2], fx - bias[3], fy - bias[4], fz - bias[5]
        ax, ay, az, *_ = self._in_base_axes(imu_change)
        ax, ay, az = ax / dt, ay / dt, az / dt
        rx, ry, rz = self._offset_list
        along, square = x * rx + y * ry + z * rz, x * x + y * y + z * z
        self.acceleration = [
            fx - (ay * rz - az * ry) - x * along + rx * square,
            fy - (az * rx - ax * rz) - y * along + ry * square,
            fz - (ax * ry - ay * rx) - z * along + rz * square,
            ax,
            ay,
            az,
        ]

    def see_feet(self, legs: LegKinematics) -> None:
        """All feet from the present estimate of the base; ``legs.sole_vectors`` holding the ground's wrenches."""
        np.dot(legs.frames, self.filter.vectors[:3], self._frames)
        np.matmul(legs.sole_vectors, self._axes, self._vectors)
        vx, vy, vz = self._note_base_origin()
        self.seen = seen = []
        for place, (velocity, spin, force, torque), radius, k in zip(
            self._places.tolist(), self._vectors.tolist(), self._radii, self._numbers, strict=True
        ):
            x, y, z = velocity[0] + vx, velocity[1] + vy, velocity[2] + vz
            seen.append([place, [x, y, z], spin, force, torque])
            # A sphere that rolls moves its centre by spin × radius·z over the resting contact point.
            self.resting_velocity[k] = (x - spin[1] * radius, y + spin[0] * radius, z)

    def _note_base_origin(self) -> Vector:
        """Velocity of the base origin in world, m/s; it moves against the IMU's point by −ω × r."""
        (x, y, z), (rx, ry, rz) = self.spin, self._offset_list
        a, b, c = y * rz - z * ry, z * rx - x * rz, x * ry - y * rx
        xx, xy, xz, yx, yy, yz, zx, zy, zz, vx, vy, vz, *_ = self.filter.row
        self.to_base = -(xx * rx + yx * ry + zx * rz), -(xy * rx + yy * ry + zy * rz), -(xz * rx + yz * ry + zz * rz)
        return vx - xx * a - yx * b - zx * c, vy - xy * a - yy * b - zy * c, vz - xz * a - yz * b - zz * c

    @property
    def foot_offset(self) -> Array:
        """(N, 3) soles from the IMU, world axes, m."""
        return np.array([foot[0] for foot in self.seen]).reshape(-1, 3) + self.to_base

    def place_foot(self, foot: int, parameters: EstimatorParameters) -> None:
        """Anchor a foot where it is now (touchdown, or while sliding)."""
        offset = np.add(self.seen[foot][0], self.to_base)
        self.filter.place_foot(foot, offset, parameters.base.foot_position_noise**2)

    def correct(
        self,
        stance: list[bool],
        force: list[float],
        speeds: list[float],
        intake: Intake,
        dt: float,
        parameters: EstimatorParameters,
    ) -> bool:
        """Use resting feet and the IMU's own orientation as measurements, when it is time to; whether it was.

        Args:
            stance: Whether each foot rests.
            force: Normal force of each, N.
            speeds: Speed of each resting point in world, m/s.
            intake: Sensors.
            dt: Time since the last call, s.
            parameters: Noise.
        """
        turns, changed = self.turns, stance != self._gained_stance
        turns.pass_time(dt)
        if not (changed or turns.due()):
            return False
        elapsed = turns.begin()
        if self._rolls:
            self._roll_anchors(elapsed)
        kalman, settings = self.filter, parameters.base
        expected = kalman.velocity_variance
        doubtful = self.stance.gate(stance, speeds, expected, settings)
        if changed or turns.gains_due or doubtful or self._was_doubtful:
            spins = [foot[2] for foot in self.seen]
            self.stance.weigh(stance, force, speeds, spins, expected, settings)
            self._refresh_gains(parameters)
            self._gained_stance, self._was_doubtful = stance, doubtful
        if turns.orientation_due:
            self._use_orientation(intake, parameters)
        if self.stance.any_stance:
            self._errors[:] = self._stance_errors(stance)
            kalman.correct_stance(self._errors)
        self._bias = kalman.bias.ravel().tolist()
        turns.end()
        return True

    def _roll_anchors(self, dt: float) -> None:
        self._rolling[:] = [(foot[2][1] * r * dt, -foot[2][0] * r * dt, 0.0) for foot, r in zip(self.seen, self._radii)]
        self.filter.points[2:] += self._rolling

    def _stance_errors(self, stance: list[bool]) -> list[float]:
        """Velocity of the resting feet, then of each foot where its anchor is against where kinematics see it."""
        errors = self.stance.velocity_error(self.resting_velocity)
        (x, y, z, *anchors), (a, b, c) = self.filter.flat[12:].tolist(), self.to_base
        x, y, z = x + a, y + b, z + c
        for k, stands in enumerate(stance):
            if stands:
                u, v, w = self.seen[k][0]
                errors += [anchors[3 * k] - x - u, anchors[3 * k + 1] - y - v, anchors[3 * k + 2] - z - w]
            else:
                errors += [0.0, 0.0, 0.0]
        return errors

    def _refresh_gains(self, parameters: EstimatorParameters) -> None:
        kalman, (spanned, corrections) = self.filter, self.turns.take_gains()
        kalman.propagate(spanned, parameters, *self._unseen)
        self._unseen = (0.0, 0.0)
        kalman.diagonal[3 : kalman.rotation_at] += self.stance.drift * spanned
        lever = np.array(self.stance.share).dot(self.foot_offset)
        kalman.absorb_stance(self.stance.variances, corrections, lever)
        self._since_rotation_s += spanned

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

    def base_state(self) -> tuple[list[float], list[float]]:
        """Position in world, m, and quaternion x, y, z, w of the base, seven numbers; velocity, base axes, six numbers."""
        xx, xy, xz, yx, yy, yz, zx, zy, zz, vx, vy, vz, px, py, pz = self.filter.flat[:15].tolist()
        (x, y, z), (rx, ry, rz) = self.spin, self._offset_list
        pose = [px - xx * rx - yx * ry - zx * rz, py - xy * rx - yy * ry - zy * rz, pz - xz * rx - yz * ry - zz * rz]
        pose += quaternion_of_axes([xx, xy, xz, yx, yy, yz, zx, zy, zz])
        return pose, [
            vx * xx + vy * xy + vz * xz - y * rz + z * ry,
            vx * yx + vy * yy + vz * yz - z * rx + x * rz,
            vx * zx + vy * zy + vz * zz - x * ry + y * rx,
            x,
            y,
            z,
        ]
