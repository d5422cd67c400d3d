"""Chooses place and time of the next touch-down from the forecast of the DCM, and the foot to catch a push with."""
from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from wbc_control.parameters.planner import PlannerParameters
from wbc_control.planning.adaptation import Adaptation, StepBounds, adapt_step, ankle_correction
from wbc_control.planning.footsteps import Landing, VirtualBase
from wbc_control.planning.preview import Preview
from wbc_control.planning.schedule import Schedule, TimeWarp, steady_clock
from wbc_control.planning.support import Point, nearest_point, support_vertices
from wbc_control.planning.velocity import VelocityReference
from wbc_control.spatial import Array, yaw_matrix

if TYPE_CHECKING:
    from wbc_control.planning.stepping import Stepping

_SHORTEST_REST_S = 0.04
"""A touch-down is never planned sooner than this, s."""


@dataclass(frozen=True, eq=False)
class NextStep:
    """The adapted plan of the coming steps.

    Attributes:
        event: Phase of the next touch-down; infinite when no foot will swing.
        clock: Phase over time with the adapted touch-down time.
        landings: Touch-downs with the adapted footstep.
        preview: References with both.
        shift: (2,) adaptation of the footstep, world, m.
        cost: What the adaptation could not repair, m².
    """

    event: float
    clock: TimeWarp
    landings: list[Landing]
    preview: Preview
    shift: Array
    cost: float


def choose_step(stepping: Stepping, base: VirtualBase, parameters: PlannerParameters) -> NextStep:
    """Adapt the next step to the DCM; without a coming step, the references of standing."""
    dt = 1.0 / parameters.rate
    schedule, phase = stepping.timing.schedule, stepping.timing.phase
    event = schedule.next_touchdown(phase)
    if event is None:
        clock = steady_clock(phase, schedule.period)
        return NextStep(math.inf, clock, [], stepping.preview_for(base, clock, [], dt), np.zeros(2), 0.0)
    time = max((event[0] - phase) * schedule.period, _SHORTEST_REST_S if stepping.timing.late_for else 1e-3)
    nominal = TimeWarp(phase, event[0], time, schedule.period)
    landings = stepping.landings_for(base, nominal, np.zeros(2), event[0])
    preview = stepping.preview_for(base, nominal, landings, dt)
    turn = yaw_matrix(base.heading)[:2, :2]
    result = _adapt(stepping, base, schedule, event, time, landings, preview, turn, parameters)
    shift = turn @ result.shift
    if abs(result.time - time) < 1e-3:
        moved = [replace(item, centre=item.centre + shift) for item in landings]
        return NextStep(event[0], nominal, moved, preview.shifted(shift), shift, result.cost)
    clock = TimeWarp(phase, event[0], result.time, schedule.period)
    landings = stepping.landings_for(base, clock, shift, event[0])
    return NextStep(event[0], clock, landings, stepping.preview_for(base, clock, landings, dt), shift, result.cost)


def _adapt(
    stepping: Stepping,
    base: VirtualBase,
    schedule: Schedule,
    event: tuple[float, list[int]],
    time: float,
    landings: list[Landing],
    preview: Preview,
    turn: Array,
    parameters: PlannerParameters,
) -> Adaptation:
    """The adaptation problem of the next touch-down, in the heading frame."""
    omega = stepping.omega
    growth = math.exp(omega * time)
    error = stepping.dcm - preview.dcm[0]
    zmp = preview.at(max(time - 1e-3, 0.0), preview.zmp)
    ankle = _ankle_room(stepping, event[1], zmp, ankle_correction(error, growth), parameters)
    miss = error * growth - ankle * (growth - 1.0)
    needed = preview.at(time, preview.dcm)
    bounds = _bounds(stepping, base, schedule, event, time, landings, parameters)
    share = float(preview.at(time, preview.share))
    return adapt_step(turn.T @ (needed + miss - zmp), turn.T @ miss, share, time, omega, bounds)


