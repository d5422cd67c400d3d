"""Orientation of the base at the start: heading zero, tilt from the best source there is."""

from __future__ import annotations

import numpy as np

from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.spatial import GRAVITY_M_S2, Array, cross, yaw_matrix, yaw_of


def start_rotation(measured: Array | None, specific_force: Array, legs: LegKinematics) -> Array:
    """Rotation (3, 3) base frame → world with yaw 0.

    Args:
        measured: (3, 3) base frame → the IMU's world, where the IMU has its own filter.
        specific_force: (3,) accelerometer in base axes, m/s²; its direction is up if its size is near gravity.
        legs: Placed feet; their soles' normals are up where neither of the above is usable.
    """
    if measured is not None:
        return yaw_matrix(-yaw_of(measured)).dot(measured)
    return level_rotation(up_direction(specific_force, legs))


def up_direction(specific_force: Array, legs: LegKinematics) -> Array:
    """(3,) unit vector upwards in base axes, from gravity or else from the soles."""
    size = float(np.linalg.norm(specific_force))
    if 0.7 * GRAVITY_M_S2 < size < 1.3 * GRAVITY_M_S2:
        return specific_force / size
    if not len(legs.foot_rotation):
        return np.array([0.0, 0.0, 1.0])
    return sole_normal(legs)


def sole_normal(legs: LegKinematics) -> Array:
    """(3,) mean normal of the soles in base axes."""
    normal = legs.foot_rotation[:, :, 2].mean(axis=0)
    size = float(np.linalg.norm(normal))
    return normal / size if size > 0.1 else np.array([0.0, 0.0, 1.0])


def level_rotation(up: Array) -> Array:
    """Rotation (3, 3) base → world of yaw 0 that turns ``up`` (3,), base axes, into world z."""
    side = cross(up, np.array([1.0, 0.0, 0.0]))
    size = float(np.linalg.norm(side))
    side = side / size if size > 1e-6 else np.array([0.0, 1.0, 0.0])
    return np.stack([cross(side, up), side, up])
