"""Contact frames, and wrenches and forces moved between frames.

A frame is (R, p): rotation (3, 3) whose columns are its axes in the parent frame, origin (3,) in the parent, m.
A wrench is w = [f_x, f_y, f_z, m_x, m_y, m_z], N and N·m, moment about the origin of the frame it is written in.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array
from wbc_control.errors import DomainError
from wbc_control.spatial import skew

Array = NDArray[np.float64]


def frame_from_normal(normal: Array, forward: Array | None = None) -> Array:
    """Right-handed rotation whose z is the normal and whose x is as near ``forward`` as possible.

    Args:
        normal: (3,) outward surface normal (towards the robot), any length > 0.
        forward: (3,) wanted x axis; by default the world axis least parallel to the normal (world x on level ground).

    Returns:
        (3, 3) rotation, contact frame to the frame of ``normal``.

    Raises:
        DomainError: The normal is zero, or ``forward`` is parallel to it.
    """
    z = unit_vector("normal", normal)
    if forward is None:
        forward = np.array([1.0, 0.0, 0.0]) if abs(z[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = unit_vector("forward across the normal", np.asarray(forward, dtype=np.float64) - (z @ forward) * z)
    return np.column_stack([x, np.cross(z, x), z])


def unit_vector(where: str, vector: Array) -> Array:
    """``vector`` (3,) over its length; :class:`DomainError` if that is below 1e-9."""
    array = finite_array(where, vector, (3,))
    length = float(np.linalg.norm(array))
    if length < 1e-9:
        raise DomainError("has no direction", where=where, value=length, bound=1e-9)
    return array / length


def wrench_transform(rotation: Array, origin: Array) -> Array:
    """X (6, 6) with w_parent = X w_child for a child frame (rotation, origin): X = [[R, 0], [p̂ R, R]].

    Dual of the twist transformation; Featherstone, *Rigid Body Dynamics Algorithms* (2008), eq. 2.25, force first.
    """
    transform = np.zeros((6, 6))
    transform[:3, :3] = rotation
    transform[3:, 3:] = rotation
    transform[3:, :3] = skew(origin) @ rotation
    return transform


def wrench_to_parent(wrench: Array, rotation: Array, origin: Array) -> Array:
    """The wrench (6,) of the child frame (rotation, origin), written in the parent frame."""
    force = rotation @ wrench[:3]
    moment = rotation @ wrench[3:] + np.cross(origin, force)
    return np.concatenate([force, moment])


def wrench_to_child(wrench: Array, rotation: Array, origin: Array) -> Array:
    """The wrench (6,) of the parent frame, written in the child frame (rotation, origin); inverse of the above."""
    moment = wrench[3:] - np.cross(origin, wrench[:3])
    return np.concatenate([rotation.T @ wrench[:3], rotation.T @ moment])


def sum_wrenches(forces: Array, points: Array, origin: Array) -> Array:
    """Wrench (6,) about ``origin`` of forces (n, 3) at points (n, 3), all in one frame; source text §4.4.1."""
    return np.concatenate([forces.sum(axis=0), total_moment(points - origin, forces)])


def total_moment(levers: Array, forces: Array) -> Array:
    """Σ r_i × f_i (3,) of levers (n, 3) and forces (n, 3): the antisymmetric part of Σ r_i f_iᵀ, one small product."""
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = (levers.T @ forces).tolist()
    return np.array([yz - zy, zx - xz, xy - yx])
