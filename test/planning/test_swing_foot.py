"""Swing foot: boundaries, C² in flight and across retargets, clearance, same at any yaw (C10), search for late
ground."""
from __future__ import annotations

import numpy as np
import pytest

from wbc_control.planning.swing import Foothold, SwingShape, SwingState, SwingTiming, resting_state, swing_motion
from wbc_control.spatial import exp_so3, yaw_matrix

SHAPE = SwingShape(clearance=0.06, touchdown_speed=0.05, search_speed=0.15)
LIFTED = Foothold(np.array([0.1, 0.2, 0.0]), yaw_matrix(0.3))
TARGET = Foothold(np.array([0.45, 0.25, 0.02]), yaw_matrix(0.6))
TOTAL = 0.4


def fly(retarget_at: float | None = None, dt: float = 0.001):
    """Whole swing in steps of ``dt``, replanned at every step like the planner does."""
    state, target, remaining, total = resting_state(LIFTED), TARGET, TOTAL, TOTAL
    states = [state]
    for k in range(round(TOTAL / dt)):
        if retarget_at is not None and abs(k * dt - retarget_at) < 0.5 * dt:
            target = Foothold(TARGET.position + [0.05, -0.03, 0.01], TARGET.rotation)
        motion = swing_motion(state, LIFTED, target, SwingTiming(remaining, total), SHAPE, np.array([dt]))
        state, remaining = motion.state(0), remaining - dt
        states.append(state)
    return states, target


def stack(states: list[SwingState], name: str) -> np.ndarray:
    return np.array([getattr(s, name) for s in states])


@pytest.mark.parametrize("retarget_at", [None, 0.1, 0.25])
def test_c2_in_flight_and_across_a_retarget(retarget_at: float | None) -> None:
    states, target = fly(retarget_at)
    position, velocity, acceleration = (stack(states, n) for n in ("position", "velocity", "acceleration"))
    dt = 0.001
    np.testing.assert_allclose((position[2:] - position[:-2]) / (2 * dt), velocity[1:-1], atol=2e-2)
    np.testing.assert_allclose((velocity[2:-2] - velocity[:-4]) / (2 * dt), acceleration[1:-3], atol=1.5)
    assert np.abs(np.diff(acceleration[:-2], axis=0)).max() < 6.0  # jerk bound, no jump at the retarget
    np.testing.assert_allclose(position[-1, :3], target.position, atol=2e-3)


def test_boundaries() -> None:
    motion = swing_motion(
        resting_state(LIFTED), LIFTED, TARGET, SwingTiming(TOTAL, TOTAL), SHAPE, np.array([0.0, TOTAL])
    )
    np.testing.assert_allclose(motion.position[0], LIFTED.position)
    np.testing.assert_allclose(motion.velocity[0], np.zeros(6), atol=1e-12)
    np.testing.assert_allclose(motion.position[1], TARGET.position, atol=1e-12)
    np.testing.assert_allclose(motion.velocity[1], [0, 0, -SHAPE.touchdown_speed, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(motion.rotation[1], TARGET.rotation, atol=1e-9)


def test_clearance_over_the_higher_end() -> None:
    motion = swing_motion(
        resting_state(LIFTED), LIFTED, TARGET, SwingTiming(TOTAL, TOTAL), SHAPE, np.linspace(0.0, TOTAL, 401)
    )
    assert motion.position[:, 2].max() == pytest.approx(0.02 + SHAPE.clearance, abs=2e-3)
    assert motion.position[:, 2].min() > -1e-9


@pytest.mark.parametrize("yaw", [0.5 * np.pi, -2.5])
def test_the_same_swing_at_any_yaw(yaw: float) -> None:
    turn, times = yaw_matrix(yaw), np.linspace(0.0, TOTAL, 41)
    turned = [Foothold(turn @ h.position, turn @ h.rotation) for h in (LIFTED, TARGET)]
    timing = SwingTiming(TOTAL, TOTAL)
    level = swing_motion(resting_state(LIFTED), LIFTED, TARGET, timing, SHAPE, times)
    other = swing_motion(resting_state(turned[0]), turned[0], turned[1], timing, SHAPE, times)
    np.testing.assert_allclose(other.position, level.position @ turn.T, atol=1e-9)
    np.testing.assert_allclose(other.velocity[:, :3], level.velocity[:, :3] @ turn.T, atol=1e-9)
    np.testing.assert_allclose(other.velocity[:, 3:], level.velocity[:, 3:] @ turn.T, atol=1e-9)
    np.testing.assert_allclose(other.rotation, turn @ level.rotation, atol=1e-9)


def test_angular_velocity_is_the_derivative_of_the_rotation() -> None:
    target = Foothold(TARGET.position, exp_so3(np.array([0.2, -0.3, 0.8])))
    times = np.arange(0.0, TOTAL, 1e-4)
    motion = swing_motion(resting_state(LIFTED), LIFTED, target, SwingTiming(TOTAL, TOTAL), SHAPE, times)
    rate = np.einsum("kij,klj->kil", (motion.rotation[2:] - motion.rotation[:-2]) / 2e-4, motion.rotation[1:-1])
    spin = np.column_stack((rate[:, 2, 1], rate[:, 0, 2], rate[:, 1, 0]))
    np.testing.assert_allclose(spin, motion.velocity[1:-1, 3:], atol=1e-4)


def test_a_late_foot_searches_straight_down() -> None:
    state = SwingState(np.array([0.4, 0.2, 0.0, 0, 0, 0]), np.zeros(6), np.zeros(6))
    motion = swing_motion(state, LIFTED, TARGET, SwingTiming(-0.01, TOTAL), SHAPE, np.array([0.0, 0.1]))
    np.testing.assert_allclose(motion.position[1], [0.4, 0.2, -0.015], atol=1e-12)
    assert motion.velocity[1, 2] == -SHAPE.search_speed
