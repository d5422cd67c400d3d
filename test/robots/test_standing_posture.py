"""In the standing posture the soles lie level on the ground, the CoM is over them, and left mirrors right."""
from __future__ import annotations

import re

import numpy as np
import pinocchio as pin
import pytest
from shipped_robots import ALL, model, parameters

from wbc_control.contact_mechanics.support_polygon import convex_hull, signed_distance

LEFT = re.compile(r"left|^l(?=_)|(?<=^f)l(?=_)|(?<=^r)l(?=_)|(?<=^[FR])L(?=_)")
"""The part of a joint's name that says left: left_hip, l_hip, fl_hip, FL_hip."""
RIGHT = {"left": "right", "l": "r", "L": "R"}


KNEE = re.compile("knee|calf|leg_(left|right)_4")


def sole_points(name: str) -> np.ndarray:
    """(k, 3) lowest points of all soles, world, in the standing posture."""
    robot = model(name)
    data = robot.pinocchio.createData()
    pin.framesForwardKinematics(robot.pinocchio, data, robot.standing_configuration())
    placements = ((data.oMf[foot.frame_id], foot) for foot in robot.feet)
    return np.vstack([p.translation + foot.corners @ p.rotation.T - [0.0, 0.0, foot.radius] for p, foot in placements])


def com(name: str) -> np.ndarray:
    """(3,) centre of mass in the standing posture, world, m."""
    robot = model(name)
    return np.array(pin.centerOfMass(robot.pinocchio, robot.pinocchio.createData(), robot.standing_configuration()))


@pytest.mark.parametrize("name", ALL)
def test_every_sole_point_touches_the_ground(name: str) -> None:
    np.testing.assert_allclose(sole_points(name)[:, 2], 0.0, atol=1e-4)


@pytest.mark.parametrize("name", ALL)
def test_com_is_well_inside_the_support(name: str) -> None:
    """Within 3 cm of the middle of the support across, and off its edge by a quarter of the support's half length."""
    points = sole_points(name)[:, :2]
    ground_point = com(name)[:2]
    half = 0.5 * np.ptp(points, axis=0)
    assert abs(ground_point[1] - points[:, 1].mean()) < 0.03
    hull = convex_hull([(float(x), float(y)) for x, y in points])
    assert signed_distance(hull, (float(ground_point[0]), float(ground_point[1]))) > 0.25 * half.min()


@pytest.mark.parametrize("name", ALL)
def test_com_height_is_believable(name: str) -> None:
    assert 0.2 < com(name)[2] < 1.2


@pytest.mark.parametrize("name", ALL)
def test_posture_stays_off_the_joint_limits(name: str) -> None:
    robot = model(name)
    positions = robot.joint_positions(robot.standing_configuration())
    assert np.all(positions - robot.limits.position_lower > 0.05)
    assert np.all(robot.limits.position_upper - positions > 0.05)


@pytest.mark.parametrize("name", ALL)
def test_knees_are_bent(name: str) -> None:
    """A straight knee is a singularity: no vertical motion left."""
    joints = parameters(name).robot.joints
    knees = [row for joint, row in joints.items() if KNEE.search(joint)]
    assert len(knees) == len(parameters(name).robot.feet)
    assert all(abs(row.standing) > 0.3 for row in knees)


def mirrored(joint: str) -> str:
    """Name of the right twin of a left joint; any other name unchanged."""
    return LEFT.sub(lambda match: RIGHT[match.group()], joint)


@pytest.mark.parametrize("name", ALL)
def test_left_and_right_mirror_each_other(name: str) -> None:
    """Link by link: each left body lies where the reflection in the x-z plane puts its right twin."""
    robot = model(name)
    data = robot.pinocchio.createData()
    pin.forwardKinematics(robot.pinocchio, data, robot.standing_configuration())
    pairs = [(joint, mirrored(joint)) for joint in robot.joint_names if mirrored(joint) != joint]
    assert len(pairs) >= 6
    for left, right in pairs:
        here = data.oMi[robot.pinocchio.getJointId(left)].translation
        there = data.oMi[robot.pinocchio.getJointId(right)].translation
        np.testing.assert_allclose(here * [1.0, -1.0, 1.0], there, atol=1e-3, err_msg=left)


@pytest.mark.parametrize("name", ALL)
def test_mirrored_joints_have_the_same_inertias_and_gains(name: str) -> None:
    rows, gains = parameters(name).robot.joints, parameters(name).bridge.gains
    for joint in model(name).joint_names:
        assert rows[joint].armature == rows[mirrored(joint)].armature, joint
        assert gains[joint] == gains[mirrored(joint)], joint


@pytest.mark.parametrize("name", ALL)
def test_feet_come_in_mirrored_pairs(name: str) -> None:
    points = sole_points(name)
    reflected = points * [1.0, -1.0, 1.0]
    distance = np.linalg.norm(points[:, None, :] - reflected[None, :, :], axis=2).min(axis=1)
    assert np.all(distance < 1e-3)
