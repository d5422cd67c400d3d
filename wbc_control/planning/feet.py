"""The feet while stepping: which stand where, which swing, what they touch, and their references over the horizon."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from wbc_control.parameters.planner import GroundParameters
from wbc_control.planning.body import PlanningBody
from wbc_control.planning.footsteps import Landing
from wbc_control.planning.ground_profile import GroundProfile
from wbc_control.planning.observation import Observation
from wbc_control.planning.schedule import Schedule, TimeWarp
from wbc_control.planning.stance import Stance
from wbc_control.planning.support import contact_points, support_centre
from wbc_control.planning.swing import (
    Foothold,
    SwingMotion,
    SwingShape,
    SwingState,
    SwingTiming,
    resting_state,
    swing_motion,
)
from wbc_control.planning.terrain_estimate import TerrainEstimate
from wbc_control.spatial import Array, yaw_matrix
from wbc_control.state.checks import BoolArray

FREEZE_TIME_S = 0.04
"""Before touch-down the foothold is no longer moved, s."""

RETARGET_SHARE = 0.35
"""Share of a new foothold's difference taken over in each plan: keeps estimation noise out of the swing foot."""


LEG_RESERVE = 0.03
"""How much longer than in the standing posture a leg may become by uneven ground, share of the CoM height."""


@dataclass(eq=False)
class Swing:
    """One foot in the air.

    Attributes:
        lifted: Where it left the ground.
        state: Its reference now.
        elapsed: s since lift.
        remaining: s to planned touch-down; ≤ 0: late, searching.
        target: Foothold it flies to.
        ahead: Reference one planner period on, and that period, s, as the last plan had it.
    """

    lifted: Foothold
    state: SwingState
    elapsed: float
    remaining: float
    target: Foothold
    ahead: tuple[float, SwingState] | None = None

    @property
    def timing(self) -> SwingTiming:
        """Remaining and whole duration."""
        return SwingTiming(self.remaining, self.elapsed + max(self.remaining, 0.0))

    @property
    def progress(self) -> float:
        """Share of the swing that is over."""
        return self.elapsed / max(self.elapsed + max(self.remaining, 0.0), 1e-6)


