"""What RViz shows of a tick: planned forces in their friction cones, support polygon, CoM, ZMP, DCM, the next footsteps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from visualization_msgs.msg import Marker

from wbc_control.contact_mechanics.support_polygon import sole_corners_world
from wbc_control.model import Foot, Kinodynamics
from wbc_control.ros.balance import Balance
from wbc_control.ros.conversions.markers import (
    FORCE_SCALE_M_PER_N,
    cone_marker,
    footstep_marker,
    force_marker,
    polygon_marker,
    sphere_marker,
)
from wbc_control.state import Plan
from wbc_control.state.checks import Array


def pictures(
    now: int, feet: Sequence[Foot], terms: Kinodynamics, balance: Balance, plan: Plan | None, friction: float
) -> list[Marker]:
    """All pictures of one tick.

    Args:
        now: Time of the tick, ns.
        feet: The robot's feet.
        terms: Kinodynamics of the tick.
        balance: Its balance.
        plan: The plan that is followed; None before the first.
        friction: Coulomb coefficient that the controller counts on.
    """
    markers: list[Marker] = []
    for i, force in enumerate(balance.forces):
        origin, axis = terms.foot_position[i], _normal(feet[i], terms.foot_rotation[i])
        markers.append(force_marker(now, i, origin, force))
        markers.append(cone_marker(now, i, origin, axis, FORCE_SCALE_M_PER_N * float(axis @ force), friction))
    markers.append(sphere_marker(now, "com", 0, terms.com, 0.06))
    markers += [sphere_marker(now, "zmp", 0, balance.zmp)] if balance.zmp is not None else []
    markers += [sphere_marker(now, "dcm", 0, balance.dcm)] if balance.dcm is not None else []
    markers.append(polygon_marker(now, balance.polygon))
    return [*markers, *(footstep_marker(now, i, corners) for i, corners in enumerate(footsteps(feet, plan)))]


def footsteps(feet: Sequence[Foot], plan: Plan | None) -> list[Array]:
    """For each foot the corners, (k, 3) world, m, of the sole where it lands next in the plan; (0, 3) where it does not."""
    nothing = np.zeros((0, 3))
    if plan is None:
        return [nothing for _ in feet]
    return [_landing(foot, i, plan) for i, foot in enumerate(feet)]


def _landing(foot: Foot, index: int, plan: Plan) -> Array:
    lifted = False
    for sample in plan.samples:
        if sample.in_contact[index] and lifted:
            corners = sole_corners_world(foot.corners, sample.foot_rotation[index], sample.foot_position[index])
            return np.asarray(corners)
        lifted = lifted or not sample.in_contact[index]
    return np.zeros((0, 3))


def _normal(foot: Foot, rotation: Array) -> Array:
    """Normal of the ground under a foot: a sole lies on it, a point foot says nothing about it."""
    return np.array([0.0, 0.0, 1.0]) if foot.is_point else np.asarray(rotation[:, 2])
