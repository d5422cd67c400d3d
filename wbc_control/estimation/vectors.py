"""Cross products of many vectors at once by matrix products (``numpy.cross`` costs more than a whole filter step)."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.spatial import Array

_LEVI_CIVITA = np.zeros((3, 9))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _LEVI_CIVITA[_k, 3 * _i + _j] = -1.0
    _LEVI_CIVITA[_k, 3 * _j + _i] = 1.0
_IDENTITY = np.eye(3)


def skews(vectors: Array) -> Array:
    """Cross-product matrices (…, 3, 3) of vectors (…, 3): ``skews(a) @ b = a × b`` and ``b @ skews(a) = b × a``."""
    return vectors.dot(_LEVI_CIVITA).reshape(vectors.shape[:-1] + (3, 3))


def rotation_of(rotation_vector: Array) -> Array:
    """Rotation matrix (3, 3) of a rotation vector, rad (Rodrigues; series below 1e-4 rad)."""
    squared = float(rotation_vector.dot(rotation_vector))
    hat = rotation_vector.dot(_LEVI_CIVITA).reshape(3, 3)
    if squared < 1e-8:
        return _IDENTITY + hat + 0.5 * hat.dot(hat)
    angle = math.sqrt(squared)
    return _IDENTITY + (math.sin(angle) / angle) * hat + ((1.0 - math.cos(angle)) / squared) * hat.dot(hat)


def small_rotation_between(estimate: Array, reference: Array) -> Array:
    """Rotation vector (3,) ξ with ``estimate ≈ Exp(ξ)·reference``, exact in direction, sine of the angle in length.

    The sine grows like the angle up to 90° and never blows up, which is what a filter's innovation needs.
    """
    relative = estimate.dot(reference.T)
    return 0.5 * np.array(
        [relative[2, 1] - relative[1, 2], relative[0, 2] - relative[2, 0], relative[1, 0] - relative[0, 1]]
    )
