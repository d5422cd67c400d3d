"""Puts a robot on the ground: base height from the soles, and the ground forces that hold it at rest."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.terrain import Ground
from wbc_control.spatial import GRAVITY_M_S2, skew

Array = NDArray[np.float64]

_TOUCH_M = 1e-4


def sole_points(model: RobotModel, q: Array) -> list[Array]:
    """World corners (k, 3) of each foot, m; the lowest point of the ball for a round foot."""
    data = model.pinocchio.createData()
    pin.framesForwardKinematics(model.pinocchio, data, q)
    points = []
    for foot in model.feet:
        placement = data.oMf[foot.frame_id]
        corners = np.asarray(foot.corners) @ placement.rotation.T + placement.translation
        points.append(corners - np.array([0.0, 0.0, foot.radius]))
    return points


def placed_on_ground(model: RobotModel, q: Array, ground: Ground, drop: float) -> Array:
    """``q`` with the base lifted so that the lowest sole point hangs ``drop`` m above the ground below it."""
    if not (model.floating_base and model.feet):
        return q.copy()
    clearances = [p[2] - ground.height(p[0], p[1]) for corners in sole_points(model, q) for p in corners]
    placed = q.copy()
    placed[2] += drop - min(clearances)
    return placed


def resting_forces(model: RobotModel, q: Array, ground: Ground) -> list[Array] | None:
    """Least-norm upward forces at the touching corners that carry the robot at rest in ``q``.

    Returns:
        A wrench (6,) a foot, force then torque about the sole's origin, world axes; None where the touching corners
        cannot carry the weight without pulling (in the air, tipping).
    """
    corners = sole_points(model, q)
    owners = [i for i, points in enumerate(corners) for _ in points]
    points = np.array([p for group in corners for p in group]).reshape(-1, 3)
    touching = np.array([p[2] - ground.height(p[0], p[1]) < _TOUCH_M for p in points], dtype=bool)
    if not touching.any():
        return None
    forces = np.zeros((len(points), 3))
    com = pin.centerOfMass(model.pinocchio, model.pinocchio.createData(), q)
    forces[touching, 2] = _vertical_forces(points[touching], com, model.mass)
    if forces[:, 2].min() < -1e-6:
        return None
    return _per_foot(model, q, points, forces, owners)


def _vertical_forces(points: Array, com: Array, mass: float) -> Array:
    """Least-norm f with Σ f = m g and Σ f p = m g com (horizontal components)."""
    balance = np.vstack([np.ones(len(points)), points[:, 0], points[:, 1]])
    wanted = mass * GRAVITY_M_S2 * np.array([1.0, com[0], com[1]])
    return np.asarray(np.linalg.lstsq(balance, wanted, rcond=None)[0], dtype=float)


def _per_foot(model: RobotModel, q: Array, points: Array, forces: Array, owners: list[int]) -> list[Array]:
    data = model.pinocchio.createData()
    pin.framesForwardKinematics(model.pinocchio, data, q)
    wrenches = [np.zeros(6) for _ in model.feet]
    for point, force, owner in zip(points, forces, owners):
        origin = data.oMf[model.feet[owner].frame_id].translation
        wrenches[owner] += np.concatenate([force, skew(point - origin) @ force])
    return wrenches
