"""Small vector algebra the filter's speed rests on: many cross products at once, and single vectors as plain floats.

A NumPy call costs about as much as thirty multiplications of Python floats: one vector is handled as floats, many as
one matrix product (``numpy.cross`` costs more than a whole filter step).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wbc_control.spatial import Array

Vector = tuple[float, float, float]
"""Three plain floats."""

_LEVI_CIVITA = np.zeros((3, 9))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _LEVI_CIVITA[_k, 3 * _i + _j] = -1.0
    _LEVI_CIVITA[_k, 3 * _j + _i] = 1.0
_IDENTITY = np.eye(3)
_SMALL_SQUARED = 1e-8


def skews(vectors: Array) -> Array:
    """Cross-product matrices (…, 3, 3) of vectors (…, 3): ``skews(a) @ b = a × b`` and ``b @ skews(a) = b × a``."""
    return vectors.dot(_LEVI_CIVITA).reshape(vectors.shape[:-1] + (3, 3))


def rotation_of(rotation_vector: Array) -> Array:
    """Rotation matrix (3, 3) of a rotation vector, rad (Rodrigues; series below 1e-4 rad)."""
    hat = rotation_vector.dot(_LEVI_CIVITA).reshape(3, 3)
    sine, cosine = rodrigues(float(rotation_vector.dot(rotation_vector)))
    return _IDENTITY + sine * hat + cosine * hat.dot(hat)


def rodrigues(angle_squared: float) -> tuple[float, float]:
    """sin φ/φ and (1 − cos φ)/φ² of an angle φ, rad, given its square; series below 1e-4 rad."""
    if angle_squared < _SMALL_SQUARED:
        return 1.0 - angle_squared / 6.0, 0.5 - angle_squared / 24.0
    angle = math.sqrt(angle_squared)
    return math.sin(angle) / angle, (1.0 - math.cos(angle)) / angle_squared


def turned(x: float, y: float, z: float, vector: Sequence[float]) -> Vector:
    """A vector turned by the rotation vector (x, y, z), rad: v + (sin φ/φ)·a×v + ((1 − cos φ)/φ²)·a×(a×v)."""
    u, v, w = vector
    sine, cosine = rodrigues(x * x + y * y + z * z)
    a, b, c = y * w - z * v, z * u - x * w, x * v - y * u
    return (
        u + sine * a + cosine * (y * c - z * b),
        v + sine * b + cosine * (z * a - x * c),
        w + sine * c + cosine * (x * b - y * a),
    )


def turned_axes(x: float, y: float, z: float, axes: list[float]) -> list[float]:
    """Three axes, nine numbers one after another, of a body that turns about *its own* axes by (x, y, z), rad."""
    ax, ay, az, bx, by, bz, cx, cy, cz = axes
    s, c = rodrigues(x * x + y * y + z * z)
    xx, yy, zz, xy, xz, yz = c * x * x, c * y * y, c * z * z, c * x * y, c * x * z, c * y * z
    x, y, z = s * x, s * y, s * z
    # Columns of the rotation matrix: where each axis goes, in the old axes.
    p, q, r = 1.0 - yy - zz, xy + z, xz - y
    t, u, v = xy - z, 1.0 - xx - zz, yz + x
    d, e, f = xz + y, yz - x, 1.0 - xx - yy
    return [
        p * ax + q * bx + r * cx,
        p * ay + q * by + r * cy,
        p * az + q * bz + r * cz,
        t * ax + u * bx + v * cx,
        t * ay + u * by + v * cy,
        t * az + u * bz + v * cz,
        d * ax + e * bx + f * cx,
        d * ay + e * by + f * cy,
        d * az + e * bz + f * cz,
    ]


def quaternion_of_axes(axes: list[float]) -> list[float]:
    """Unit quaternion x, y, z, w, w ≥ 0, of three orthonormal axes, nine numbers (Shepperd's method, 1978)."""
    ax, ay, az, bx, by, bz, cx, cy, cz = axes
    trace = ax + by + cz
    if trace >= ax and trace >= by and trace >= cz:
        x, y, z, w = bz - cy, cx - az, ay - bx, 1.0 + trace
    elif ax >= by and ax >= cz:
        x, y, z, w = 1.0 - trace + 2.0 * ax, ay + bx, az + cx, bz - cy
    elif by >= cz:
        x, y, z, w = ay + bx, 1.0 - trace + 2.0 * by, bz + cy, cx - az
    else:
        x, y, z, w = az + cx, bz + cy, 1.0 - trace + 2.0 * cz, ay - bx
    scale = math.copysign(1.0 / math.sqrt(x * x + y * y + z * z + w * w), w)
    return [scale * x, scale * y, scale * z, scale * w]


def small_rotation_between(estimate: Array, reference: Array) -> Array:
    """Rotation vector (3,) ξ with ``estimate ≈ Exp(ξ)·reference``, exact in direction, sine of the angle in length.

    The sine grows like the angle up to 90° and never blows up, which is what a filter's innovation needs.
    """
    _, xy, xz, yx, _, yz, zx, zy, _ = estimate.dot(reference.T).ravel().tolist()
    return np.array([0.5 * (zy - yz), 0.5 * (xz - zx), 0.5 * (yx - xy)])
