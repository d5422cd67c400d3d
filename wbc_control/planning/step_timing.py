"""Which phase of the gait it is, judged by what the feet feel: early ground pulls the phase ahead, late ground holds
it."""
from __future__ import annotations

import math

import numpy as np

from wbc_control.parameters.planner import StepParameters
from wbc_control.planning.feet import FeetState
from wbc_control.planning.observation import Observation
from wbc_control.planning.schedule import Schedule, TimeWarp, steady_clock
from wbc_control.planning.swing import SwingShape, SwingTiming
from wbc_control.spatial import Array

TOLERATED_LATENESS_S = 0.06
"""A foot later than this is no longer counted on: the plan balances on the others until it touches, s."""

_HOLD_SHARE = 0.5
"""Where within the load ramp the phase is held when only some of the feet of one touch-down have landed."""


class StepTiming:
    """Schedule, phase and clock of a stepping robot.

    Args:
        feet: The feet; this class lifts and lands them.

    Attributes:
        schedule: When feet swing; one that never lifts a foot before :meth:`begin`.
        phase: Now, cycles.
        clock: Phase over the coming time, set by every plan.
        late_for: How long the phase has been held for late ground, s.
        notice: What the user should know of the last advance; empty if nothing.
    """

    def __init__(self, feet: FeetState) -> None:
        self._feet = feet
        self.schedule = Schedule(np.zeros(feet.body.n_feet), 0.9, 1.0, math.inf)
        self.phase = 0.0
        self.clock: TimeWarp = steady_clock(0.0, 1.0)
        self.late_for = 0.0
        self.notice = ""
        self._due: tuple[float, list[int]] | None = None

    @property
    def stepping(self) -> bool:
        """Whether a foot is in the air or will lift."""
        return self.schedule.next_touchdown(self.phase) is not None or self._due is not None

    def begin(self, schedule: Schedule, foot: int, lead: float) -> None:
        """Start ``schedule`` with the lift of ``foot`` in ``lead`` s."""
        first = schedule.lift_after(foot, 0.0)
        self.schedule = Schedule(schedule.offsets, schedule.duty, schedule.period, first)
        self.phase = first - lead / schedule.period
        self.clock = steady_clock(self.phase, schedule.period)
        self._due, self.late_for = None, 0.0

    def stop(self, phase: float) -> None:
        """No lift at or after ``phase``."""
        s = self.schedule
        self.schedule = Schedule(s.offsets, s.duty, s.period, s.first, min(s.stop, phase))

    def time_to(self, phase: float) -> float:
        """Time to a phase, s; 0 while waiting for late ground."""
        return 0.0 if self.late_for else self.clock.time_of(phase)

    def weight(self, clock: TimeWarp, times: Array) -> Array:
        """(k, n_feet) contact weight at ``times`` (k,) s from now; a foot that found no ground carries nothing."""
        weight = self.schedule.weight(clock.phase_at(times))
        missing = set(self._feet.hanging)
        if self.late_for > TOLERATED_LATENESS_S or (self._due is not None and self.phase > self._due[0]):
            missing |= {f for f, swing in self._feet.swings.items() if swing.remaining <= 1e-6}
        weight[:, list(missing)] = 0.0
        return weight

    def advance(self, dt: float, now: float, observation: Observation, shape: SwingShape, step: StepParameters) -> bool:
        """Move ``dt`` s ahead to ``now``, s on the stepping clock; False when ground was given up on and stepping
        must end."""
        self._feet.advance(dt, shape)
        for foot in [f for f in self._feet.hanging if observation.in_contact[f]]:
            self._feet.land(foot, observation, now)
        phase = float(self.clock.phase_at(np.array([dt]))[0])
        self._due = self._due or self.schedule.next_touchdown(self.phase)
        gave_up = False
        if self._due is not None:
            phase, gave_up = self._judge(dt, now, phase, self._due, observation, step)
        self.phase = phase
        self._lift_due_feet()
        return not gave_up

    def _judge(
        self,
        dt: float,
        now: float,
        phase: float,
        due: tuple[float, list[int]],
        observation: Observation,
        step: StepParameters,
    ) -> tuple[float, bool]:
        """Land what has touched; the phase to go on with, and whether missing ground was given up on."""
        event, group = due
        flying = [f for f in group if f in self._feet.swings]
        for foot in flying:
            if observation.in_contact[foot] and self._feet.swings[foot].progress > step.early_share:
                self._feet.land(foot, observation, now + 0.5 * self.schedule.stance_time)
        waiting = [f for f in flying if f in self._feet.swings]
        if not waiting:
            reached = bool(flying) or phase >= event
            self._due, self.late_for = (None, 0.0) if reached else (due, self.late_for)
            return max(phase, event) if flying else phase, False
        landed = len(waiting) < len(group)
        hold = event + _HOLD_SHARE * self.schedule.ramp if landed else event - 1e-6
        if self.late_for == 0.0 and phase < event - 1e-9:
            return phase, False
        self.late_for += dt
        if self.late_for > step.late_time:
            return self._give_up(event, waiting, step), True
        return min(phase, hold) if landed else hold, False

    def _give_up(self, event: float, waiting: list[int], step: StepParameters) -> float:
        """Take missing ground as a hole: the feet hang, nothing lifts any more."""
        self._feet.hanging.update(waiting)
        names = ", ".join(self._feet.body.foot_names[f] for f in waiting)
        self.notice = f"no ground felt under {names} within {step.late_time:g} s of the planned touch-down; stopping"
        self.stop(event + 1e-3)
        self._due, self.late_for = None, 0.0
        return max(self.phase, event)

    def _lift_due_feet(self) -> None:
        """Lift the feet whose swing has begun; the rest of a swing that came down early is not flown again."""
        swinging = self.schedule.swinging(np.array([self.phase]))[0]
        for foot in range(self._feet.body.n_feet):
            if swinging[foot] and foot not in self._feet.swings:
                touch = self.schedule.touchdowns(foot, self.phase, self.phase + 1.0)
                share = (touch[0] - self.phase) / (1.0 - self.schedule.duty) if touch else 0.0
                if share > 0.5:
                    duration = share * self.schedule.swing_time
                    self._feet.lift(foot, SwingTiming(duration, duration))
