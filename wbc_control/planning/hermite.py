"""Quintic Hermite polynomials, and the smooth stop used when no newer reference arrives."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from wbc_control.planning.quintic import Boundary
from wbc_control.spatial import Array

_POWERS = np.array(
    # Columns: s^0 .. s^5.  Rows: value at 0, slope at 0, curvature at 0, value at 1, slope at 1, curvature at 1.
    [
        [1.0, 0.0, 0.0, -10.0, 15.0, -6.0],
        [0.0, 1.0, 0.0, -6.0, 8.0, -3.0],
        [0.0, 0.0, 0.5, -1.5, 1.5, -0.5],
        [0.0, 0.0, 0.0, 10.0, -15.0, 6.0],
        [0.0, 0.0, 0.0, -4.0, 7.0, -3.0],
        [0.0, 0.0, 0.0, 0.5, -1.0, 0.5],
    ]
).T.copy()


_ORDERS = np.arange(1.0, 6.0)[:, None]


def hermite_coefficients(knots: Array, duration: float) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration as polynomials of the share s of an interval that has passed.

    Args:
        knots: (6, m) position, velocity, acceleration at the start, then at the end.
        duration: Length of the interval, s.

    Returns:
        Three (6, m) arrays of the coefficients of s⁰ … s⁵.
    """
    all_orders = (_three_orders(duration) @ knots).reshape(3, 6, -1)
    return all_orders[0], all_orders[1], all_orders[2]


@lru_cache(maxsize=16)
def _three_orders(duration: float) -> Array:
    """(18, 6): knots to the coefficients of position, velocity and acceleration."""
    position = _POWERS * np.array([1.0, duration, duration * duration] * 2)
    velocity, acceleration = np.zeros_like(position), np.zeros_like(position)
    velocity[:5] = _ORDERS / duration * position[1:]
    acceleration[:5] = _ORDERS / duration * velocity[1:]
    return np.vstack([position, velocity, acceleration])


def braking_state(position: Array, velocity: Array, acceleration: Array, elapsed: float, duration: float) -> Boundary:
    """State ``elapsed`` s after letting a moving point stop in ``duration`` s: C² at both ends, at rest afterwards.

    The velocity is the cubic Hermite polynomial from (v, a) to (0, 0); any shape of arrays.
    """
    s = min(max(elapsed / duration, 0.0), 1.0)
    h_v, h_a = 1.0 - 3.0 * s**2 + 2.0 * s**3, duration * s * (1.0 - s) ** 2
    i_v = duration * (s - s**3 + 0.5 * s**4)
    i_a = duration**2 * (0.5 * s**2 - 2.0 / 3.0 * s**3 + 0.25 * s**4)
    d_v, d_a = 6.0 * (s * s - s) / duration, 1.0 - 4.0 * s + 3.0 * s * s
    return (
        position + i_v * velocity + i_a * acceleration,
        h_v * velocity + h_a * acceleration,
        d_v * velocity + d_a * acceleration,
    )
