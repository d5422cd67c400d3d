"""NumPy views into message arrays, so that filling a preallocated message copies numbers and allocates nothing."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def zeros(count: int) -> array.array[float]:
    """A message array of ``count`` zeros (``array.array('d')``: rclpy checks lists element by element, this not)."""
    return array.array("d", bytes(8 * count))


def view(values: Any) -> Array:
    """A NumPy view that shares memory with a message's ``array.array('d')``."""
    return np.frombuffer(values, dtype=np.float64) if len(values) else np.empty(0)


def set_vector(message: Any, vector: Any) -> None:
    """Write x, y, z of a Vector3 or Point."""
    message.x, message.y, message.z = float(vector[0]), float(vector[1]), float(vector[2])


def vector(message: Any) -> Array:
    """(3,) of a Vector3 or Point."""
    return np.array((message.x, message.y, message.z))


def set_quaternion(message: Any, xyzw: Any) -> None:
    """Write a Quaternion from ``[x, y, z, w]``."""
    message.x, message.y, message.z, message.w = float(xyzw[0]), float(xyzw[1]), float(xyzw[2]), float(xyzw[3])


def quaternion(message: Any) -> Array:
    """(4,) ``[x, y, z, w]`` of a Quaternion."""
    return np.array((message.x, message.y, message.z, message.w))


def set_twist(message: Any, linear: Any, angular: Any) -> None:
    """Write a Twist (or, for forces, a Wrench-like pair) from two (3,) vectors."""
    set_vector(message.linear, linear)
    set_vector(message.angular, angular)


def twist(message: Any) -> Array:
    """(6,) linear then angular of a Twist."""
    return np.concatenate((vector(message.linear), vector(message.angular)))
