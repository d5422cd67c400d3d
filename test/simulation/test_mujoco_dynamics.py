"""The compiled world has the controller's dynamics: mass matrix, bias forces, kinematics, state conventions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

mujoco = pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")
pin = pytest.importorskip("pinocchio")

from simulated_robots import random_state, robot  # noqa: E402

from wbc_control.errors import BackendError  # noqa: E402
from wbc_control.model import RobotModel  # noqa: E402
from wbc_control.simulation.mjcf import compile_world, sole_site  # noqa: E402
from wbc_control.simulation.mujoco_state import StateMap, rotate  # noqa: E402
from wbc_control.simulation.terrain import Ground  # noqa: E402
from wbc_control.spatial import quaternion_to_matrix  # noqa: E402

ROBOTS = ("humanoid", "quadruped", "g1", "go2")


def _velocity_map(model: RobotModel, world: Any, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """T with v_mujoco = T v_pinocchio."""
    turn = np.zeros((model.nv, model.nv))
    turn[:3, :3], turn[3:6, 3:6] = quaternion_to_matrix(q[3:7]), np.eye(3)
    for name, index in zip(model.joint_names, model.v_index):
        turn[int(world.joint(name).dofadr[0]), index] = 1.0
    return turn


@pytest.fixture(params=ROBOTS)
def world(request: pytest.FixtureRequest) -> tuple[RobotModel, Any, Any]:
    model, parameters = _robot_or_skip(request.param)
    compiled = compile_world(model, parameters.simulator, Ground())
    return model, compiled, mujoco.MjData(compiled)


def _robot_or_skip(name: str) -> Any:
    from wbc_control.errors import ModelError

    try:
        return robot(name)
    except ModelError as error:
        pytest.skip(f"robot description of {name} is not installed: {error}")


def test_mass_matrix_and_bias_equal_pinocchio(world: Any) -> None:
    model, compiled, data = world
    states = StateMap(model.pinocchio, compiled, True)
    reference = model.pinocchio.createData()
    generator = np.random.default_rng(3)
    for _ in range(5):
        q, v = random_state(model, generator)
        data.qpos[:], data.qvel[:] = states.to_mujoco(q, v)
        mujoco.mj_forward(compiled, data)
        turn = _velocity_map(model, compiled, q)
        mass = np.column_stack([_times_mass(compiled, data, column) for column in turn.T])
        upper = np.triu(pin.crba(model.pinocchio, reference, q))
        np.testing.assert_allclose(turn.T @ mass, upper + np.triu(upper, 1).T, atol=1e-8)
        # d/dt(R v) = R (v̇ + ω × v): MuJoCo's linear velocity lives in world axes
        turning = np.zeros(model.nv)
        turning[:3] = turn[:3, :3] @ np.cross(v[3:6], v[:3])
        bias = turn.T @ (data.qfrc_bias + _times_mass(compiled, data, turning))
        np.testing.assert_allclose(bias, pin.nonLinearEffects(model.pinocchio, reference, q, v), atol=1e-8)


def _times_mass(compiled: Any, data: Any, vector: NDArray[np.float64]) -> NDArray[np.float64]:
    result = np.zeros(compiled.nv)
    mujoco.mj_mulM(compiled, data, result, np.ascontiguousarray(vector))
    return result


def test_soles_and_states_agree(world: Any) -> None:
    model, compiled, data = world
    states, reference = StateMap(model.pinocchio, compiled, True), model.pinocchio.createData()
    generator = np.random.default_rng(4)
    for _ in range(5):
        q, v = random_state(model, generator)
        data.qpos[:], data.qvel[:] = states.to_mujoco(q, v)
        back_q, back_v = states.to_pinocchio(data.qpos, data.qvel)
        np.testing.assert_allclose(back_q, q, atol=1e-12)
        np.testing.assert_allclose(back_v, v, atol=1e-12)
        mujoco.mj_forward(compiled, data)
        pin.forwardKinematics(model.pinocchio, reference, q, v)
        pin.updateFramePlacements(model.pinocchio, reference)
        for foot in model.feet:
            site = data.site(sole_site(foot.name))
            np.testing.assert_allclose(site.xpos, reference.oMf[foot.frame_id].translation, atol=1e-8)
            np.testing.assert_allclose(site.xmat.reshape(3, 3), reference.oMf[foot.frame_id].rotation, atol=1e-8)


def test_base_velocity_is_turned_into_world() -> None:
    """A base pitched by 90° that moves along its own x moves down in MuJoCo's world axes."""
    model, parameters = robot("humanoid")
    compiled = compile_world(model, parameters.simulator, Ground())
    q, v = model.standing_configuration(), np.zeros(model.nv)
    q[3:7], v[0] = [0.0, np.sqrt(0.5), 0.0, np.sqrt(0.5)], 2.0
    qpos, qvel = StateMap(model.pinocchio, compiled, True).to_mujoco(q, v)
    np.testing.assert_allclose(qpos[3:7], [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0], atol=1e-12)
    np.testing.assert_allclose(qvel[:3], [0.0, 0.0, -2.0], atol=1e-12)


def test_rotate_equals_the_rotation_matrix() -> None:
    generator = np.random.default_rng(0)
    for _ in range(20):
        xyzw = generator.normal(size=4)
        xyzw /= np.linalg.norm(xyzw)
        point = generator.normal(size=3)
        np.testing.assert_allclose(rotate(xyzw[3], xyzw[:3], point), quaternion_to_matrix(xyzw) @ point, atol=1e-12)


def test_payload_adds_its_mass_and_unknown_links_are_named() -> None:
    model, parameters = robot("humanoid")
    torso = model.pinocchio.frames[model.torso_frame_id].name
    loaded = compile_world(model, parameters.simulator, Ground(), {torso: 3.5})
    assert loaded.body_mass.sum() == pytest.approx(model.mass + 3.5)
    with pytest.raises(BackendError, match="no link 'tail'"):
        compile_world(model, parameters.simulator, Ground(), {"tail": 1.0})
    with pytest.raises(BackendError, match="without mass"):
        compile_world(model, parameters.simulator, Ground(), {torso: -1000.0})
