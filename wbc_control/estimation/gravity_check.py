"""Which way is down, by accelerometer, by the IMU's orientation and by the soles; and what explains a contradiction."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wbc_control.spatial import GRAVITY_M_S2, Array, quaternion_to_matrix

_SLOPE_RAD = 0.6
"""Steepest ground a robot starts on: how far the soles' normal may be from gravity."""


def gravity_cause(
    specific_force: Array,
    orientation_xyzw: Sequence[float] | None,
    imu_to_base: Array,
    sole_up: Array | None,
    tolerance: float,
    settled: bool,
) -> str:
    """The likely cause of contradicting gravity directions, or an empty string.

    Args:
        specific_force: (3,) mean accelerometer reading at rest, base axes, m/s².
        orientation_xyzw: Orientation the IMU claims, four numbers; None without an IMU filter.
        imu_to_base: (3, 3) IMU frame → base frame.
        sole_up: (3,) normal of flat soles, base axes; None for point feet.
        tolerance: Angle between two directions that is refused, rad.
        settled: Whether the mean covers the whole window; the first samples of a fall are no evidence of a dead sensor.
    """
    size = float(np.linalg.norm(specific_force))
    if size < 0.2 * GRAVITY_M_S2:
        return _weak(size) if settled else ""
    if abs(size - GRAVITY_M_S2) > 0.2 * GRAVITY_M_S2:
        return (
            f"accelerometer reads {size:.2f} m/s² at rest instead of {GRAVITY_M_S2}: wrong scale, or unit not m/s²"
            if settled
            else ""
        )
    up = specific_force / size
    by_soles = None if sole_up is None else angle_between(up, sole_up)
    if orientation_xyzw is None:
        return _against_soles(by_soles)
    expected = claimed_up(orientation_xyzw, imu_to_base)
    error = angle_between(up, expected)
    if error <= tolerance:
        return ""
    soles_trust_imu = sole_up is not None and angle_between(expected, sole_up) < _SLOPE_RAD
    if (
        error > math.pi - tolerance
        and (by_soles is None or by_soles > _SLOPE_RAD)
        and (sole_up is None or soles_trust_imu)
    ):
        return (
            "accelerometer points down at rest (−g): it reports gravity, not specific force; REP-145 wants +g upwards"
        )
    return _explain_orientation(up, orientation_xyzw, imu_to_base, tolerance, error)


def _weak(size: float) -> str:
    if abs(size - 1.0) < 0.1:
        return "accelerometer reads 1 at rest: its unit is g, wanted m/s²"
    found = f"accelerometer reads {size:.2f} m/s² at rest instead of {GRAVITY_M_S2}"
    return f"{found}: filled with zeros, gravity removed, or not connected"


def _against_soles(by_soles: float | None) -> str:
    if by_soles is None or by_soles <= _SLOPE_RAD:
        return ""
    if by_soles > math.pi - _SLOPE_RAD:
        return "accelerometer points down at rest (−g): REP-145 wants +g upwards"
    found = f"accelerometer and soles disagree on up by {math.degrees(by_soles):.0f}°"
    return f"{found}: IMU mounted otherwise than the model says"


def _explain_orientation(up: Array, xyzw: Sequence[float], imu_to_base: Array, tolerance: float, error: float) -> str:
    """Try the usual mistakes and name the one that fits."""
    x, y, z, w = xyzw
    readings = {
        "IMU quaternion is in order w, x, y, z; wanted x, y, z, w": (y, z, w, x),
        "IMU quaternion is inverted (world in IMU frame)": (-x, -y, -z, w),
    }
    for cause, reading in readings.items():
        if angle_between(up, claimed_up(reading, imu_to_base)) <= tolerance:
            return cause
    return (
        f"accelerometer and IMU orientation disagree on up by {math.degrees(error):.0f}°: "
        "IMU mounted otherwise than the model says, or axes swapped"
    )


def claimed_up(orientation_xyzw: Sequence[float], imu_to_base: Array) -> Array:
    """(3,) up in base axes according to an IMU orientation."""
    return imu_to_base.dot(quaternion_to_matrix(orientation_xyzw)[2])


def angle_between(a: Array, b: Array) -> float:
    """Angle between two unit vectors, rad."""
    return math.acos(min(max(float(a.dot(b)), -1.0), 1.0))