def _ankle_room(
    stepping: Stepping, swinging: list[int], zmp: Array, wanted: Array, parameters: PlannerParameters
) -> Array:
    """The part of a ZMP displacement (2,) that the standing soles offer, scaled by ``ankle_share`` about the ZMP."""
    feet = [f for f in range(stepping.body.n_feet) if f not in swinging and f not in stepping.feet.swings]
    if not feet:
        return np.zeros(2)
    share = parameters.balance.ankle_share
    x, y = zmp.tolist()
    polygon = support_vertices(stepping.body, feet, stepping.feet.positions, stepping.feet.rotations)
    smaller: list[Point] = [(x + share * (px - x), y + share * (py - y)) for px, py in polygon]
    return np.array(nearest_point(smaller, x + float(wanted[0]), y + float(wanted[1]))) - zmp


def _bounds(
    stepping: Stepping,
    base: VirtualBase,
    schedule: Schedule,
    event: tuple[float, list[int]],
    time: float,
    landings: list[Landing],
    parameters: PlannerParameters,
) -> StepBounds:
    """Reach, no crossing and timing of the next touch-down, as bounds on its shift in the heading frame."""
    step, body = parameters.step, stepping.body
    place, heading = base.at(time)
    turn = yaw_matrix(heading)[:2, :2]
    lower, upper = np.full(2, -10.0), np.full(2, 10.0)
    reach = body.com_height * np.array([step.reach_forward, step.reach_lateral])
    for landing in (item for item in landings if abs(item.phase - event[0]) < 1e-6):
        local = turn.T @ (landing.centre - place) - body.foot_offset[landing.foot]
        lower, upper = np.maximum(lower, -reach - local), np.minimum(upper, reach - local)
        _keep_apart(stepping, landing, turn, lower, upper, step.separation)
    airborne = any(f in stepping.feet.swings for f in event[1])
    if not airborne or stepping.timing.late_for:
        return StepBounds(lower, upper, time, time)
    swing = schedule.swing_time
    elapsed = max(swing - (event[0] - stepping.timing.phase) * schedule.period, 0.0)
    fastest = max((_fastest_swing(stepping, foot, step.acceleration) for foot in event[1]), default=0.0)
    soonest = max(min(time, _SHORTEST_REST_S), (1.0 - step.timing_range) * swing - elapsed, fastest - elapsed)
    latest = max(time, min((1.0 + step.timing_range) * swing - elapsed, time * (1.0 + step.timing_range)))
    return StepBounds(lower, upper, min(soonest, time), latest)


def _fastest_swing(stepping: Stepping, foot: int, acceleration: float) -> float:
    """Least duration of a foot's swing, s: the quintic over d in T peaks at 10/√3 · d / T²."""
    if foot not in stepping.feet.swings:
        return 0.0
    swing = stepping.feet.swings[foot]
    distance = float(np.linalg.norm(swing.target.position - swing.lifted.position))
    return math.sqrt(10.0 / math.sqrt(3.0) * distance / acceleration)


def _keep_apart(
    stepping: Stepping, landing: Landing, turn: Array, lower: Array, upper: Array, separation: float
) -> None:
    """No foot lands across a standing foot of the other side: sideways distance at least ``separation`` of
    standing's."""
    body = stepping.body
    mine = body.foot_offset[landing.foot]
    for other in stepping.feet.standing_feet:
        theirs = body.foot_offset[other]
        if mine[1] * theirs[1] >= 0.0 or abs(mine[0] - theirs[0]) > 0.5 * abs(mine[1] - theirs[1]):
            continue
        least = separation * abs(mine[1] - theirs[1])
        apart = float((turn.T @ (landing.centre - stepping.feet.centres[other]))[1])
        if mine[1] > 0.0:
            lower[1] = max(lower[1], least - apart)
        else:
            upper[1] = min(upper[1], -least - apart)


def best_first_group(stepping: Stepping, schedule: Schedule, lead: float, parameters: PlannerParameters) -> list[int]:
    """The group of feet whose step, begun in ``lead`` s, leaves the least DCM error."""
    costs = []
    still = VelocityReference()
    for group in schedule.groups():
        stepping.start(parameters, group, lead)
        costs.append((choose_step(stepping, stepping.base(still), parameters).cost, group))
    return min(costs, key=lambda item: item[0])[1]
