"""Swing foot: C² from lift to touch-down, with clearance, touch-down speed, retargeting in flight, search for late
ground.

Sideways and ahead: one quintic from the present reference state to the foothold.  Up and down: a quintic to the apex
and one from there, joined with equal acceleration −6 h / (T/2)² (the curvature of the smooth bump 64 h s³(1−s)³ at
its top).  Over a step the foot goes up before it goes ahead, and ahead before it comes down: the level part of the
motion begins later on the way up and ends earlier on the way down.  A retarget starts new quintics from the present
position, velocity and acceleration, so the reference stays C².
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wbc_control.parameters.planner import StepParameters
from wbc_control.planning.quintic import Boundary, quintic
from wbc_control.spatial import Array, log_so3

_LONGEST_HOLD = 0.22
"""Largest share of the swing in which a foot only rises, or only comes down."""

_SHORTEST_LEVEL_S = 0.04
"""Time to the place over which the foot comes down below which it is not driven any faster, s."""

_LEVEL_STEP_M, _WHOLE_STEP_M = 0.02, 0.08
"""Rise of the ground from which the foot holds its place at one end of the swing, and at which it does so fully, m."""


@dataclass(frozen=True, eq=False)
class Foothold:
    """Where a foot will stand.

    Attributes:
        position: (3,) sole origin, world, m.
        rotation: (3, 3) sole in world.
    """

    position: Array
    rotation: Array


@dataclass(frozen=True, eq=False)
class SwingState:
    """Reference of a swing foot at one instant: coordinates (6,) and their first two derivatives.

    The coordinates are the sole's position in world, m, then the rotation vector, rad, from its orientation at
    lift-off.
    """

    position: Array
    velocity: Array
    acceleration: Array


@dataclass(frozen=True, eq=False)
class SwingMotion:
    """Reference of a swing foot at k times.

    Attributes:
        position: (k, 3) m, world.
        rotation: (k, 3, 3).
        velocity: (k, 6) linear then angular, world.
        acceleration: (k, 6) likewise.
        states: The same as coordinates and derivatives (three arrays (k, 6)), to go on from.
    """

    position: Array
    rotation: Array
    velocity: Array
    acceleration: Array
    states: Boundary

    def state(self, index: int) -> SwingState:
        """The reference at one of the times, to go on from."""
        return SwingState(*(array[index].copy() for array in self.states))


@dataclass(frozen=True)
class SwingShape:
    """How high and how hard: clearance over the higher end, m; touch-down speed and search speed, m/s."""

    clearance: float
    touchdown_speed: float
    search_speed: float


def swing_shape(step: StepParameters) -> SwingShape:
    """Clearance and speeds of the parameters."""
    return SwingShape(step.height, step.touchdown_speed, step.search_speed)


@dataclass(frozen=True)
class SwingTiming:
    """Time to touch-down and whole duration of the swing as planned now, s; remaining ≤ 0: the ground is late."""

    remaining: float
    total: float


def resting_state(foothold: Foothold) -> SwingState:
    """A foot at rest on the ground, about to lift."""
    return SwingState(np.array([*foothold.position, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(6))


def swing_motion(
    state: SwingState, lifted: Foothold, target: Foothold, timing: SwingTiming, shape: SwingShape, times: Array
) -> SwingMotion:
    """Reference of a swing foot; a late one searches downwards at constant speed.

    Args:
        state: Reference now.
        lifted: Where the foot left the ground.
        target: Foothold to reach.
        timing: Remaining and total time.
        shape: Clearance and speeds.
        times: (k,) s from now, increasing.
    """
    if timing.remaining <= 1e-6:
        states = _search(state, shape.search_speed, times)
    else:
        goal = np.array([*target.position, *log_so3(lifted.rotation.T @ target.rotation)])
        level = _level(state, goal, goal[2] - lifted.position[2], timing, times)
        height = _height(state, lifted, goal[2], timing, shape, times)
        states = tuple(_with_height(flat, upright) for flat, upright in zip(level, height))  # type: ignore[assignment]
    return _in_world(states, lifted.rotation)


def _boundary(state: SwingState) -> Boundary:
    return state.position, state.velocity, state.acceleration


def _level(state: SwingState, goal: Array, rise: float, timing: SwingTiming, times: Array) -> Boundary:
    """Motion ahead and turn (the third coordinate has no meaning), each (k, 6)."""
    hold = _LONGEST_HOLD * min(max((abs(rise) - _LEVEL_STEP_M) / (_WHOLE_STEP_M - _LEVEL_STEP_M), 0.0), 1.0)
    elapsed = timing.total - timing.remaining
    wait = max(hold * timing.total - elapsed, 0.0) if rise > 0.0 else 0.0
    rest = hold * timing.total if rise < 0.0 else 0.0
    duration = max(timing.remaining - wait - rest, min(timing.remaining, _SHORTEST_LEVEL_S))
    return quintic(_boundary(state), (goal, np.zeros(6), np.zeros(6)), duration).evaluate(
        np.clip(times - wait, 0.0, duration)
    )


def _with_height(flat: Array, upright: Array) -> Array:
    flat[:, 2] = upright
    return flat


def _search(state: SwingState, speed: float, times: Array) -> Boundary:
    """Straight down from the present position."""
    down = np.array([0.0, 0.0, -speed, 0.0, 0.0, 0.0])
    position = state.position + times[:, None] * down
    return position, np.broadcast_to(down, position.shape).copy(), np.zeros_like(position)


def _height(
    state: SwingState, lifted: Foothold, ground: float, timing: SwingTiming, shape: SwingShape, times: Array
) -> Boundary:
    """Vertical position, velocity, acceleration, each (k,)."""
    start = (state.position[2:3], state.velocity[2:3], state.acceleration[2:3])
    end = (np.array([ground]), np.array([-shape.touchdown_speed]), np.zeros(1))
    to_apex = timing.remaining - 0.5 * timing.total
    if to_apex <= 0.02:
        value, rate, second = quintic(start, end, timing.remaining).evaluate(times)
        return value[:, 0], rate[:, 0], second[:, 0]
    top = np.array([max(float(lifted.position[2]), ground) + shape.clearance])
    curve = np.array([-6.0 * shape.clearance / (0.5 * timing.total) ** 2])
    apex = (top, np.zeros(1), curve)
    rising = quintic(start, apex, to_apex).evaluate(times)
    falling = quintic(apex, end, timing.remaining - to_apex).evaluate(times - to_apex)
    before = times < to_apex
    value, rate, second = (np.where(before, r[:, 0], f[:, 0]) for r, f in zip(rising, falling))
    return value, rate, second


def _in_world(states: Boundary, lift_rotation: Array) -> SwingMotion:
    """World poses, twists and accelerations from the coordinates.

    Angular velocity is R₀ J_l(w) ẇ with the left Jacobian of SO(3); the acceleration leaves out J̇_l ẇ, which is of
    second order in the small turn of one step.
    """
    position, velocity, acceleration = states
    twist, rate = velocity.copy(), acceleration.copy()
    if not position[:, 3:].any():
        rotation = np.broadcast_to(lift_rotation, (len(position), 3, 3))
        return SwingMotion(position[:, :3].copy(), rotation, twist, rate, states)
    exponential, jacobian = _exp_and_jacobian(position[:, 3:])
    jacobian = lift_rotation @ jacobian
    twist[:, 3:] = np.einsum("kij,kj->ki", jacobian, velocity[:, 3:])
    rate[:, 3:] = np.einsum("kij,kj->ki", jacobian, acceleration[:, 3:])
    return SwingMotion(position[:, :3].copy(), lift_rotation @ exponential, twist, rate, states)


def _exp_and_jacobian(vectors: Array) -> tuple[Array, Array]:
    """exp(w) and left Jacobian of SO(3), each (k, 3, 3), of rotation vectors (k, 3).

    exp = I + sin θ/θ K + (1−cos θ)/θ² K²,  J_l = I + (1−cos θ)/θ² K + (θ−sin θ)/θ³ K².
    """
    angle = np.maximum(np.linalg.norm(vectors, axis=1), 1e-4)  # below, the series' error is under 1e-9
    hat = np.zeros((len(vectors), 3, 3))
    hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0] = vectors.T
    hat = hat - hat.transpose(0, 2, 1)
    square = hat @ hat
    sine, cosine = np.sin(angle), np.cos(angle)
    first, second = (sine / angle)[:, None, None], ((1.0 - cosine) / angle**2)[:, None, None]
    third = ((angle - sine) / angle**3)[:, None, None]
    eye = np.eye(3)
    return eye + first * hat + second * square, eye + second * hat + third * square
