"""Every Jacobian and drift against finite differences, momentum against its definition, invariance to the standpoint."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from wbc_control.model import Kinodynamics, RobotModel, load_robot
from wbc_control.spatial import log_so3, yaw_matrix

ROBOTS = ("humanoid", "quadruped")
STEP = 1e-5


def model_of(name: str) -> RobotModel:
    return RobotModel.from_parameters(load_robot(name).robot)


def random_state(model: RobotModel, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tilted, moving, accelerating."""
    rng = np.random.default_rng(seed)
    q = pin.integrate(model.pinocchio, model.standing_configuration(), 0.4 * rng.normal(size=model.nv))
    return q, rng.normal(size=model.nv), rng.normal(size=model.nv)


def terms_at(model: RobotModel, q: np.ndarray, v: np.ndarray) -> Kinodynamics:
    terms = Kinodynamics(model)
    terms.update(q, v)
    return terms


def along(model: RobotModel, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float) -> Kinodynamics:
    """Terms at time t on the trajectory with velocity v + a t."""
    return terms_at(model, pin.integrate(model.pinocchio, q, v * t + 0.5 * a * t * t), v + a * t)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("seed", range(3))
def test_velocities_and_accelerations_are_derivatives(name: str, seed: int) -> None:
    model = model_of(name)
    q, v, a = random_state(model, seed)
    now, before, after = (along(model, q, v, a, t) for t in (0.0, -STEP, STEP))

    def rate(get) -> np.ndarray:
        return (get(after) - get(before)) / (2 * STEP)

    np.testing.assert_allclose(now.J_com @ v, rate(lambda k: k.com), atol=1e-6)
    np.testing.assert_allclose(now.J_com @ v, now.com_velocity, atol=1e-10)
    np.testing.assert_allclose(now.J_com @ a + now.com_drift, rate(lambda k: k.com_velocity), atol=1e-5)
    np.testing.assert_allclose(
        now.momentum_map @ a + now.momentum_drift, rate(lambda k: k.momentum), rtol=1e-5, atol=1e-3
    )
    np.testing.assert_allclose(now.J_torso @ a + now.torso_drift, rate(lambda k: k.torso_velocity), atol=2e-5)
    for foot in range(len(model.feet)):
        np.testing.assert_allclose(now.foot_velocity[foot, :3], rate(lambda k: k.foot_position[foot]), atol=1e-6)  # noqa: B023
        turn = log_so3(after.foot_rotation[foot] @ before.foot_rotation[foot].T) / (2 * STEP)
        np.testing.assert_allclose(now.foot_velocity[foot, 3:], turn, atol=1e-6)
        acceleration = now.J_foot[foot] @ a + now.foot_drift[foot]
        np.testing.assert_allclose(acceleration, rate(lambda k: k.foot_velocity[foot]), atol=5e-5)  # noqa: B023


@pytest.mark.parametrize("name", ROBOTS)
def test_inertia_and_bias_are_inverse_dynamics(name: str) -> None:
    model = model_of(name)
    q, v, a = random_state(model, 7)
    terms = terms_at(model, q, v)
    np.testing.assert_allclose(terms.M, terms.M.T, atol=1e-12)
    assert np.linalg.eigvalsh(terms.M)[0] > 0.0
    bare = model.pinocchio.copy()
    bare.armature = np.zeros(model.nv)  # whether rnea counts the rotors depends on Pinocchio's version
    torque = pin.rnea(bare, bare.createData(), q, v, a)
    np.testing.assert_allclose(terms.M @ a + terms.h, torque + np.array(model.pinocchio.armature) * a, atol=1e-8)
    np.testing.assert_allclose(terms.momentum[:3], model.mass * terms.com_velocity, atol=1e-8)


@pytest.mark.parametrize("name", ROBOTS)
def test_nothing_depends_on_where_it_stands_and_which_way_it_faces(name: str) -> None:
    model = model_of(name)
    q, v, _ = random_state(model, 3)
    turn = yaw_matrix(1.1)
    moved = q.copy()
    moved[:3] = turn @ q[:3] + np.array([3.0, -2.0, 0.5])
    rotation = turn @ pin.Quaternion(q[3:7]).matrix()
    moved[3:7] = pin.Quaternion(rotation).coeffs()
    here, there = terms_at(model, q, v), terms_at(model, moved, v)
    np.testing.assert_allclose(there.M, here.M, atol=1e-8)
    np.testing.assert_allclose(there.h, here.h, atol=1e-8)
    np.testing.assert_allclose(there.com_velocity, turn @ here.com_velocity, atol=1e-9)
    np.testing.assert_allclose(there.momentum[3:], turn @ here.momentum[3:], atol=1e-8)


@pytest.mark.parametrize("name", ROBOTS)
def test_standing_on_the_ground(name: str) -> None:
    model = model_of(name)
    assert model.lowest_sole_height(model.standing_configuration()) == pytest.approx(0.0, abs=1e-9)
