"""Robots that are not shipped: an arm on a table; continuous, skew, sliding, locked joints; a foot on a fixed link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

mujoco = pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")

from wbc_control.model import RobotModel  # noqa: E402
from wbc_control.parameters import RobotParameters, SimulatorParameters  # noqa: E402
from wbc_control.parameters.building import build  # noqa: E402
from wbc_control.simulation.backend import InitialState  # noqa: E402
from wbc_control.simulation.mjcf import compile_world  # noqa: E402
from wbc_control.simulation.mujoco_backend import MujocoBackend  # noqa: E402
from wbc_control.simulation.mujoco_state import StateMap  # noqa: E402
from wbc_control.simulation.terrain import Ground  # noqa: E402

LINK = """
<link name="{name}">
  <inertial>
    <origin xyz="0.02 -0.01 0.1" rpy="0.3 0.2 0.1"/>
    <mass value="{mass}"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0.001" ixz="-0.002" iyz="0.003"/>
  </inertial>
  <visual><geometry><mesh filename="package://nowhere/link.dae"/></geometry></visual>
</link>
"""
JOINT = """
<joint name="{name}" type="{kind}">
  <parent link="{parent}"/> <child link="{child}"/>
  <origin xyz="0.1 0.05 0.3" rpy="0.2 -0.4 0.5"/>
  <axis xyz="{axis}"/>
  <limit lower="-1.5" upper="1.5" effort="50" velocity="5"/>
  <dynamics damping="0.7" friction="0.0"/>
</joint>
"""
ROWS = [
    ("spin", "continuous", "0 0 1"),
    ("skew", "revolute", "0.6 0.0 0.8"),
    ("slide", "prismatic", "0 1 0"),
    ("frozen", "revolute", "1 0 0"),
    ("flip", "continuous", "0.0 0.6 0.8"),
    ("fixed", "fixed", "0 0 1"),
]


def _urdf() -> str:
    names = ["base", *(f"{row[0]}_link" for row in ROWS)]
    links = "".join(LINK.format(name=name, mass=1.0 + i) for i, name in enumerate(names))
    joints = "".join(
        JOINT.format(name=row[0], kind=row[1], axis=row[2], parent=names[i], child=names[i + 1])
        for i, row in enumerate(ROWS)
    )
    return f'<robot name="odd">{links}{joints}</robot>'


def _model(floating: bool) -> RobotModel:
    values: dict[str, Any] = {
        "name": "odd",
        "floating_base": floating,
        "locked_joints": ("frozen",),
        "joints.frozen.standing": 0.4,
        "joints.spin.armature": 0.05,
    }
    if floating:
        values |= {"feet.tip.link": "fixed_link", "feet.tip.corners": (0.0, 0.0, 0.1), "feet.tip.radius": 0.02}
    return RobotModel(build(RobotParameters, values), _urdf(), Path("odd.urdf"), ())


@pytest.mark.parametrize("floating", [False, True])
def test_inertia_and_states_agree(floating: bool) -> None:
    model = _model(floating)
    world = compile_world(model, SimulatorParameters(), Ground())
    data, states, reference = (
        mujoco.MjData(world),
        StateMap(model.pinocchio, world, floating),
        model.pinocchio.createData(),
    )
    generator = np.random.default_rng(1)
    for _ in range(5):
        q = pin.integrate(model.pinocchio, pin.neutral(model.pinocchio), generator.uniform(-1.2, 1.2, model.nv))
        v = generator.normal(size=model.nv)
        data.qpos[:], data.qvel[:] = states.to_mujoco(q, v)
        back, speed = states.to_pinocchio(data.qpos, data.qvel)
        np.testing.assert_allclose(back, q, atol=1e-12)
        np.testing.assert_allclose(speed, v, atol=1e-12)
        mujoco.mj_forward(world, data)
        upper = np.triu(pin.crba(model.pinocchio, reference, q))
        energy = v @ upper @ v - 0.5 * v**2 @ np.diag(upper)
        product = np.zeros(world.nv)
        mujoco.mj_mulM(world, data, product, data.qvel)
        assert 0.5 * product @ data.qvel == pytest.approx(energy, rel=1e-9)


def test_continuous_joint_is_read_as_an_angle_and_turns_on() -> None:
    """Angle 3.5 rad by name lands on its joint, and keeps counting past π in the simulator's sensors."""
    model = _model(False)
    backend = MujocoBackend(model, SimulatorParameters())
    positions = np.array([3.5, 0.1, -0.2, -3.0])
    q = model.with_joint_positions(pin.neutral(model.pinocchio), positions)
    backend.reset(InitialState(q, np.zeros(model.nv)))
    read = backend.read_sensors().joints.position
    np.testing.assert_allclose(np.cos(read - positions), 1.0, atol=1e-12)
    np.testing.assert_allclose(backend.ground_truth().q, q, atol=1e-12)


def test_damping_comes_from_the_description_else_from_the_parameters() -> None:
    model = _model(False)
    world = compile_world(model, SimulatorParameters(joint_damping=0.3), Ground())
    assert world.joint("skew").damping[0] == pytest.approx(0.7)
    model.pinocchio.damping = np.zeros(model.nv)
    world = compile_world(model, SimulatorParameters(joint_damping=0.3), Ground())
    assert world.joint("skew").damping[0] == pytest.approx(0.3)
    assert world.joint("spin").armature[0] == pytest.approx(0.05)


def test_arm_on_a_table_stays_there() -> None:
    model = _model(False)
    backend = MujocoBackend(model, SimulatorParameters())
    backend.reset(InitialState(pin.neutral(model.pinocchio), np.zeros(model.nv)))
    hold = pin.computeGeneralizedGravity(model.pinocchio, model.pinocchio.createData(), pin.neutral(model.pinocchio))
    for _ in range(200):
        backend.step(hold[model.v_index])
    np.testing.assert_allclose(backend.ground_truth().v, 0.0, atol=1e-6)
    assert backend.read_sensors().foot_wrenches.shape == (0, 6)


def test_foot_sensor_sits_between_the_foot_and_what_carries_it() -> None:
    """The foot is a fixed link of 7 kg: thrown upwards in free flight it weighs nothing, whatever hangs above it."""
    model = _model(True)
    backend = MujocoBackend(model, SimulatorParameters())
    assert backend.mujoco_model.body("foot:tip").mass[0] == pytest.approx(7.0)
    assert backend.mujoco_model.body_mass.sum() == pytest.approx(model.mass)
    backend.mujoco_model.dof_damping[:] = 0.0
    speed = np.zeros(model.nv)
    speed[2] = 2.0
    backend.reset(InitialState(pin.neutral(model.pinocchio), speed, drop=3.0))
    for _ in range(5):
        backend.step(np.zeros(model.n))
    np.testing.assert_allclose(backend.read_sensors().foot_wrenches, 0.0, atol=1e-9)
    backend.apply_wrench("fixed_link", np.array([0.0, 0.0, 1e-9]), np.zeros(3))
    backend.apply_wrench("base", np.array([0.0, 0.0, model.weight + 100.0]), np.zeros(3))
    backend.step(np.zeros(model.n))
    assert np.linalg.norm(backend.read_sensors().foot_wrenches[0, :3]) > 1.0
