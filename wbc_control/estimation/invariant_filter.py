"""Right-invariant extended Kalman filter of an IMU whose robot stands on feet.

Source: Hartley, Ghaffari, Eustice, Grizzle, "Contact-aided invariant extended Kalman filtering for robot state
estimation", IJRR 39(4), 2020.  State X = (R, v, p, d₁…d_N) in SE_{N+2}(3) with gyro and accelerometer bias; the error
is right-invariant, η = X̂X⁻¹ = Exp(ξ), so that its dynamics and all measurements here do not depend on the trajectory.

Three changes make it fast.  The error coordinates of a foot are e_k = ξ_dk − ξ_p (foot against base), so that every
measurement *is* a block of coordinates, the innovation covariance a leading block of P plus a diagonal, and no H exists
anywhere.  Beside the position of a stance foot its zero velocity is used, v + R(ω×h + Jq̇) = 0, whose error is ξ_v
alone.  And the mean is integrated and corrected every tick, while covariance and gains, which change slowly, follow
every few ticks or at once when a contact changes.

The tracked frame sits at the IMU, with the base's axes.
Error coordinates, in order: [ξ_v, e_1 … e_N, ξ_R, ξ_p, gyro bias, accelerometer bias], 3 each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from wbc_control.estimation.vectors import skews, turned, turned_axes
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import GRAVITY_M_S2, Array

_GRAVITY = np.array([0.0, 0.0, -GRAVITY_M_S2])
_GRAVITY_SKEW = skews(_GRAVITY)
_IDENTITY = np.eye(3)


class InvariantFilter:
    """Pose, velocity, IMU bias and anchor of each foot, with their covariance.

    Args:
        n_feet: Number of feet N.

    Attributes:
        vectors: (N + 5, 3) the whole mean but the bias, every row a vector in world: the base's three axes, then the
            points below.  A correction turns them all, and one product does it.
        flat: The same numbers one after another.
        row: The first 15 of them after the last integration, as plain numbers.
        rotation: (3, 3) base axes → world; a view of ``vectors``.
        points: (N + 2, 3) view: velocity m/s, position of the IMU m, then the anchor of each foot m.
        bias: (2, 3) gyro, rad/s, and accelerometer, m/s², base axes.
        velocity_variance: Sum of the variances of the horizontal velocity when covariance was last computed, m²/s².
        covariance: (15 + 3N, 15 + 3N) of the error coordinates of the module's docstring.
        rotation_at, position_at, bias_at: Where those coordinates begin; also the number of stance measurements.
    """

    def __init__(self, n_feet: int) -> None:
        self.n_feet, n = n_feet, 15 + 3 * n_feet
        self.rotation_at = 3 + 3 * n_feet
        self.position_at, self.bias_at = self.rotation_at + 3, self.rotation_at + 6
        self.vectors = np.vstack([np.eye(3), np.zeros((n_feet + 2, 3))])
        self.flat = self.vectors.reshape(-1)
        self._head = self.flat[:15]
        self.row: list[float] = self._head.tolist()
        self.rotation, self.points = self.vectors[:3].T, self.vectors[3:]
        self.bias, self.velocity_variance = np.zeros((2, 3)), 0.0
        self.covariance = np.eye(n)
        self.diagonal = self.covariance.reshape(-1)[:: n + 1]
        self._transition, self._scratch = np.eye(n), np.zeros((n, n))
        # Rows of A that gyro noise and bias enter through: levers of v, feet and p, and the identity for R.
        self._levers = np.zeros((n_feet + 3, 3))
        self._noise_map = np.zeros((n_feet + 3, 3, 3))
        self._to_step = _step_from_errors(n_feet)
        self._gain = np.zeros((len(self._to_step), self.rotation_at))
        self._rotation_gain = np.zeros((len(self._to_step), 3))
        # A step of the mean with a view on each part: turn, bias, shift of every row of ``vectors``.
        self._step, self._turned = np.zeros(len(self._to_step)), np.zeros((n_feet + 5, 3))
        self._turn, self._shift = self._step[:3], self._step[9:].reshape(-1, 3)
        self._bias_step = self._step[3:9].reshape(2, 3)

    def reset(self, rotation: Array, position: Array, anchors: Array, parameters: EstimatorParameters) -> None:
        """Start at rest at a pose; tilt known to 0.1 rad, heading and position by definition."""
        base, at, diagonal = parameters.base, self.rotation_at, self.diagonal
        self.rotation[:] = rotation
        self.points[0], self.points[1], self.points[2:] = 0.0, position, anchors
        self.bias[:] = 0.0
        self.covariance[:] = 0.0
        diagonal[:3] = 0.1**2
        diagonal[3:at] = base.foot_position_noise**2
        diagonal[at : at + 2], diagonal[at + 2 : at + 6] = 0.1**2, 1e-8
        diagonal[at + 6 : at + 9] = base.gyro_bias_start**2
        diagonal[at + 9 :] = base.accelerometer_bias_start**2
        self._gain[:], self._rotation_gain[:] = 0.0, 0.0
        self._note_variance()

    def _note_variance(self) -> None:
        self.velocity_variance = float(self.diagonal[0] + self.diagonal[1])

    def integrate(self, reading: Sequence[float], dt: float) -> None:
        """Move the mean by one bias-free IMU reading over ``dt`` s (midpoint rule).

        Args:
            reading: Six numbers: angular velocity, rad/s, and specific force, m/s², base axes.
            dt: Time, s.
        """
        rx, ry, rz, *force = reading
        rx, ry, rz = rx * dt, ry * dt, rz * dt
        fx, fy, fz = turned(0.5 * rx, 0.5 * ry, 0.5 * rz, force)
        *axes, vx, vy, vz, px, py, pz = self._head.tolist()
        xx, xy, xz, yx, yy, yz, zx, zy, zz = axes
        ax = (xx * fx + yx * fy + zx * fz) * dt
        ay = (xy * fx + yy * fy + zy * fz) * dt
        az = (xz * fx + yz * fy + zz * fz - GRAVITY_M_S2) * dt
        row = self.row = turned_axes(rx, ry, rz, axes)
        row += (vx + ax, vy + ay, vz + az)
        row += (px + (vx + 0.5 * ax) * dt, py + (vy + 0.5 * ay) * dt, pz + (vz + 0.5 * az) * dt)
        self._head[:] = row

    def propagate(
        self, dt: float, parameters: EstimatorParameters, unseen_spin: float = 0.0, unseen_force: float = 0.0
    ) -> None:
        """Covariance over ``dt`` s: P ← ΦPΦᵀ + Q with Φ = I + A·dt (Hartley eq. 56 in this module's coordinates).

        Args:
            dt: Time, s.
            parameters: Noise densities.
            unseen_spin: Added to the gyro's, (rad/s)²/Hz: what a slow IMU did not see.
            unseen_force: Likewise to the accelerometer's, (m/s²)²/Hz.
        """
        base, transition, diagonal, used = parameters.base, self._transition, self.diagonal, self.bias_at
        noise_map = self._map_gyro_noise()
        transition[:used, used : used + 3] = noise_map.dot(self.rotation * -dt)
        transition[:3, used + 3 :] = self.rotation * -dt
        self._couple(dt)
        transition.dot(self.covariance, out=self._scratch)
        self._scratch.dot(transition.T, out=self.covariance)
        self.covariance[:used, :used] += noise_map.dot(noise_map.T) * ((base.gyro_noise**2 + unseen_spin) * dt)
        diagonal[:3] += (base.accelerometer_noise**2 + unseen_force) * dt
        diagonal[used : used + 3] += base.gyro_bias_walk**2 * dt
        diagonal[used + 3 :] += base.accelerometer_bias_walk**2 * dt
        # One Newton step towards orthonormality keeps rounding from ever accumulating.
        axes = self.vectors[:3]
        axes[:] = (1.5 * _IDENTITY - 0.5 * axes.dot(axes.T)).dot(axes)

    def _map_gyro_noise(self) -> Array:
        """(9 + 3N, 3) adjoint columns of a rotation: v×, (d_k − p)×, 1 and p×."""
        n_feet, levers = self.n_feet, self._levers
        levers[0] = self.points[0]
        np.subtract(self.points[2:], self.points[1], out=levers[1 : n_feet + 1])
        levers[-1] = self.points[1]
        self._noise_map[:] = skews(levers)
        self._noise_map[-2] = _IDENTITY
        return self._noise_map.reshape(-1, 3)

    def _couple(self, dt: float) -> None:
        """Constant blocks of A: gravity turns tilt into velocity, velocity moves feet and position."""
        at, transition = self.rotation_at, self._transition
        transition[:3, at : at + 3] = _GRAVITY_SKEW * dt
        for start in range(3, at, 3):
            transition[start : start + 3, :3] = _IDENTITY * -dt
        transition[at + 3 : at + 6, :3] = _IDENTITY * dt

    def place_foot(self, foot: int, offset_world: Array, variance: float) -> None:
        """Forget a foot's anchor and put it where kinematics see it: (3,) from the IMU in world axes, m² variance."""
        start = 3 + 3 * foot
        self.points[2 + foot] = self.points[1] + offset_world
        self.covariance[start : start + 3] = 0.0
        self.covariance[:, start : start + 3] = 0.0
        self.diagonal[start : start + 3] = variance

    def inflate(self, velocity: float, rotation: float, position: float) -> None:
        """Add standard deviations, m/s, rad and m, after a time the filter was blind.

        The base moved against feet that stood: what ξ_p gains, every e_k = ξ_dk − ξ_p loses.
        """
        at = self.rotation_at
        self.diagonal[:3] += velocity**2
        self.diagonal[at : at + 3] += rotation**2
        self._note_variance()
        moved = np.zeros((self.covariance.shape[0], 3))
        moved[3:at] = np.tile(-position * _IDENTITY, (self.n_feet, 1))
        moved[at + 3 : at + 6] = position * _IDENTITY
        self.covariance += moved.dot(moved.T)

    def absorb_stance(self, variances: Array, ticks: float, lever: Array | None = None) -> None:
        """Covariance after ``ticks`` stance measurements, and the gain of each.

        Args:
            variances: (3 + 3N,) of the velocity and of each foot's position; huge where there is none.
            ticks: Measurements that the propagation before this spanned.
            lever: (3,) mean offset of the resting feet, world axes, m: the measured velocity contains ω × lever, and so
                the gyro's bias; None where it does not.
        """
        cross = self.covariance[:, : self.rotation_at].copy()
        at = slice(self.bias_at, self.bias_at + 3)
        spun = None if lever is None else skews(lever).dot(self.rotation)
        if spun is not None:
            cross[:, :3] += self.covariance[:, at].dot(spun.T)
        innovation = cross[: self.rotation_at].copy()
        if spun is not None:
            innovation[:3] += spun.dot(cross[at])
        self._gain = self._absorb(cross, innovation, variances, ticks)
        self._note_variance()

    def absorb_rotation(self, variance: float) -> None:
        """Covariance after one orientation measurement, rad², and its gain."""
        measured = slice(self.rotation_at, self.rotation_at + 3)
        cross = self.covariance[:, measured].copy()
        self._rotation_gain = self._absorb(cross, cross[measured].copy(), np.full(3, variance), 1.0)

    def _absorb(self, cross: Array, innovation: Array, variances: Array, ticks: float) -> Array:
        innovation.reshape(-1)[:: len(variances) + 1] += variances / ticks
        gain = cross.dot(np.linalg.inv(innovation))
        gain.dot(cross.T, out=self._scratch)
        np.subtract(self.covariance, self._scratch, out=self._scratch)
        np.add(self._scratch, self._scratch.T, out=self.covariance)
        self.covariance *= 0.5
        # n equal steps of the joint gain's share leave the same weight on the measurements.
        return np.asarray(self._to_step.dot(gain / ticks))

    def correct_stance(self, errors: Array) -> None:
        """Move the mean by (3 + 3N,) measured ξ_v, e_1 … e_N, estimate minus measurement; 0 where there is none."""
        self._apply(self._gain, errors)

    def correct_rotation(self, error: Array) -> None:
        """Move the mean by a measured ξ_R (3,), rad."""
        self._apply(self._rotation_gain, error)

    def _apply(self, gain: Array, error: Array) -> None:
        """X ← Exp(−ξ)·X, bias ← bias − ζ; the left Jacobian is 1 to first order in a step far below a degree."""
        np.dot(gain, error, self._step)
        np.dot(self.vectors, pin.exp3(self._turn).T, self._turned)
        np.add(self._turned, self._shift, self.vectors)
        np.add(self.bias, self._bias_step, self.bias)


def _step_from_errors(n_feet: int) -> Array:
    """(24 + 3N, 15 + 3N) map from measured error to the step that undoes it: −ξ_R, −ζ, and −ξ of each of ``vectors``.

    The axes are only turned; a foot's ξ_d is e_k + ξ_p.
    """
    step = np.zeros((24 + 3 * n_feet, 15 + 3 * n_feet))
    rotation, position, bias = (
        slice(3 + 3 * n_feet, 6 + 3 * n_feet),
        slice(6 + 3 * n_feet, 9 + 3 * n_feet),
        9 + 3 * n_feet,
    )
    step[:3, rotation] = -_IDENTITY
    step[3:9, bias:] = -np.eye(6)
    step[18:21, :3] = -_IDENTITY
    step[21:24, position] = -_IDENTITY
    for k in range(n_feet):
        at = slice(24 + 3 * k, 27 + 3 * k)
        step[at, 3 + 3 * k : 6 + 3 * k] = -_IDENTITY
        step[at, position] = -_IDENTITY
    return step