@dataclass(eq=False)
class FeetState:
    """All feet of a stepping robot.

    Attributes:
        body: The robot.
        terrain: Ground felt so far.
        foothold: Where each foot stands or last stood.
        mid_stance: Time of each foot's mid-stance, s on the stepping clock.
        swings: Feet in the air.
        hanging: Those of them that found no ground and wait for it.
    """

    body: PlanningBody
    terrain: TerrainEstimate
    foothold: list[Foothold]
    mid_stance: Array
    swings: dict[int, Swing] = field(default_factory=dict)
    hanging: set[int] = field(default_factory=set)

    @classmethod
    def standing(cls, stance: Stance, time: float, ground: GroundParameters) -> FeetState:
        """All feet as they stand at ``time`` s, on felt ground or a known one."""
        feet = range(stance.body.n_feet)
        profile = GroundProfile.from_parameters(ground)
        terrain = TerrainEstimate(memory=max(4, 2 * stance.body.n_feet), profile=profile)
        foothold = [Foothold(stance.position[f], stance.rotation[f]) for f in feet]
        state = cls(stance.body, terrain, foothold, np.full(stance.body.n_feet, time))
        terrain.reset(np.array([state.ground_point(f) for f in feet]))
        return state

    @property
    def standing_feet(self) -> list[int]:
        """Feet on the ground."""
        return [f for f in range(self.body.n_feet) if f not in self.swings]

    @property
    def centres(self) -> Array:
        """(n_feet, 2) support centre where each foot stands or last stood, world, m."""
        return np.array([self.centre(h, f) for f, h in enumerate(self.foothold)])

    @property
    def positions(self) -> Array:
        """(n_feet, 3) sole origins of the footholds."""
        return np.array([h.position for h in self.foothold])

    @property
    def rotations(self) -> Array:
        """(n_feet, 3, 3) soles at the footholds."""
        return np.array([h.rotation for h in self.foothold])

    def centre(self, foothold: Foothold, foot: int) -> Array:
        """(2,) support centre of a foot at a foothold, m."""
        return support_centre(self.body, foot, foothold.position, foothold.rotation)[:2]

    def ground_point(self, foot: int) -> Array:
        """(3,) point of the ground under the foot's support centre, m."""
        hold = self.foothold[foot]
        point = support_centre(self.body, foot, hold.position, hold.rotation)
        return point - np.array([0.0, 0.0, self.body.sole_height[foot]])

    def ground_height(self) -> float:
        """Mean ground height under the standing feet, m."""
        feet = self.standing_feet or list(range(self.body.n_feet))
        return float(np.mean([self.ground_point(f)[2] for f in feet]))

    def body_ground(self, place: Array, heading: float) -> float:
        """Height of the ground, m, to carry the body at ``place`` (2,) over: that of the plane through the footholds,
        but no leg has to reach far below it.

        A foot's standing place tells how far a tilted plane lies below it already; beyond that a leg is longer than in
        the standing posture, for which there is little room.
        """
        forward = yaw_matrix(heading)[:2, :2]
        slope = self.terrain.slope @ forward
        lowest = math.inf
        for foot, hold in enumerate(self.foothold):
            hold = self.swings[foot].target if foot in self.swings else hold
            below = float(hold.position[2]) - self.body.sole_height[foot]
            lowest = min(lowest, below - float(slope @ self.body.foot_offset[foot]))
        return min(self.terrain.plane_height(*place.tolist()), lowest + LEG_RESERVE * self.body.com_height)

    def lift(self, foot: int, timing: SwingTiming) -> None:
        """The foot leaves the ground."""
        hold = self.foothold[foot]
        self.swings[foot] = Swing(hold, resting_state(hold), 0.0, timing.remaining, hold)

    def land(self, foot: int, observation: Observation, mid_stance: float) -> None:
        """The foot stands where it is measured."""
        self.swings.pop(foot, None)
        self.hanging.discard(foot)
        hold = Foothold(observation.foot_position[foot].copy(), observation.foot_rotation[foot].copy())
        self.foothold[foot] = hold
        self.mid_stance[foot] = mid_stance
        self.terrain.add(self.ground_point(foot))

    def follow_slip(self, observation: Observation, share: float) -> None:
        """Let the standing feet's footholds follow where they are measured, by ``share`` of the difference."""
        for foot in self.standing_feet:
            hold = self.foothold[foot]
            moved = hold.position + share * (observation.foot_position[foot] - hold.position)
            self.foothold[foot] = Foothold(moved, hold.rotation)

    def retarget(self, foot: int, landing: Landing, remaining: float) -> None:
        """Fly to another place or at another time; too close to touch-down only the time changes."""
        swing = self.swings[foot]
        wanted, first = self.foothold_of(self.off_edges([landing])[0]), swing.elapsed == 0.0
        if remaining > FREEZE_TIME_S or first:
            share = 1.0 if first else RETARGET_SHARE
            position = swing.target.position + share * (wanted.position - swing.target.position)
            swing.target = Foothold(position, wanted.rotation)
        swing.remaining = remaining

    def off_edges(self, landings: list[Landing]) -> list[Landing]:
        """The landings moved to where the soles stand wholly on known ground."""
        return [self._off_edges(landing) for landing in landings] if self.terrain.known else landings

    def _off_edges(self, landing: Landing) -> Landing:
        swing, outline = self.swings.get(landing.foot), self.body.outlines[landing.foot]
        goal = None if swing is None else self.centre(swing.target, landing.foot)
        turned = outline @ yaw_matrix(landing.yaw)[:2, :2].T
        return replace(landing, centre=landing.centre + self.terrain.shift_onto_ground(landing.centre, turned, goal))

    def foothold_of(self, landing: Landing) -> Foothold:
        """Pose of the sole for a planned landing, on the felt ground."""
        body, foot = self.body, landing.foot
        if body.is_point[foot]:
            rotation = self.foothold[foot].rotation  # a ball has no orientation to control
        else:
            normal = self.terrain.sole_rotation(*landing.centre.tolist())
            rotation = normal @ yaw_matrix(landing.yaw) @ body.foot_rotation[foot]
        centre = np.array([*landing.centre, self.terrain.height(*landing.centre.tolist()) + body.sole_height[foot]])
        return Foothold(centre - rotation @ body.centre_in_sole[foot], rotation)

    def advance(self, dt: float, shape: SwingShape) -> None:
        """Move every swing foot's reference ``dt`` s ahead."""
        for foot, swing in self.swings.items():
            if swing.ahead is not None and abs(swing.ahead[0] - dt) < 1e-9:
                swing.state = swing.ahead[1]
            else:
                still = replace(shape, search_speed=0.0) if foot in self.hanging else shape
                motion = swing_motion(swing.state, swing.lifted, swing.target, swing.timing, still, np.array([dt]))
                swing.state = motion.state(0)
            swing.ahead = None
            swing.elapsed += dt
            swing.remaining -= dt

    def corners(self, foot: int) -> Array:
        """(k, 3) contact points of a foot at its foothold, world, m."""
        return contact_points(self.body, foot, self.foothold[foot].position, self.foothold[foot].rotation)


