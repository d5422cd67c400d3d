"""Quintic Hermite basis, and the smooth stop used when no newer reference arrives."""
from __future__ import annotations

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


def hermite_basis(share: float, duration: float) -> Array:
    """(3, 6): rows give position, velocity, acceleration from [p₀, v₀, a₀, p₁, v₁, a₁] at ``share`` in [0, 1]."""
    s, rate = share, 1.0 / duration
    s2 = s * s
    s3 = s2 * s
    powers = np.array(
        [
            [1.0, s, s2, s3, s2 * s2, s2 * s3],
            [0.0, rate, 2.0 * s * rate, 3.0 * s2 * rate, 4.0 * s3 * rate, 5.0 * s2 * s2 * rate],
            [0.0, 0.0, 2.0 * rate * rate, 6.0 * s * rate * rate, 12.0 * s2 * rate * rate, 20.0 * s3 * rate * rate],
        ]
    )
    basis = powers @ _POWERS
    scale = (1.0, duration, duration * duration)
    basis[:, 1] *= scale[1]
    basis[:, 2] *= scale[2]
    basis[:, 4] *= scale[1]
    basis[:, 5] *= scale[2]
    return basis


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
