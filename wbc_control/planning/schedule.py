"""Contact schedule of a gait over its phase: swings, load ramps, events.  It can start late and end early.

Phase φ counts cycles.  Foot i lifts at m + duty − offset_i and touches down at m + 1 − offset_i for every whole m whose
lift lies in [first, stop): before ``first`` and after ``stop`` all feet stand.  Around each lift and touch-down the
foot's weight follows a C¹ ramp of ``ramp`` cycles inside the stance, so every ramp that begins also ends (C18).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wbc_control.parameters.planner import GaitParameters
from wbc_control.planning.gaits import Gait
from wbc_control.spatial import Array
from wbc_control.state.checks import BoolArray

_SAME_EVENT = 1e-6
"""Events closer than this (cycles) are one event."""


@dataclass(frozen=True, eq=False)
class Schedule:
    """When feet swing.

    Attributes:
        offsets: (n_feet,) phase offset of each foot, cycles.
        duty: Share of the cycle a foot stands.
        period: s.
        first: Phase of the first lift that happens.
        stop: Phase from which no foot lifts any more.
    """

    offsets: Array
    duty: float
    period: float
    first: float = 0.0
    stop: float = math.inf

    @property
    def ramp(self) -> float:
        """Length of a load ramp, cycles: the shortest time from a touch-down to the next lift of any foot."""
        gaps = [(self.duty - i + j) % 1.0 for i in self.offsets for j in self.offsets]
        return float(min(min(g if g > _SAME_EVENT else 1.0 for g in gaps), 0.5 * self.duty))

    @property
    def stance_time(self) -> float:
        """Nominal duration of one stance, s."""
        return self.duty * self.period

    @property
    def swing_time(self) -> float:
        """Nominal duration of one swing, s."""
        return (1.0 - self.duty) * self.period

    def groups(self) -> list[list[int]]:
        """Feet that lift together, in the order of their lifts."""
        order: dict[float, list[int]] = {}
        for foot, offset in enumerate(self.offsets.tolist()):
            order.setdefault(round((self.duty - offset) % 1.0, 9), []).append(foot)
        return [order[key] for key in sorted(order)]

    def lift_after(self, foot: int, phase: float) -> float:
        """Phase of the foot's first scheduled lift at or after ``phase``, whether or not it is masked."""
        base = self.duty - float(self.offsets[foot])
        return base + math.ceil(phase - base - _SAME_EVENT)

    def swinging(self, phase: Array) -> BoolArray:
        """(k, n_feet) whether each foot is in the air at phases (k,)."""
        cycle, lift = self._cycle(phase)
        return np.asarray((cycle >= self.duty) & self._happens(lift))

    def weight(self, phase: Array) -> Array:
        """(k, n_feet) contact weight, 0..1, C¹ in phase."""
        cycle, lift = self._cycle(phase)
        leaving, arrived = self._happens(lift), self._happens(lift - 1.0)
        up = np.where(arrived, _ramp(cycle / self.ramp), 1.0)
        down = np.where(leaving, _ramp((self.duty - cycle) / self.ramp), 1.0)
        return np.asarray(up * down)

    def touchdowns(self, foot: int, after: float, before: float) -> list[float]:
        """Phases in (after, before] at which the foot touches down."""
        swing = 1.0 - self.duty
        lift = self.lift_after(foot, after - swing + _SAME_EVENT)
        events = []
        while lift + swing <= before:
            if self.first - _SAME_EVENT <= lift < self.stop and lift + swing > after:
                events.append(lift + swing)
            lift += 1.0
        return events

    def next_touchdown(self, phase: float) -> tuple[float, list[int]] | None:
        """The next touch-down after ``phase`` and the feet that make it together; None when no foot will swing."""
        events = [(t[0], foot) for foot in range(len(self.offsets)) if (t := self.touchdowns(foot, phase, phase + 2.0))]
        if not events:
            return None
        soonest = min(events)[0]
        return soonest, [foot for event, foot in events if event - soonest < _SAME_EVENT]

    def _cycle(self, phase: Array) -> tuple[Array, Array]:
        """Phase within each foot's own cycle, and the lift of that cycle; both (k, n_feet)."""
        own = phase[:, None] + self.offsets + 1e-12
        cycle = own - np.floor(own)
        return cycle, phase[:, None] - cycle + self.duty

    def _happens(self, lift: Array) -> BoolArray:
        return np.asarray((lift > self.first - _SAME_EVENT) & (lift < self.stop - _SAME_EVENT))


def make_schedule(
    gait: Gait, places: tuple[str, ...], omega: float, parameters: GaitParameters, hurry: float = 1.0
) -> Schedule:
    """The schedule of a gait that always keeps ``overlap`` s between a touch-down and the next lift.

    Where so many feet swing one after the other that this leaves a foot less time in the air than the gait's table
    says, its own period is lengthened until a swing has that time again; a period that is asked for is kept.

    Args:
        gait: The table.
        places: Place of each foot.
        omega: √(g/h), 1/s.
        parameters: Period, duty and overlap asked for; 0 takes the gait's own.
        hurry: Share of the period, for a robot that catches itself.
    """
    offsets, duty = np.array([gait.offsets[place] for place in places]), parameters.duty or gait.duty
    groups, period = len(Schedule(offsets, duty, 1.0).groups()), parameters.period
    if not period:
        swing = (1.0 - duty) * gait.period / omega
        period = max(gait.period / omega, groups * (swing + parameters.overlap))
    period *= hurry
    least = 1.0 - 1.0 / groups + parameters.overlap / period
    return Schedule(offsets, min(max(duty, least), 0.95), period)


def _ramp(share: Array) -> Array:
    """C¹ step from 0 to 1 on [0, 1]: 3s² − 2s³, clipped."""
    s = np.clip(share, 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)


@dataclass(frozen=True)
class TimeWarp:
    """Phase as a function of time from now: one rate up to the next touch-down, the nominal one afterwards.

    Attributes:
        phase: Phase now.
        event: Phase of the next touch-down (≥ phase).
        event_time: Time until then, s.
        period: Nominal duration of a cycle, s.
    """

    phase: float
    event: float
    event_time: float
    period: float

    def phase_at(self, times: Array) -> Array:
        """(k,) phase at ``times`` (k,) s from now."""
        return (
            np.interp(times, (0.0, max(self.event_time, 1e-9)), (self.phase, self.event))
            + np.maximum(times - self.event_time, 0.0) / self.period
        )

    def time_of(self, phase: float) -> float:
        """Time from now at which ``phase`` is reached, s; negative for the past, at the nominal rate."""
        if phase > self.event:
            return self.event_time + (phase - self.event) * self.period
        span = self.event - self.phase
        if phase < self.phase or span < 1e-9:
            return (phase - self.phase) * self.period
        return (phase - self.phase) / span * self.event_time


def steady_clock(phase: float, period: float) -> TimeWarp:
    """The clock at its nominal rate."""
    return TimeWarp(phase, phase, 0.0, period)
