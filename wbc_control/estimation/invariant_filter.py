"""Right-invariant extended Kalman filter of an IMU whose robot stands on feet.

Source: Hartley, Ghaffari, Eustice, Grizzle, "Contact-aided invariant extended Kalman filtering for robot state
estimation", IJRR 39(4), 2020.  State X = (R, v, p, d₁…d_N) in SE_{N+2}(3) with gyro and accelerometer bias; the error is
right-invariant, η = X̂X⁻¹ = Exp(ξ), so that its dynamics and all measurements here do not depend on the trajectory.

Two changes make it fast.  The error coordinates of a foot are e_k = ξ_dk − ξ_p (foot against base), so that every
measurement *is* a block of coordinates, the innovation covariance a leading block of P plus a diagonal, and no H exists.
And beside the position of a stance foot its zero velocity is used, v + R(ω×h + Jq̇) = 0, whose error is ξ_v alone.

Error coordinates, in order: [ξ_v, e_1 … e_N, ξ_R, ξ_p, gyro bias, accelerometer bias], 3 each.
"""
from __future__ import annotations

import numpy as np

from wbc_control.estimation.vectors import rotation_of, skews
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import GRAVITY_M_S2, Array

_GRAVITY_SKEW = skews(np.array([0.0, 0.0, -GRAVITY_M_S2]))
_IDENTITY = np.eye(3)


