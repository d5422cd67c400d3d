"""Zero-moment point: from contact wrenches, from the motion of the bodies, from the centroidal momentum rate.

Vukobratović and Borovac, *Zero-moment point – thirty five years of its life* (2004).  The ZMP is the point of the
declared plane about which the ground reaction has no moment along the plane: with the reaction F and its moment M
about the plane's origin, in plane axes, x = −M_y/F_z and y = M_x/F_z.  When F_z vanishes (flight) it is undefined:
``None``.  Where it leaves the support polygon it is fictitious (FZMP), which :mod:`margins` flags.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_frame import total_moment
from wbc_control.contact_mechanics.support_plane import SupportPlane
from wbc_control.spatial import GRAVITY_M_S2, cross

Array = NDArray[np.float64]

MINIMUM_NORMAL_FORCE_N = 5.0
"""Below this total normal force the ZMP is not defined, N."""

GRAVITY_WORLD = np.array([0.0, 0.0, -GRAVITY_M_S2])


@dataclass(frozen=True, eq=False)
class Zmp:
    """A defined ZMP.

    Attributes:
        x: m, plane coordinate.
        y: m, plane coordinate.
        normal_force: Total reaction along the plane's normal, N.
        plane: The plane it lies on.
    """

    x: float
    y: float
    normal_force: float
    plane: SupportPlane


def zmp_of_reaction(
    force: Array,
    moment: Array,
    about: Array,
    plane: SupportPlane,
    minimum_force: float = MINIMUM_NORMAL_FORCE_N,
) -> Zmp | None:
    """ZMP of a total ground reaction.

    Args:
        force: (3,) reaction on the robot, world, N.
        moment: (3,) its moment about ``about``, world, N·m.
        about: (3,) world point, m.
        plane: The declared plane.
        minimum_force: Least normal force for which the ZMP is defined, N; > 0.

    Returns:
        None when the normal force is below the minimum (it pulls, or flight) or a number is not finite.
    """
    about_plane = moment + cross(about - plane.origin, force)
    axes = plane.rotation
    normal_force = float(axes[:, 2] @ force)
    if not normal_force >= minimum_force or normal_force <= 0.0:
        return None
    x = -float(axes[:, 1] @ about_plane) / normal_force
    y = float(axes[:, 0] @ about_plane) / normal_force
    if not (math.isfinite(x) and math.isfinite(y)):
        return None
    return Zmp(x, y, normal_force, plane)


def zmp_of_contacts(
    forces: Array,
    points: Array,
    plane: SupportPlane,
    moments: Array | None = None,
    minimum_force: float = MINIMUM_NORMAL_FORCE_N,
) -> Zmp | None:
    """ZMP of contact forces (n, 3) at world points (n, 3), with optional contact moments (n, 3); all in world."""
    total = forces.sum(axis=0)
    moment = total_moment(points - plane.origin, forces)
    if moments is not None:
        moment = moment + moments.sum(axis=0)
    return zmp_of_reaction(total, moment, plane.origin, plane, minimum_force)


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Motion of N bodies of mass > 0, all in world, relative to an inertial frame.

    Attributes:
        mass: (N,) kg.
        com: (N, 3) centres of mass, m.
        acceleration: (N, 3) of the centres of mass, m/s², without gravity.
        angular_velocity: (N, 3) rad/s.
        angular_acceleration: (N, 3) rad/s².
        inertia: (N, 3, 3) about each body's centre of mass, in world axes, kg·m².
    """

    mass: Array
    com: Array
    acceleration: Array
    angular_velocity: Array
    angular_acceleration: Array
    inertia: Array


def gravito_inertial_wrench(bodies: BodyMotion, about: Array, gravity: Array = GRAVITY_WORLD) -> tuple[Array, Array]:
    """Total F = Σ m(g − p̈) and M = Σ p × m(g − p̈) − (I ω̇ + ω × I ω) about ``about``, world, N and N·m."""
    each = bodies.mass[:, None] * (gravity - bodies.acceleration)
    spin = np.einsum("nij,nj->ni", bodies.inertia, bodies.angular_velocity)
    torque = np.einsum("nij,nj->ni", bodies.inertia, bodies.angular_acceleration)
    torque = torque + np.cross(bodies.angular_velocity, spin)
    moment = np.cross(bodies.com - about, each) - torque
    return each.sum(axis=0), moment.sum(axis=0)


def zmp_of_motion(
    bodies: BodyMotion,
    plane: SupportPlane,
    gravity: Array = GRAVITY_WORLD,
    minimum_force: float = MINIMUM_NORMAL_FORCE_N,
) -> Zmp | None:
    """ZMP from the bodies' motion: by D'Alembert the ground reaction is minus the gravito-inertial wrench."""
    force, moment = gravito_inertial_wrench(bodies, plane.origin, gravity)
    return zmp_of_reaction(-force, -moment, plane.origin, plane, minimum_force)


def zmp_of_momentum_rate(
    mass: float,
    com: Array,
    linear_rate: Array,
    angular_rate: Array,
    plane: SupportPlane,
    gravity: Array = GRAVITY_WORLD,
    minimum_force: float = MINIMUM_NORMAL_FORCE_N,
) -> Zmp | None:
    """ZMP from the centroidal momentum rate.

    Args:
        mass: Total, kg.
        com: (3,) centre of mass, world, m.
        linear_rate: (3,) d/dt of the linear momentum, world, N.
        angular_rate: (3,) d/dt of the angular momentum about the centre of mass, world axes, N·m.
        plane: The declared plane.
        gravity: (3,) world, m/s².
        minimum_force: Least normal force for which the ZMP is defined, N; > 0.
    """
    return zmp_of_reaction(linear_rate - mass * gravity, angular_rate, com, plane, minimum_force)
