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


_EXPONENTS = np.arange(6)
_FIRST, _SECOND = np.arange(1.0, 6.0), np.array([2.0, 6.0, 12.0, 20.0])

_COEFFICIENTS = np.array(
    # Rows: s^0 .. s^5.  Columns: value, slope, curvature at 0, then at 1.
    [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.5, 0.0, 0.0, 0.0],
        [-10.0, -6.0, -1.5, 10.0, -4.0, 0.5],
        [15.0, 8.0, 1.5, -15.0, 7.0, -1.0],
        [-6.0, -3.0, -0.5, 6.0, -3.0, 0.5],
    ]
)


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
        """Position, velocity and acceleration, each (k, d), at increasing ``times`` (k,), s; at rest before 0 and
        after the end.

        Leaving the interval keeps C² where the end's velocity and acceleration are 0.
        """
        share = times / self.duration
        powers = np.minimum(np.maximum(share, 0.0), 1.0)[:, None] ** _EXPONENTS
        rate = 1.0 / self.duration
        c = self.coefficients
        position = powers @ c
        velocity = powers[:, :5] @ (c[1:] * _FIRST[:, None] * rate)
        acceleration = powers[:, :4] @ (c[2:] * _SECOND[:, None] * rate**2)
        if share[0] < 0.0 or share[-1] > 1.0:
            still = (share < 0.0) | (share > 1.0)
            velocity[still] = acceleration[still] = 0.0
        return position, velocity, acceleration


def quintic(start: Boundary, end: Boundary, duration: float) -> Quintic:
    """The quintic from ``start`` to ``end``, each (position, velocity, acceleration) of shape (d,), in ``duration``
    s."""
    square = duration * duration
    knots = np.array((start[0], start[1] * duration, start[2] * square, end[0], end[1] * duration, end[2] * square))
    return Quintic(_COEFFICIENTS @ knots, duration)


def at_rest(position: Array) -> Boundary:
    """Boundary values of standing still at ``position`` (d,)."""
    return position, np.zeros_like(position), np.zeros_like(position)


def smooth_step(times: Array, duration: float) -> Boundary:
    """Scalar quintic from 0 to 1 in ``duration`` s: value, rate and second rate, each (k,), at ``times`` (k,)."""
    value, rate, second = quintic(at_rest(np.zeros(1)), at_rest(np.ones(1)), duration).evaluate(times)
    return value[:, 0], rate[:, 0], second[:, 0]
