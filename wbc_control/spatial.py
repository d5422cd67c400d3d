"""Rotations and small spatial helpers: pure NumPy, quaternions as x, y, z, w, angles in rad.

Conventions are Pinocchio's: a rotation matrix ``R`` maps coordinates of the child frame to the parent frame, a
quaternion is stored ``[x, y, z, w]``, and a tangent vector of SO(3) is a rotation vector (axis times angle).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GRAVITY_M_S2 = 9.81
"""Magnitude of gravity, m/s² (the value Pinocchio uses)."""


def skew(vector: Array) -> Array:
    """Cross-product matrix: ``skew(a) @ b == cross(a, b)``; shape (3,) → (3, 3)."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def cross(a: Array, b: Array) -> Array:
    """Cross product of two 3-vectors, without the generality (and the cost) of ``np.cross``."""
    ax, ay, az = a
    bx, by, bz = b
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def quaternion_to_matrix(xyzw: Any) -> Array:
    """Rotation matrix (3, 3) of the unit quaternion ``[x, y, z, w]``."""
    x, y, z, w = xyzw
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def matrix_to_quaternion(rotation: Array) -> Array:
    """Unit quaternion ``[x, y, z, w]`` with w ≥ 0 of a rotation matrix (Shepperd's method, 1978)."""
    trace = rotation[0, 0] + rotation[1, 1] + rotation[2, 2]
    choices = np.array([rotation[0, 0], rotation[1, 1], rotation[2, 2], trace])
    largest = int(np.argmax(choices))
    xyzw = np.empty(4)
    if largest == 3:
        xyzw[0] = rotation[2, 1] - rotation[1, 2]
        xyzw[1] = rotation[0, 2] - rotation[2, 0]
        xyzw[2] = rotation[1, 0] - rotation[0, 1]
        xyzw[3] = 1.0 + trace
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        xyzw[i] = 1.0 - trace + 2.0 * rotation[i, i]
        xyzw[j] = rotation[j, i] + rotation[i, j]
        xyzw[k] = rotation[k, i] + rotation[i, k]
        xyzw[3] = rotation[k, j] - rotation[j, k]
    xyzw /= math.copysign(float(np.linalg.norm(xyzw)), xyzw[3])
    return xyzw


def quaternion_multiply(left: Any, right: Any) -> Array:
    """Hamilton product ``left ⊗ right`` of two quaternions ``[x, y, z, w]``."""
    ax, ay, az, aw = left
    bx, by, bz, bw = right
    return np.array(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )


def quaternion_conjugate(xyzw: Any) -> Array:
    """Inverse of a unit quaternion ``[x, y, z, w]``."""
    x, y, z, w = xyzw
    return np.array([-x, -y, -z, w])


def exp_so3(rotation_vector: Array) -> Array:
    """Rotation matrix of a rotation vector, rad (Rodrigues' formula); exact to first order at zero."""
    angle = math.sqrt(float(rotation_vector @ rotation_vector))
    hat = skew(rotation_vector)
    if angle < 1e-8:
        return np.eye(3) + hat + 0.5 * hat @ hat
    return np.eye(3) + (math.sin(angle) / angle) * hat + ((1.0 - math.cos(angle)) / angle**2) * (hat @ hat)


def log_so3(rotation: Array) -> Array:
    """Rotation vector (3,), rad, norm ≤ π, of a rotation matrix; inverse of :func:`exp_so3`."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rotation.tolist()
    if xx + yy + zz < 0.0:
        return _log_so3_far(rotation)
    # Below 120° the skew part (sin θ times the axis) and the trace say it all, without a quaternion.
    x, y, z = 0.5 * (zy - yz), 0.5 * (xz - zx), 0.5 * (yx - xy)
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 1.0 if sine < 1e-9 else math.atan2(sine, 0.5 * (xx + yy + zz - 1.0)) / sine
    return np.array([scale * x, scale * y, scale * z])


def _log_so3_far(rotation: Array) -> Array:
    """Near half a turn the skew part vanishes: the quaternion keeps the axis."""
    x, y, z, w = matrix_to_quaternion(rotation)
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine
    return np.array([scale * x, scale * y, scale * z])


def roll_pitch_yaw_to_matrix(roll: float, pitch: float, yaw: float) -> Array:
    """Rotation matrix of URDF's fixed-axis roll, pitch, yaw angles, rad: Rz(yaw)·Ry(pitch)·Rx(roll)."""
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def yaw_of(rotation: Array) -> float:
    """Heading of a rotation matrix about world z, rad in (−π, π]."""
    return math.atan2(rotation[1, 0], rotation[0, 0])


def yaw_matrix(yaw: float) -> Array:
    """Rotation by ``yaw`` rad about z; shape (3, 3)."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def wrap_angle(angle: float) -> float:
    """The same angle in [−π, π), rad."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
