"""Every shipped robot is complete and believable: masses, inertias, limits, gains."""
from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from shipped_robots import ALL, OVERLAYS, OWN, model, parameters

from wbc_control.model.share import known_robots


def test_the_catalogue_is_what_we_ship() -> None:
    assert set(known_robots()) == {*OWN, *OVERLAYS}


@pytest.mark.parametrize("name", ALL)
def test_the_file_names_the_robot_and_its_frames(name: str) -> None:
    robot = parameters(name).robot
    assert robot.name == name
    assert robot.base_link and robot.torso_link and robot.imu_link
    assert all(model(name).pinocchio.existFrame(link) for link in (robot.base_link, robot.torso_link, robot.imu_link))


@pytest.mark.parametrize("name", ALL)
def test_mass_is_inside_a_range_that_means_something(name: str) -> None:
    robot = parameters(name).robot
    assert robot.mass_min <= model(name).mass <= robot.mass_max
    assert robot.mass_max - robot.mass_min < 0.5 * model(name).mass


@pytest.mark.parametrize("name", ALL)
def test_every_movable_body_has_a_physical_inertia(name: str) -> None:
    """Positive mass, and principal moments about the CoM of which each is at most the sum of the other two."""
    for body, inertia in zip(model(name).pinocchio.names[1:], model(name).pinocchio.inertias[1:]):
        moments = np.linalg.eigvalsh(inertia.inertia)
        assert inertia.mass > 0.0 and moments[0] > 0.0, body
        assert moments[2] <= (moments[0] + moments[1]) * (1.0 + 1e-9), body


@pytest.mark.parametrize("name", ALL)
def test_every_joint_has_limits_to_work_with(name: str) -> None:
    limits = model(name).limits
    assert np.all(limits.effort > 0.0) and np.all(np.isfinite(limits.effort))
    assert np.all(limits.velocity > 0.0) and np.all(np.isfinite(limits.velocity))
    assert np.all(limits.position_upper - limits.position_lower > 0.1)


@pytest.mark.parametrize("name", ALL)
def test_every_joint_has_a_row_with_rotor_inertia_and_gains(name: str) -> None:
    rows, gains = parameters(name).robot.joints, parameters(name).bridge.gains
    joints = set(model(name).joint_names)
    assert set(gains) == joints
    assert joints <= set(rows)
    assert all(rows[joint].armature > 0.0 for joint in joints)
    assert all(gains[joint].kp > 0.0 and gains[joint].kd > 0.0 for joint in joints)


@pytest.mark.parametrize("name", ALL)
def test_locked_joints_leave_the_model(name: str) -> None:
    assert not set(parameters(name).robot.locked_joints) & set(model(name).joint_names)


def inverse_inertias(name: str) -> np.ndarray:
    """(n,) diagonal of M⁻¹ of the joints in the standing posture: 1 over the inertia a motor feels in the air."""
    robot = model(name)
    data = robot.pinocchio.createData()
    mass = pin.crba(robot.pinocchio, data, robot.standing_configuration())
    mass = np.triu(mass) + np.triu(mass, 1).T
    return np.diag(np.linalg.inv(mass))[robot.v_index]


@pytest.mark.parametrize("name", ALL)
def test_gains_leave_room_for_the_delay_of_a_millisecond_loop(name: str) -> None:
    """Velocity feedback kd on inertia I through a delay T is stable below kd/I = π/(2T); here T = 3 ms, factor 2."""
    bridge, delay_s = parameters(name).bridge, 0.003
    bound = np.pi / (2.0 * delay_s) / 2.0
    kd = np.array([bridge.gains[joint].kd for joint in model(name).joint_names])
    assert np.all(kd * inverse_inertias(name) < bound)


@pytest.mark.parametrize("name", ALL)
def test_braking_in_the_safe_state_is_stable(name: str) -> None:
    """The same bound without the factor for the damping gain all joints share."""
    assert np.all(parameters(name).bridge.damping * inverse_inertias(name) < np.pi / (2.0 * 0.003))


@pytest.mark.parametrize("name", ALL)
def test_the_standing_posture_needs_half_the_torque_at_most(name: str) -> None:
    """Static torques with the weight shared equally by the feet, against the effort limits."""
    robot = model(name)
    q = robot.standing_configuration()
    data = robot.pinocchio.createData()
    torque = np.array(pin.computeGeneralizedGravity(robot.pinocchio, data, q))
    pin.computeJointJacobians(robot.pinocchio, data, q)
    pin.updateFramePlacements(robot.pinocchio, data)
    push = np.array([0.0, 0.0, robot.weight / len(robot.feet)])
    for foot in robot.feet:
        jacobian = pin.getFrameJacobian(robot.pinocchio, data, foot.frame_id, pin.LOCAL_WORLD_ALIGNED)
        arm = data.oMf[foot.frame_id].rotation @ foot.corners.mean(axis=0)
        torque -= jacobian.T @ np.concatenate([push, np.cross(arm, push)])
    assert np.all(np.abs(torque[robot.v_index]) < 0.5 * robot.limits.effort)
