"""Where feet stand and where they will: a virtual base is read from the standing feet and carried on by the velocity.

A foot that lands at T and stands for T_s is put where the base will be at mid-stance T + T_s/2, plus the foot's
standing offset (Raibert, *Legged robots that balance*, 1986).  Turned round, every standing foot tells where the
base is now;
the
mean over them is the virtual base, for any number of feet and any gait.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wbc_control.planning.body import PlanningBody
from wbc_control.planning.schedule import Schedule, TimeWarp
from wbc_control.planning.velocity import displacement
from wbc_control.spatial import Array, yaw_matrix


@dataclass(frozen=True, eq=False)
class VirtualBase:
    """Planar pose of the middle of the feet now, and the velocity that carries it on.

    Attributes:
        position: (2,) world, m.
        heading: rad.
        velocity: (3,) forward, leftward m/s, yaw rad/s, heading frame.
    """

    position: Array
    heading: float
    velocity: Array

    def at(self, time: float) -> tuple[Array, float]:
        """Position (2,) and heading after ``time`` s (may be negative)."""
        moved = displacement(self.velocity, self.heading, time)
        return self.position + moved[:2], self.heading + moved[2]

    def foothold(self, offset: Array, time: float) -> tuple[Array, float]:
        """Support centre (2,), m, and yaw of a foot with standing ``offset`` (2,) whose mid-stance is at ``time``."""
        position, heading = self.at(time)
        return position + yaw_matrix(heading)[:2, :2] @ offset, heading


def virtual_base(
    body: PlanningBody, centres: Array, mid_times: Array, standing: list[int], heading: float, velocity: Array
) -> VirtualBase:
    """The virtual base of the standing feet.

    Args:
        body: The robot.
        centres: (n_feet, 2) support centres, world, m.
        mid_times: (n_feet,) mid-stance of each foot, s from now.
        standing: Feet on the ground (at least one).
        heading: Reference heading now, rad.
        velocity: (3,) in the heading frame.
    """
    origin = VirtualBase(np.zeros(2), heading, velocity)
    places = [centres[f] - origin.foothold(body.foot_offset[f], float(mid_times[f]))[0] for f in standing]
    return VirtualBase(np.mean(places, axis=0), heading, velocity)


@dataclass(frozen=True, eq=False)
class Landing:
    """One planned touch-down.

    Attributes:
        foot: Which foot.
        phase: Phase of the touch-down.
        centre: (2,) support centre, world, m.
        yaw: rad.
    """

    foot: int
    phase: float
    centre: Array
    yaw: float


def planned_landings(
    body: PlanningBody, base: VirtualBase, schedule: Schedule, clock: TimeWarp, until: float, shift: Array, event: float
) -> list[Landing]:
    """All touch-downs up to phase ``until``, in time order; those at or after ``event`` are moved by ``shift`` (2,),
    m."""
    landings = []
    for foot in range(body.n_feet):
        for phase in schedule.touchdowns(foot, clock.phase, until):
            mid = clock.time_of(phase) + 0.5 * schedule.stance_time
            centre, yaw = base.foothold(body.foot_offset[foot], mid)
            landings.append(Landing(foot, phase, centre + (shift if phase > event - 1e-6 else 0.0), yaw))
    return sorted(landings, key=lambda landing: landing.phase)
