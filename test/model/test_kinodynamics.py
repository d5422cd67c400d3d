"""Every Jacobian and drift against finite differences, momentum against its definition, invariance to place."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from wbc_control.model import Kinodynamics, RobotModel, load_robot
from wbc_control.model.urdf_source import search_roots
from wbc_control.parameters import RobotParameters, build
from wbc_control.spatial import log_so3, yaw_matrix

HAS_DATA = any((root / "example-robot-data" / "robots").is_dir() for root in search_roots())
G1 = pytest.param("g1", marks=pytest.mark.skipif(not HAS_DATA, reason="example-robot-data is not installed"))
LEGGED = ("humanoid", "quadruped", G1)
ROBOTS = (*LEGGED, "arm")
STEP = 1e-5


def arm() -> RobotModel:
    """Four joints on a table, one of them continuous; its hand is declared as a sole."""
    inertia = '<inertia ixx=".03" iyy=".02" izz=".01" ixy="0" ixz="0" iyz="0"/>'
    solid = f'<inertial><origin xyz="0 .02 .1"/><mass value="1.5"/>{inertia}</inertial>'
    axes = ("0 0 1", "0 1 0", "0.6 0 0.8", "1 0 0")
    links = "".join(f"<link name='link{i}'>{solid}</link>" for i in range(len(axes) + 1))
    joints = "".join(
        f"<joint name='joint{i}' type='{'continuous' if i == 2 else 'revolute'}'><parent link='link{i}'/>"
        f"<child link='link{i + 1}'/><origin xyz='.05 0 .3' rpy='.1 .2 0'/><axis xyz='{axis}'/>"
        f"<limit lower='-2' upper='2' effort='10' velocity='5'/></joint>"
        for i, axis in enumerate(axes)
    )
    values = {"name": "arm", "floating_base": False, "torso_link": "link2", "feet.hand.link": "link4"}
    values |= {
        "feet.hand.corners": (0.0, 0.0, 0.0),
        "feet.hand.origin": (0.0, 0.0, 0.2),
        "feet.hand.rpy": (0.3, 0.0, 1.0),
    }
    parameters = build(RobotParameters, values)
    return RobotModel(parameters, f"<robot name='arm'>{links}{joints}</robot>", Path("arm.urdf"), ())


@cache
def model_of(name: str) -> RobotModel:
    return arm() if name == "arm" else RobotModel.from_parameters(load_robot(name).robot)


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

    def rate(get: Callable[[Kinodynamics], np.ndarray]) -> np.ndarray:
        return (get(after) - get(before)) / (2 * STEP)

    np.testing.assert_allclose(now.J_com @ v, rate(lambda k: k.com), atol=1e-6)
    np.testing.assert_allclose(now.J_com @ v, now.com_velocity, atol=1e-10)
    np.testing.assert_allclose(now.J_com @ a + now.com_drift, rate(lambda k: k.com_velocity), atol=1e-5)
    np.testing.assert_allclose(
        now.momentum_map @ a + now.momentum_drift, rate(lambda k: k.momentum), rtol=1e-5, atol=1e-3
    )
    np.testing.assert_allclose(now.J_torso @ a + now.torso_drift, rate(lambda k: k.torso_velocity), atol=2e-5)
    for foot in range(len(model.feet)):
        moved = rate(lambda k: k.foot_position[foot])  # noqa: B023
        np.testing.assert_allclose(now.foot_velocity[foot, :3], moved, atol=1e-6)
        turn = log_so3(after.foot_rotation[foot] @ before.foot_rotation[foot].T) / (2 * STEP)
        np.testing.assert_allclose(now.foot_velocity[foot, 3:], turn, atol=1e-6)
        acceleration = now.J_foot[foot] @ a + now.foot_drift[foot]
        np.testing.assert_allclose(acceleration, rate(lambda k: k.foot_velocity[foot]), atol=5e-5)  # noqa: B023


@pytest.mark.parametrize("name", ROBOTS)
def test_every_column_of_every_jacobian_is_a_derivative(name: str) -> None:
    model = model_of(name)
    q, _, _ = random_state(model, 11)
    here = terms_at(model, q, np.zeros(model.nv))
    for column in range(model.nv):
        unit = np.eye(model.nv)[column]
        ends = [terms_at(model, pin.integrate(model.pinocchio, q, sign * STEP * unit), unit) for sign in (-1, 1)]
        np.testing.assert_allclose(here.J_com[:, column], (ends[1].com - ends[0].com) / (2 * STEP), atol=1e-7)
        middle = 0.5 * (ends[0].momentum + ends[1].momentum)
        np.testing.assert_allclose(here.momentum_map[:, column], middle, atol=1e-6)
        torso = log_so3(ends[1].torso_rotation @ ends[0].torso_rotation.T) / (2 * STEP)
        np.testing.assert_allclose(here.J_torso[3:, column], torso, atol=1e-6)
        shift = (ends[1].foot_position - ends[0].foot_position) / (2 * STEP)
        np.testing.assert_allclose(here.J_foot[:, :3, column], shift, atol=1e-7)
        for foot in range(len(model.feet)):
            turn = log_so3(ends[1].foot_rotation[foot] @ ends[0].foot_rotation[foot].T) / (2 * STEP)
            np.testing.assert_allclose(here.J_foot[foot, 3:, column], turn, atol=1e-6)


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


@pytest.mark.parametrize("name", LEGGED)
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


def test_nothing_counts_on_a_floating_base() -> None:
    """C6: an arm on a table is as good a robot as any."""
    model = model_of("arm")
    assert (model.nv, model.nq, model.n) == (4, 5, 4) and not model.floating_base
    assert model.v_index.tolist() == [0, 1, 2, 3] and model.q_index.tolist() == [0, 1, 2, 4]
    positions = np.array([0.1, -0.2, 2.5, 0.4])
    q = model.with_joint_positions(model.standing_configuration(), positions)
    np.testing.assert_allclose(model.joint_positions(q), positions, atol=1e-12)


@pytest.mark.parametrize("name", LEGGED)
def test_standing_on_the_ground(name: str) -> None:
    model = model_of(name)
    assert model.lowest_sole_height(model.standing_configuration()) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["M", "h", "com", "com_velocity", "J_com", "momentum_map", "momentum", "momentum_drift"]
)
def test_a_kept_array_keeps_the_memory_it_looks_at(name: str) -> None:
    """Arrays may be views of Pinocchio's memory, whose own views would dangle once the terms are gone."""
    model = model_of("quadruped")
    terms = terms_at(model, *random_state(model, 1)[:2])
    data, kept = weakref.ref(terms.data), getattr(terms, name)
    if kept.flags.owndata:
        pytest.skip("these bindings copy")
    del terms
    assert data() is not None
    del kept
    assert data() is None
