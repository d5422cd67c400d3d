"""Force of a contact pair as simulators and sensors report it, brought to one convention: on the robot, in world.

Simulators list a contact between bodies 1 and 2 in either order, with the normal first, and report the force that
body 1 exerts on body 2 (MuJoCo: ``mj_contactForce`` in the frame whose *rows* are normal, tangent 1, tangent 2).
"""
from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def normal_first_to_last(force: Array) -> Array:
    """Reorder [n, t1, t2] to [t1, t2, n] (a cyclic, hence right-handed, change of axes); (..., 3)."""
    return force[..., [1, 2, 0]]


def force_on_robot(force_normal_first: Array, frame_rows: Array, robot_is_second: bool) -> Array:
    """Force on the robot in world (3,), N, whatever the order of the pair.

    Args:
        force_normal_first: (3,) force of body 1 on body 2 along the frame's rows (normal first), N.
        frame_rows: (3, 3) rows: normal from body 1 to body 2, tangent 1, tangent 2, in world.
        robot_is_second: Whether the robot's body is body 2.
    """
    on_second = frame_rows.T @ force_normal_first
    return on_second if robot_is_second else -on_second


class LoadSign(Enum):
    """What the summed contact force of a robot at rest says about the convention it was read with."""

    CORRECT = "correct"
    FLIPPED = "flipped sign"
    WRONG_AXIS = "another axis carries the weight (normal first?)"
    UNLOADED = "no axis carries the weight"


def check_load_at_rest(total_force_world: Array, mass: float, gravity: float = 9.81, share: float = 0.3) -> LoadSign:
    """Compare the total contact force of a robot at rest with its weight.

    Args:
        total_force_world: (3,) Σ of the contact forces, believed to be in world, N.
        mass: kg.
        gravity: m/s².
        share: Largest relative deviation from the weight still taken for it.
    """
    ratio = np.asarray(total_force_world, dtype=np.float64) / (mass * gravity)
    if abs(ratio[2] - 1.0) <= share:
        return LoadSign.CORRECT
    if abs(ratio[2] + 1.0) <= share:
        return LoadSign.FLIPPED
    if (np.abs(np.abs(ratio[:2]) - 1.0) <= share).any():
        return LoadSign.WRONG_AXIS
    return LoadSign.UNLOADED
