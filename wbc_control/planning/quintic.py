"""Quintic polynomials between two states (position, velocity, acceleration): the C² brick of every reference.

With s = t/T in [0, 1] the polynomial is Σ c_k s^k, k = 0..5; its coefficients follow from the six boundary values
(e.g. Craig, *Introduction to Robotics*, section 7.3).
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wbc_control.spatial import Array

Boundary = tuple[Array, Array, Array]
"""Position, velocity and acceleration at one end, each (d,)."""


@dataclass(frozen=True)
class Quintic:
    """A vector polynomial on [0, duration]; outside it holds the nearer end still.

    Attributes:
        coefficients: (6, d), of the powers of s = t / duration.
        duration: s, > 0.
    """

    coefficients: Array
    duration: float

    def evaluate(self, times: Array) -> Boundary:
        """Position, velocity and acceleration, each (k, d), at ``times`` (k,), s; at rest before 0 and after the end.

        Leaving the interval keeps C² where the end's velocity and acceleration are 0.
        """
        s = np.clip(times / self.duration, 0.0, 1.0)[:, None]
        moving = ((times >= 0.0) & (times <= self.duration))[:, None]
        c = self.coefficients
        position = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))))
        velocity = c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5])))
        acceleration = 2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]))
        rate = 1.0 / self.duration
        return position, np.where(moving, velocity * rate, 0.0), np.where(moving, acceleration * rate**2, 0.0)


def quintic(start: Boundary, end: Boundary, duration: float) -> Quintic:
    """The quintic from ``start`` to ``end``, each (position, velocity, acceleration) of shape (d,), in ``duration`` s."""
    p0, v0, a0 = start[0], start[1] * duration, start[2] * duration**2
    p1, v1, a1 = end[0], end[1] * duration, end[2] * duration**2
    gap = p1 - p0
    coefficients = np.stack(
        (
            p0,
            v0,
            0.5 * a0,
            10 * gap - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1,
            -15 * gap + 8 * v0 + 7 * v1 + 1.5 * a0 - a1,
            6 * gap - 3 * (v0 + v1) - 0.5 * (a0 - a1),
        )
    )
    return Quintic(coefficients, duration)


def at_rest(position: Array) -> Boundary:
    """Boundary values of standing still at ``position`` (d,)."""
    return position, np.zeros_like(position), np.zeros_like(position)


def smooth_step(times: Array, duration: float) -> Boundary:
    """Scalar quintic from 0 to 1 in ``duration`` s: value, rate and second rate, each (k,), at ``times`` (k,)."""
    value, rate, second = quintic(at_rest(np.zeros(1)), at_rest(np.ones(1)), duration).evaluate(times)
    return value[:, 0], rate[:, 0], second[:, 0]
