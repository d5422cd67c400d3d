"""Coulomb's second-order friction cone K = {f : ‖(f_x, f_y)‖ ≤ μ f_z} and its dual, for one force or for many.

Forces are in the contact frame: z along the normal, pointing into the robot; last axis of length 3; N (or N·s).
The dual cone is K* = {v : v·f ≥ 0 for all f in K} = {v : μ‖(v_x, v_y)‖ ≤ v_z}.  Projection formulas: Parikh and Boyd,
*Proximal Algorithms* (2014), §6.3.2, for a cone of any aperture.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import friction_coefficient
from wbc_control.errors import DomainError

Array = NDArray[np.float64]


def project_cone(forces: Array, friction: Any) -> Array:
    """Nearest point of K to each force.

    Args:
        forces: (..., 3), N.
        friction: μ ≥ 0, a number or (...,); not checked here (called in solver loops), see :class:`FrictionCone`.

    Returns:
        (..., 3): the force itself inside K, the apex in the polar cone, else its foot on the boundary.
    """
    tangent = np.hypot(forces[..., 0], forces[..., 1])
    normal = forces[..., 2]
    on_axis = np.maximum((normal + friction * tangent) / (1.0 + np.square(friction)), 0.0)
    inside = (tangent <= friction * normal) & (normal >= 0.0)
    new_normal = np.where(inside, normal, on_axis)
    # A force on the axis has no tangent to scale: whatever the factor, its tangent stays zero.
    scale = np.where(inside, 1.0, friction * on_axis / np.where(tangent > 0.0, tangent, 1.0))
    return np.stack([forces[..., 0] * scale, forces[..., 1] * scale, new_normal], axis=-1)


def project_dual_cone(velocities: Array, friction: Any) -> Array:
    """Nearest point of K* to each vector (..., 3), by Moreau's identity Π_K*(v) = v + Π_K(−v)."""
    return velocities + project_cone(-velocities, friction)


def clamp_tangent(forces: Array, friction: Any) -> Array:
    """Clamp f_z at 0, then shorten (f_x, f_y) to μ f_z: "horizontal" projection, keeps the normal force; (..., 3)."""
    normal = np.maximum(forces[..., 2], 0.0)
    tangent = np.hypot(forces[..., 0], forces[..., 1])
    limit = friction * normal
    scale = np.where(tangent > limit, limit / np.where(tangent > 0.0, tangent, 1.0), 1.0)
    return np.stack([forces[..., 0] * scale, forces[..., 1] * scale, normal], axis=-1)


def cone_distance(forces: Array, friction: Any) -> Array:
    """Euclidean distance (...,) of each force (..., 3) to K, N; 0 inside."""
    return np.asarray(np.linalg.norm(forces - project_cone(forces, friction), axis=-1))


def in_cone(forces: Array, friction: Any, tolerance: float = 0.0) -> NDArray[np.bool_]:
    """Whether each force (..., 3) is within ``tolerance`` (N, on the tangential force) of K; NaN never is."""
    normal = forces[..., 2]
    within = np.hypot(forces[..., 0], forces[..., 1]) <= friction * normal + tolerance
    return np.asarray(within & (normal >= -tolerance))


class FrictionCone:
    """One contact's cone with a checked coefficient.

    Args:
        friction: μ, finite and ≥ 0.

    Raises:
        DomainError: μ is negative or not finite.
    """

    def __init__(self, friction: float) -> None:
        self.friction = friction_coefficient(friction)

    @property
    def half_angle(self) -> float:
        """Angle between the axis and the boundary, rad: atan μ."""
        return float(np.arctan(self.friction))

    @property
    def dual(self) -> FrictionCone:
        """K* as a friction cone: coefficient 1/μ.

        Raises:
            DomainError: μ = 0, whose dual is the half-space v_z ≥ 0 and no friction cone.
        """
        if self.friction == 0.0:
            raise DomainError("the dual of a frictionless cone is a half-space", where="μ", value=0.0, bound="> 0")
        return FrictionCone(1.0 / self.friction)

    def project(self, forces: Array) -> Array:
        """See :func:`project_cone`."""
        return project_cone(forces, self.friction)

    def project_dual(self, velocities: Array) -> Array:
        """See :func:`project_dual_cone`."""
        return project_dual_cone(velocities, self.friction)

    def distance(self, forces: Array) -> Array:
        """See :func:`cone_distance`."""
        return cone_distance(forces, self.friction)

    def contains(self, forces: Array, tolerance: float = 0.0) -> NDArray[np.bool_]:
        """See :func:`in_cone`."""
        return in_cone(forces, self.friction, tolerance)
