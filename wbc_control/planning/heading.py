"""Heading of a robot read from its feet: mean sole yaw, or the yaw of the foot layout where feet are points."""
from __future__ import annotations

import math

import numpy as np

from wbc_control.planning.body import PlanningBody
from wbc_control.spatial import Array, yaw_of


def sole_yaw(body: PlanningBody, foot: int, rotation: Array) -> float:
    """Yaw of a sole against its standing orientation, rad."""
    return yaw_of(rotation @ body.foot_rotation[foot].T)


def mean_heading(body: PlanningBody, position: Array, rotation: Array) -> float:
    """Heading, rad, of feet at ``position`` (n_feet, 3) and ``rotation`` (n_feet, 3, 3).

    Flat feet: circular mean of the sole yaws.  Point feet: the rotation that fits the standing layout to the measured
    one best (planar Procrustes).
    """
    if not body.is_point.all():
        yaws = [sole_yaw(body, foot, rotation[foot]) for foot in range(body.n_feet) if not body.is_point[foot]]
        return math.atan2(sum(map(math.sin, yaws)), sum(map(math.cos, yaws)))
    centred = position[:, :2] - position[:, :2].mean(axis=0)
    nominal = body.foot_offset
    sine = float(np.sum(nominal[:, 0] * centred[:, 1] - nominal[:, 1] * centred[:, 0]))
    return math.atan2(sine, float(np.sum(nominal * centred)))
