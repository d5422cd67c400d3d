"""Joints of the rigid-contact backend: stops, turns, dry friction; an arm on a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wbc_control.model import RobotModel
from wbc_control.parameters import RobotParameters, SimulatorParameters
from wbc_control.parameters.building import build
from wbc_control.simulation.rigid_backend import RigidBackend

ARM = """<robot name="arm"><link name="table"/>
<link name="upper"><inertial><origin xyz="0 0 0.2"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="wheel"><inertial><origin xyz="0 0 0"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="table"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
<limit lower="-0.5" upper="0.5" effort="50" velocity="50"/><dynamics damping="0.1" friction="{dry}"/></joint>
<joint name="spin" type="continuous"><parent link="upper"/><child link="wheel"/><origin xyz="0 0 0.4"/><axis xyz="0 0 1"/>
<limit effort="50" velocity="50"/><dynamics damping="0.0001" friction="{dry}"/></joint></robot>"""


def _arm(dry: float = 0.0) -> tuple[RobotModel, RigidBackend]:
    values = {"name": "arm", "floating_base": False}
    model = RobotModel(build(RobotParameters, values), ARM.format(dry=dry), Path("arm.urdf"), ())
    return model, RigidBackend(model, SimulatorParameters())


def test_arm_on_a_table_hits_its_stop_and_its_wheel_counts_turns() -> None:
    model, backend = _arm()
    shoulder, spin = (model.joint_names.index(name) for name in ("shoulder", "spin"))
    effort = np.zeros(2)
    effort[shoulder], effort[spin] = 20.0, 0.2
    for _ in range(1200):
        backend.step(effort)
    joints = backend.read_sensors().joints
    assert joints.position[shoulder] == pytest.approx(0.5, abs=1e-3) and abs(joints.velocity[shoulder]) < 1e-6
    assert joints.position[spin] > 2.0 * np.pi
    assert backend.read_sensors().foot_wrenches.shape == (0, 6)


def test_dry_joint_friction_holds_below_its_torque_and_slows_above_it() -> None:
    speeds = []
    for torque in (0.8, 1.2):
        model, backend = _arm(dry=1.0)
        effort = np.zeros(2)
        effort[model.joint_names.index("spin")] = torque
        for _ in range(500):
            backend.step(effort)
        speeds.append(backend.read_sensors().joints.velocity[model.joint_names.index("spin")])
    assert abs(speeds[0]) < 0.01
    assert speeds[1] == pytest.approx(0.2 * 0.5 / 0.01, rel=0.02)
