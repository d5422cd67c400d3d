"""Motions of the CoM over standing feet (sway, squat, circle) that start, stop, change and blend with C² continuity.

Each is an amplitude times a function of one common phase.  Amplitudes and frequency are followed smoothly, so a new
kind fades in while the old one fades out, and nothing ever jumps.
"""
from __future__ import annotations

import math

import numpy as np

from wbc_control.parameters.planner import StandingMotionParameters
from wbc_control.planning.follower import SmoothFollower
from wbc_control.planning.quintic import Boundary
from wbc_control.spatial import Array

_SWAY_X, _SWAY_Y, _SQUAT, _CIRCLE = range(4)


class StandingMotion:
    """Offset of the CoM from its standing place, in the heading frame.

    Args:
        blend_time: s in which a change of kind, amplitude or frequency is made.
    """

    def __init__(self, blend_time: float) -> None:
        self._amplitude = SmoothFollower(np.zeros(4), blend_time)
        self._frequency = SmoothFollower(np.zeros(1), blend_time)
        self._phase = 0.0

    def set_target(self, parameters: StandingMotionParameters, active: bool) -> None:
        """Take the wanted motion; ``active`` False fades it out."""
        amplitude = parameters.amplitude if active else 0.0
        wanted = np.zeros(4)
        if parameters.kind == "sway":
            wanted[_SWAY_X] = amplitude * math.cos(parameters.heading)
            wanted[_SWAY_Y] = amplitude * math.sin(parameters.heading)
        elif parameters.kind == "squat":
            wanted[_SQUAT] = amplitude
        elif parameters.kind == "circle":
            wanted[_CIRCLE] = amplitude
        self._amplitude.target = wanted
        if not self._amplitude.value.any():
            self._frequency.jump(np.array([parameters.frequency]))
            self._phase = 0.0
        self._frequency.target = np.array([parameters.frequency])

    @property
    def still(self) -> bool:
        """Whether no motion is left (below a tenth of a millimetre)."""
        return bool(np.abs(self._amplitude.value).max() < 1e-4)

    def preview(self, times: Array) -> Boundary:
        """Offset, velocity, acceleration, each (k, 3), heading frame, at ``times`` (k,) s from now."""
        a, da, dda = self._amplitude.preview(times)
        phase, omega, domega = self._phase_preview(times)
        c, s = np.cos(phase), np.sin(phase)
        position = _combine(a, s, c - 1.0, c, s)
        slope = _combine(a, c, -s, -s, c)
        curvature = _combine(a, -s, -c, -c, -s)
        velocity = _combine(da, s, c - 1.0, c, s) + slope * omega[:, None]
        acceleration = (
            _combine(dda, s, c - 1.0, c, s)
            + 2.0 * _combine(da, c, -s, -s, c) * omega[:, None]
            + curvature * (omega**2)[:, None]
            + slope * domega[:, None]
        )
        return position, velocity, acceleration

    def advance(self, dt: float) -> None:
        """Move ``dt`` s ahead."""
        self._phase = math.fmod(float(self._phase_preview(np.array([dt]))[0][0]), 2.0 * math.pi)
        self._amplitude.advance(dt)
        self._frequency.advance(dt)
        if not self._amplitude.target.any() and self.still:
            self._fade_out()

    def _fade_out(self) -> None:
        """Forget the last tenth of a millimetre once it also hardly moves, so that a new motion starts at phase 0."""
        if np.abs(self._amplitude.velocity).max() < 1e-5 and np.abs(self._amplitude.acceleration).max() < 1e-4:
            self._amplitude.jump(np.zeros(4))

    def _phase_preview(self, times: Array) -> Boundary:
        """Phase, rad, its rate and second rate, each (k,): the closed-form integral of the frequency follower."""
        frequency, slope, _ = self._frequency.preview(times)
        lam, decay = self._frequency.rate, np.exp(-self._frequency.rate * times)
        first = (1.0 - decay) / lam
        second = (first - times * decay) / lam
        third = (2.0 * second - times**2 * decay) / lam
        c0, c1, c2 = self._frequency.coefficients()[:, 0]
        turns = self._frequency.target[0] * times + c0 * first + c1 * second + c2 * third
        two_pi = 2.0 * math.pi
        return self._phase + two_pi * turns, two_pi * frequency[:, 0], two_pi * slope[:, 0]


def _combine(amplitude: Array, sway: Array, squat: Array, circle_x: Array, circle_y: Array) -> Array:
    """(k, 3) sum of the motions, each amplitude (k, 4) times its own function of the phase (k,)."""
    x = amplitude[:, _SWAY_X] * sway + amplitude[:, _CIRCLE] * circle_x
    y = amplitude[:, _SWAY_Y] * sway + amplitude[:, _CIRCLE] * circle_y
    return np.column_stack((x, y, amplitude[:, _SQUAT] * squat))
