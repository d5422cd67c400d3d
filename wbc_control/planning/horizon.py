"""A horizon as arrays over its sample times, and its conversion to the plan that leaves the planner."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wbc_control.spatial import Array
from wbc_control.state import Plan, PlanSample, unchecked
from wbc_control.state.checks import BoolArray


@dataclass(frozen=True, eq=False)
class ComMotion:
    """CoM over the horizon, world: position, velocity, acceleration, each (k, 3), m, m/s, m/s²; zmp (k, 2), m."""

    position: Array
    velocity: Array
    acceleration: Array
    zmp: Array


@dataclass(frozen=True, eq=False)
class TorsoMotion:
    """Torso over the horizon: rotation (k, 3, 3) and angular velocity (k, 3), rad/s, world."""

    rotation: Array
    angular_velocity: Array


@dataclass(frozen=True, eq=False)
class FeetMotion:
    """Feet over the horizon, as in :class:`wbc_control.state.PlanSample` with a leading time axis."""

    position: Array
    rotation: Array
    velocity: Array
    acceleration: Array
    in_contact: BoolArray
    contact_weight: Array
    normal_force: Array


def sample_times(rate: float, horizon: float) -> Array:
    """Times (k,) of the samples after the plan's own time, s: one a planner period, both ends included."""
    return np.arange(max(1, round(horizon * rate)) + 1) / rate


def make_plan(time_ns: int, times: Array, com: ComMotion, torso: TorsoMotion, feet: FeetMotion) -> Plan:
    """The plan of a horizon; ``times`` (k,) in s from ``time_ns``."""
    stamps = (time_ns + np.rint(1e9 * times).astype(np.int64)).tolist()
    columns = (
        com.position, com.velocity, com.acceleration, torso.rotation, torso.angular_velocity, feet.position,
        feet.rotation, feet.velocity, feet.acceleration, feet.in_contact, feet.contact_weight, feet.normal_force, com.zmp,
    )  # fmt: skip
    rows = zip(stamps, *columns)
    # All samples have the shapes of the first.
    first = PlanSample(*next(rows))
    return Plan(time_ns, (first, *(unchecked(PlanSample, *row, False) for row in rows)))


def resting_feet(count: int, position: Array, rotation: Array, normal_force: Array) -> FeetMotion:
    """All feet on the ground for ``count`` samples; position (n_feet, 3), rotation (n_feet, 3, 3), force (count,
    n_feet)."""
    n_feet = len(position)
    return FeetMotion(
        position=np.broadcast_to(position, (count, n_feet, 3)),
        rotation=np.broadcast_to(rotation, (count, n_feet, 3, 3)),
        velocity=np.zeros((count, n_feet, 6)),
        acceleration=np.zeros((count, n_feet, 6)),
        in_contact=np.ones((count, n_feet), dtype=bool),
        contact_weight=np.ones((count, n_feet)),
        normal_force=normal_force,
    )