@dataclass(frozen=True, eq=False)
class FeetPreview:
    """Foot references over the horizon, arrays as in :class:`wbc_control.planning.horizon.FeetMotion`."""

    position: Array
    rotation: Array
    velocity: Array
    acceleration: Array


def preview_feet(
    feet: FeetState, landings: list[Landing], schedule: Schedule, clock: TimeWarp, shape: SwingShape, times: Array
) -> FeetPreview:
    """References of all feet at ``times`` (k,) s from now: standing, flying on, landed, and lifting within the
    horizon."""
    count, n_feet = len(times), feet.body.n_feet
    out = FeetPreview(
        np.broadcast_to(feet.positions, (count, n_feet, 3)).copy(),
        np.broadcast_to(feet.rotations, (count, n_feet, 3, 3)).copy(),
        np.zeros((count, n_feet, 6)),
        np.zeros((count, n_feet, 6)),
    )
    for foot, swing in feet.swings.items():
        still = replace(shape, search_speed=0.0) if foot in feet.hanging else shape
        motion = swing_motion(swing.state, swing.lifted, swing.target, swing.timing, still, times)
        if count > 1:
            swing.ahead = (float(times[1]), motion.state(1))
        flying = times < swing.remaining if swing.remaining > 1e-6 else np.ones(count, dtype=bool)
        _write(out, foot, flying, motion)
        landed = ~flying
        out.position[landed, foot], out.rotation[landed, foot] = swing.target.position, swing.target.rotation
    for landing in landings:
        if landing.foot not in feet.swings:
            _lift_within(out, feet, landing, schedule, clock, shape, times)
    return out


def _lift_within(
    out: FeetPreview,
    feet: FeetState,
    landing: Landing,
    schedule: Schedule,
    clock: TimeWarp,
    shape: SwingShape,
    times: Array,
) -> None:
    """A standing foot that will lift before the horizon ends."""
    lift, touch = clock.time_of(landing.phase - (1.0 - schedule.duty)), clock.time_of(landing.phase)
    if not -1e-6 <= lift <= times[-1]:
        return
    flying = (times >= lift) & (times < touch)
    hold = feet.foothold[landing.foot]
    timing = SwingTiming(touch - lift, touch - lift)
    motion = swing_motion(resting_state(hold), hold, feet.foothold_of(landing), timing, shape, times - lift)
    _write(out, landing.foot, flying, motion)


def _write(out: FeetPreview, foot: int, rows: BoolArray, motion: SwingMotion) -> None:
    out.position[rows, foot], out.rotation[rows, foot] = motion.position[rows], motion.rotation[rows]
    out.velocity[rows, foot], out.acceleration[rows, foot] = motion.velocity[rows], motion.acceleration[rows]
