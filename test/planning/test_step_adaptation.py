"""DCM recursion, box QP and the adaptation of place and time against closed forms and brute force."""
from __future__ import annotations

import math

import numpy as np
import pytest

from wbc_control.planning.adaptation import StepBounds, adapt_step, ankle_correction
from wbc_control.planning.box_qp import solve_box_qp
from wbc_control.planning.divergent import backward_dcm, pendulum_step

OMEGA = 3.8


@pytest.mark.parametrize("seed", range(4))
def test_the_dcm_that_ends_right_is_the_one_that_flows_there(seed: int) -> None:
    random, dt = np.random.default_rng(seed), 0.01
    zmp = np.cumsum(random.normal(size=(80, 2)), axis=0) * 0.01
    dcm = backward_dcm(zmp, zmp[-1] + 0.02, OMEGA, dt)
    value, fine = dcm[0].copy(), 200
    for k in range(79):
        for j in range(fine):
            p = zmp[k] + (j + 0.5) / fine * (zmp[k + 1] - zmp[k])
            value = p + (value - p) * math.exp(OMEGA * dt / fine)
    np.testing.assert_allclose(value, dcm[-1], atol=1e-4)


def test_pendulum_step_solves_the_pendulum() -> None:
    x, v = 0.03, -0.2
    for _ in range(10000):
        v += 1e-5 * OMEGA**2 * (x - 0.05)
        x += 1e-5 * v
    np.testing.assert_allclose(pendulum_step(0.03, -0.2, 0.05, OMEGA, 0.1), (x, v), atol=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_box_qp_meets_its_optimality_conditions(seed: int) -> None:
    random = np.random.default_rng(seed)
    root = random.normal(size=(3, 3))
    hessian, gradient = root @ root.T + 0.1 * np.eye(3), random.normal(size=3)
    lower, upper = -random.uniform(0, 1, 3), random.uniform(0, 1, 3)
    x = solve_box_qp(hessian, gradient, lower, upper)
    slope = hessian @ x + gradient
    assert np.all(x >= lower) and np.all(x <= upper)
    np.testing.assert_allclose(x - np.clip(x - slope, lower, upper), 0.0, atol=1e-6)


def test_crossed_bounds_are_met_in_the_middle() -> None:
    x = solve_box_qp(np.eye(2), np.zeros(2), np.array([1.0, -1.0]), np.array([0.0, 1.0]))
    np.testing.assert_allclose(x, [0.5, 0.0])


def bounds(reach: float = 1.0, time: float = 0.3, spread: float = 0.1) -> StepBounds:
    return StepBounds(np.full(2, -reach), np.full(2, reach), time - spread, time + spread)


def test_no_miss_no_change() -> None:
    result = adapt_step(np.array([0.05, 0.08]), np.zeros(2), 0.9, 0.3, OMEGA, bounds())
    np.testing.assert_allclose(result.shift, 0.0, atol=1e-9)
    assert result.time == pytest.approx(0.3)


def test_the_footstep_goes_where_the_dcm_goes() -> None:
    result = adapt_step(np.array([0.0, 0.08]), np.array([0.1, 0.0]), 0.9, 0.3, OMEGA, bounds(spread=0.0))
    assert 0.09 < result.shift[0] < 0.12
    assert np.linalg.norm(result.miss) < 0.01


def test_time_helps_where_the_foot_cannot_reach() -> None:
    arm, miss = np.array([0.2, 0.0]), np.array([0.15, 0.0])
    fixed = adapt_step(arm, miss, 0.9, 0.3, OMEGA, bounds(reach=0.05, spread=0.0))
    free = adapt_step(arm, miss, 0.9, 0.3, OMEGA, bounds(reach=0.05, spread=0.15))
    assert free.time < 0.25 and np.linalg.norm(free.miss) < 0.6 * np.linalg.norm(fixed.miss)
    assert np.all(np.abs(free.shift) <= 0.05 + 1e-12)


def test_the_ankle_correction_is_deadbeat() -> None:
    error, time = np.array([0.01, -0.02]), 0.25
    growth = math.exp(OMEGA * time)
    delta = ankle_correction(error, growth)
    np.testing.assert_allclose(error * growth - delta * (growth - 1.0), 0.0, atol=1e-12)