class InvariantFilter:
    """Pose, velocity, IMU bias and anchor of each foot, with their covariance.

    Args:
        n_feet: Number of feet N.

    Attributes:
        rotation: (3, 3) IMU frame → world.
        points: (N + 2, 3) world: velocity m/s, position of the IMU m, then the anchor of each foot m.
        gyro_bias: (3,) rad/s, IMU frame.
        accelerometer_bias: (3,) m/s², IMU frame.
        covariance: (15 + 3N, 15 + 3N) of the error coordinates of the module's docstring.
        innovation: (3 + 3N + 3,) last measured errors: velocity, feet, orientation.
    """

    def __init__(self, n_feet: int) -> None:
        self.n_feet = n_feet
        n = 15 + 3 * n_feet
        self.rotation_at = 3 + 3 * n_feet
        self.position_at, self.gyro_at, self.accelerometer_at = (self.rotation_at + 3 * i for i in (1, 2, 3))
        self.rotation = np.eye(3)
        self.points = np.zeros((n_feet + 2, 3))
        self.gyro_bias, self.accelerometer_bias = np.zeros(3), np.zeros(3)
        self.covariance = np.eye(n)
        self.innovation = np.zeros(self.rotation_at + 3)
        self._diagonal = self.covariance.reshape(-1)[:: n + 1]
        self._transition, self._period = np.eye(n), 0.0
        self._scratch, self._spare = np.zeros((n, n)), np.zeros((n, n))
        self._levers = np.zeros((n_feet + 3, 3))
        self._gain_rows = np.zeros((n_feet + 3, 3, 3))
        self._configure_rows()

    def _configure_rows(self) -> None:
        """Where the rows of (v, feet, R, p) lie among the error coordinates: they are simply the first ones."""
        self._gain_rows[-2] = _IDENTITY
        self._lever_rows = np.r_[0 : self.n_feet + 1, self.n_feet + 2]

    @property
    def velocity(self) -> Array:
        """(3,) velocity of the IMU in world, m/s (a view)."""
        return self.points[0]

    @property
    def position(self) -> Array:
        """(3,) position of the IMU in world, m (a view)."""
        return self.points[1]

    @property
    def anchors(self) -> Array:
        """(N, 3) point of each foot that rests, world, m (a view)."""
        return self.points[2:]

    def reset(self, rotation: Array, position: Array, anchors: Array, parameters: EstimatorParameters) -> None:
        """Start at rest at a pose; tilt known to 0.1 rad, heading and position by definition."""
        base = parameters.base
        self.rotation[:] = rotation
        self.points[0], self.points[1], self.points[2:] = 0.0, position, anchors
        self.gyro_bias[:], self.accelerometer_bias[:] = 0.0, 0.0
        self.innovation[:] = 0.0
        self.covariance[:] = 0.0
        at = self.rotation_at
        self._diagonal[:3] = 0.1**2
        self._diagonal[3:at] = base.foot_position_noise**2
        self._diagonal[at : at + 2], self._diagonal[at + 2] = 0.1**2, 1e-8
        self._diagonal[at + 3 : at + 6] = 1e-10
        self._diagonal[at + 6 : at + 9] = base.gyro_bias_start**2
        self._diagonal[at + 9 :] = base.accelerometer_bias_start**2

    def predict(self, gyro: Array, accelerometer: Array, dt: float, parameters: EstimatorParameters) -> None:
        """Integrate one IMU reading (3,), (3,) over ``dt`` s (Hartley eq. 53–58 without the foot part)."""
        base = parameters.base
        rotation, points = self.rotation, self.points
        self._propagate_covariance(dt, base.gyro_noise**2, base.accelerometer_noise**2)
        self._diagonal[self.gyro_at : self.gyro_at + 3] += dt * base.gyro_bias_walk**2
        self._diagonal[self.accelerometer_at :] += dt * base.accelerometer_bias_walk**2
        turn = (gyro - self.gyro_bias) * dt
        acceleration = rotation.dot(accelerometer - self.accelerometer_bias + _half_turn(turn, accelerometer))
        acceleration[2] -= GRAVITY_M_S2
        points[1] += dt * points[0] + (0.5 * dt * dt) * acceleration
        points[0] += dt * acceleration
        turned = rotation.dot(rotation_of(turn))
        # One Newton step towards orthonormality keeps rounding from ever accumulating.
        rotation[:] = 1.5 * turned - 0.5 * turned.dot(turned.T.dot(turned))

    def _propagate_covariance(self, dt: float, gyro_variance: float, accelerometer_variance: float) -> None:
        """P ← ΦPΦᵀ + Q with Φ = I + A·dt (Hartley eq. 56 in the coordinates of this module)."""
        n_feet, transition = self.n_feet, self._transition
        levers = self._levers
        levers[0] = self.points[0]
        np.subtract(self.points[2:], self.points[1], out=levers[1 : n_feet + 1])
        levers[-1] = self.points[1]
        noise_map = self._gain_rows
        noise_map[self._lever_rows] = skews(levers[self._lever_rows])
        flat = noise_map.reshape(-1, 3)
        used = self.gyro_at
        transition[:used, used : used + 3] = flat.dot(self.rotation * -dt)
        transition[:3, used + 3 :] = self.rotation * -dt
        if dt != self._period:
            self._set_constant_part(dt)
        transition.dot(self.covariance, out=self._scratch)
        self._scratch.dot(transition.T, out=self.covariance)
        self.covariance[:used, :used] += flat.dot(flat.T) * (gyro_variance * dt)
        self._diagonal[:3] += accelerometer_variance * dt

    def _set_constant_part(self, dt: float) -> None:
        """Blocks of Φ that depend on the period only: gravity on velocity, velocity on feet and position."""
        at, transition = self.rotation_at, self._transition
        self._period = dt
        transition[:3, at : at + 3] = _GRAVITY_SKEW * dt
        for start in range(3, at, 3):
            transition[start : start + 3, :3] = _IDENTITY * -dt
        transition[at + 3 : at + 6, :3] = _IDENTITY * dt

    def drift_feet(self, velocity: Array, variance_rate: Array, dt: float) -> None:
        """Move anchors by a known (N, 3) world velocity (rolling) and let them wander by (N,) m²/s."""
        self.points[2:] += velocity * dt
        self._diagonal[3 : self.rotation_at].reshape(-1, 3)[:] += (variance_rate * dt)[:, None]

    def place_foot(self, foot: int, offset_world: Array, variance: float) -> None:
        """Forget a foot's anchor and put it where kinematics see it: (3,) from the IMU in world axes, m² variance."""
        start = 3 + 3 * foot
        self.points[2 + foot] = self.points[1] + offset_world
        self.covariance[start : start + 3] = 0.0
        self.covariance[:, start : start + 3] = 0.0
        self._diagonal[start : start + 3] = variance

    def inflate(self, velocity: float, rotation: float, position: float) -> None:
        """Add standard deviations, m/s, rad and m, after a time the filter was blind."""
        at = self.rotation_at
        self._diagonal[:3] += velocity**2
        self._diagonal[at : at + 3] += rotation**2
        self._diagonal[at + 3 : at + 6] += position**2

    def correct(self, errors: Array, variances: Array) -> None:
        """One Kalman update with the first m error coordinates measured.

        Args:
            errors: (m,) measured ξ_v, e_1 … e_N (and ξ_R), estimate minus measurement; m = 3 + 3N or 6 + 3N.
            variances: (m,) of each measurement; huge where there is none.
        """
        m = errors.shape[0]
        innovation_covariance = self.covariance[:m, :m].copy()
        innovation_covariance.reshape(-1)[:: m + 1] += variances
        cross = self.covariance[:, :m]
        gain = cross.dot(np.linalg.inv(innovation_covariance))
        self.innovation[:m] = errors
        self._apply(gain.dot(errors))
        gain.dot(cross.T, out=self._scratch)
        np.subtract(self.covariance, self._scratch, out=self._spare)
        np.add(self._spare, self._spare.T, out=self.covariance)
        self.covariance *= 0.5

    def _apply(self, step: Array) -> None:
        """X ← Exp(−ξ)·X, bias ← bias − ζ; the left Jacobian is 1 to first order in a step far below a degree."""
        at, points = self.rotation_at, self.points
        turn = rotation_of(-step[at : at + 3])
        self.rotation[:] = turn.dot(self.rotation)
        points[:] = points.dot(turn.T)
        points[0] -= step[:3]
        points[1:] -= step[at + 3 : at + 6]
        points[2:] -= step[3:at].reshape(-1, 3)
        self.gyro_bias -= step[self.gyro_at : self.gyro_at + 3]
        self.accelerometer_bias -= step[self.accelerometer_at :]


def _half_turn(turn: Array, acceleration: Array) -> Array:
    """Change of a body-fixed vector's mean direction while the body turns: ½ turn × acceleration (midpoint rule)."""
    return 0.5 * skews(turn).dot(acceleration)
