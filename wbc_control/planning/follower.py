"""A target that may jump, followed smoothly: position, velocity and acceleration stay continuous.

Third-order critically damped lag, (d/dt + λ)³ e = 0 with e = x − target, solved in closed form
e(t) = (c₀ + c₁ t + c₂ t²) exp(−λ t), so that a whole horizon costs one exponential.
"""
from __future__ import annotations

import numpy as np

from wbc_control.planning.quintic import Boundary
from wbc_control.spatial import Array

_SETTLING = 8.4
"""λ · t at which (1 + λt + λ²t²/2) exp(−λt) has fallen to 1 %."""


class SmoothFollower:
    """Follows a target vector with C² output.

    Args:
        value: (d,) where it starts, at rest.
        settling_time: s after which 99 % of a jump of the target is made; > 0.
    """

    def __init__(self, value: Array, settling_time: float) -> None:
        self._rate = _SETTLING / settling_time
        self.target = value.astype(np.float64)
        self.value = self.target.copy()
        self.velocity = np.zeros_like(self.target)
        self.acceleration = np.zeros_like(self.target)

    @property
    def rate(self) -> float:
        """λ, 1/s."""
        return self._rate

    def coefficients(self) -> Array:
        """(3, d): c₀, c₁, c₂ of the error's closed form, from the present state."""
        lam, e = self._rate, self.value - self.target
        c1 = self.velocity + lam * e
        return np.stack((e, c1, 0.5 * (self.acceleration + 2.0 * lam * c1 - lam**2 * e)))

    def preview(self, times: Array) -> Boundary:
        """Position, velocity, acceleration, each (k, d), at ``times`` (k,) s from now with the present target."""
        lam, t = self._rate, times[:, None]
        c0, c1, c2 = self.coefficients()
        decay = np.exp(-lam * t)
        poly = c0 + t * (c1 + t * c2)
        slope = c1 + 2.0 * t * c2
        error = poly * decay
        rate = (slope - lam * poly) * decay
        return self.target + error, rate, (2.0 * c2 - 2.0 * lam * slope + lam**2 * poly) * decay

    def advance(self, dt: float) -> None:
        """Move ``dt`` s ahead."""
        position, velocity, acceleration = self.preview(np.array([dt]))
        self.value, self.velocity, self.acceleration = position[0], velocity[0], acceleration[0]

    def jump(self, value: Array) -> None:
        """Be at ``value`` (d,) at rest, without a trace of the past."""
        self.target, self.value = value.astype(np.float64), value.astype(np.float64)
        self.velocity, self.acceleration = np.zeros_like(self.value), np.zeros_like(self.value)
