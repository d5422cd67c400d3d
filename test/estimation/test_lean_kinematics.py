"""The legs' shortened pass against Pinocchio on the whole robot, at random configurations."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from estimation_motion import foot_need, robot

from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.estimation.vectors import quaternion_of_axes, turned, turned_axes
from wbc_control.spatial import exp_so3


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
@pytest.mark.parametrize("seed", range(4))
def test_legs_alone_say_what_the_whole_robot_says(name: str, seed: int) -> None:
    model, rng = robot(name), np.random.default_rng(seed)
    weightless = pin.Model(model.pinocchio)
    weightless.gravity = pin.Motion.Zero()
    data, legs = weightless.createData(), LegKinematics(model)
    positions = 0.5 * rng.normal(size=model.n)
    speeds, changes = rng.normal(size=model.n), rng.normal(size=model.n)
    spin, base = tuple(rng.normal(size=3).tolist()), rng.normal(size=6).tolist()
    legs.update(positions, speeds, 0.001 * changes, 0.001, spin, base)

    q = model.with_joint_positions(pin.neutral(weightless), positions)
    v, a = np.r_[0.0, 0.0, 0.0, spin, speeds], np.r_[base, changes]
    needed = pin.rnea(weightless, data, q, v, a)
    assert np.allclose(legs.required, needed[model.v_joints][legs.joints], atol=1e-9)
    loads = [foot_need(model, data, foot) for foot in model.feet]
    assert np.allclose(legs.foot_load(), loads, atol=1e-9)
    pin.forwardKinematics(weightless, data, q, v)
    pin.updateFramePlacements(weightless, data)
    for k, foot in enumerate(model.feet):
        placement = data.oMf[foot.frame_id]
        assert np.allclose(legs.foot_position[k], placement.translation, atol=1e-12)
        assert np.allclose(legs.foot_rotation[k], placement.rotation, atol=1e-12)
        motion = pin.getFrameVelocity(weightless, data, foot.frame_id, pin.LOCAL).vector
        assert np.allclose(legs.sole_vectors[k, :2].ravel(), motion, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_plain_number_rotations_are_those_of_matrices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rotation, turn, vector = exp_so3(rng.normal(size=3)), rng.normal(size=3) * 10.0**-seed, rng.normal(size=3)
    axes = turned_axes(*turn.tolist(), rotation.T.ravel().tolist())
    assert np.allclose(np.reshape(axes, (3, 3)).T, rotation @ exp_so3(turn), atol=1e-12)
    assert np.allclose(turned(*turn.tolist(), vector.tolist()), exp_so3(turn) @ vector, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_quaternion_of_any_rotation_also_near_half_turns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3) if seed > 5 else np.eye(3)[seed % 3] + 1e-3 * rng.normal(size=3)
    rotation = exp_so3((np.pi - 1e-3 * (seed % 2)) * axis / np.linalg.norm(axis))
    x, y, z, w = quaternion_of_axes(rotation.T.ravel().tolist())
    assert w >= 0.0 and np.allclose(pin.Quaternion(w, x, y, z).matrix(), rotation, atol=1e-9)
