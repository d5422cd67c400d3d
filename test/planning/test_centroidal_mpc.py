"""Centroidal MPC: weight carried at rest, cones and soles kept, dynamics re-computed, walking with it selected."""
from __future__ import annotations

import numpy as np
import pytest
from pendulum_world import World
from planning_bodies import biped_body, quadruped_body

from wbc_control.parameters.controller import SolverParameters
from wbc_control.parameters.planner import GaitParameters, PlannerParameters
from wbc_control.planning.centroidal_mpc import KNOTS_S, CentroidalMpc, MpcReference, MpcResult
from wbc_control.qp import create_workspace

MU = 0.6
BODIES = pytest.mark.parametrize("body", [biped_body(), quadruped_body()], ids=["biped", "quadruped"])


def standing_reference(body, single: bool = False) -> MpcReference:
    knots = len(KNOTS_S)
    weight = np.ones((knots, body.n_feet))
    if single:
        weight[:4, body.n_feet // 2 :] = 0.0
    centre = np.broadcast_to(np.column_stack((body.foot_offset, np.zeros(body.n_feet))), (knots, body.n_feet, 3))
    com = np.broadcast_to([0.0, 0.0, body.com_height], (knots, 3))
    return MpcReference(com, np.zeros((knots, 2)), weight, centre, np.zeros(body.n_feet))


def solve(body, velocity, single: bool = False, momentum=(0.0, 0.0, 0.0)) -> MpcResult:
    mpc = CentroidalMpc(body, MU, lambda: create_workspace(SolverParameters(tolerance=1e-7)))
    omega = np.sqrt(9.81 / body.com_height)
    com = np.array([0.0, 0.0, body.com_height])
    result = mpc.solve(com, np.array(velocity), np.array(momentum), omega, standing_reference(body, single))
    assert result is not None
    return result


def test_the_horizon_is_a_second() -> None:
    assert KNOTS_S.sum() == pytest.approx(1.0)


@BODIES
def test_at_rest_the_feet_share_the_weight(body) -> None:
    result = solve(body, (0.0, 0.0, 0.0))
    np.testing.assert_allclose(result.acceleration, 0.0, atol=2e-2)
    np.testing.assert_allclose(result.force[:, :, 2], body.mass * 9.81 / body.n_feet, rtol=2e-2)
    np.testing.assert_allclose(result.cop, 0.0, atol=1e-3)


@BODIES
@pytest.mark.parametrize("velocity", [(0.4, 0.1, 0.0), (-0.3, 0.5, 0.1), (1.5, 0.0, 0.0)])
def test_forces_stay_in_their_cones_and_swing_feet_do_not_push(body, velocity) -> None:
    result = solve(body, velocity, single=True, momentum=(0.5, -0.3, 0.1))
    normal = result.force[:, :, 2]
    assert normal.min() > -1e-2
    assert np.all(np.linalg.norm(result.force[:, :, :2], axis=2) <= MU * normal + 1e-2)
    assert np.all(result.force[:4, body.n_feet // 2 :] == 0.0)
    force = result.force.sum(axis=1) / body.mass - [0.0, 0.0, 9.81]
    np.testing.assert_allclose(result.acceleration, force, atol=1e-6)


@BODIES
def test_a_push_is_braked_and_the_cop_goes_ahead_of_the_com(body) -> None:
    result = solve(body, (0.2, 0.0, 0.0))
    assert result.acceleration[0, 0] < 0.0 and result.cop[0, 0] > 0.0
    velocity = 0.2 + np.cumsum(KNOTS_S * result.acceleration[:, 0])
    assert abs(velocity[-1]) < 0.1


@pytest.mark.parametrize(("robot", "gait"), [("biped", "walk"), ("quadruped", "trot")])
def test_walks_with_the_mpc(robot: str, gait: str) -> None:
    body = biped_body() if robot == "biped" else quadruped_body()
    gaits = GaitParameters(name=gait, start_time=0.4)
    world = World(body, PlannerParameters(start_duration=0.3, gait=gaits, method="mpc"), noise=0.001)
    world.run(0.5)
    world.run(4.0, (0.3, 0.0, 0.0))
    assert not world.fallen and world.com[0] > 0.6
    world.run(6.0)
    assert not world.fallen and world.core.stepping is None
