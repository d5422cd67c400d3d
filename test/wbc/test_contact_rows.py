"""Contacts: motion rows against finite differences, forces dual to motions, released axes, slopes, moving surfaces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_task_rows import STEP, Motion, pose_acceleration, pose_of
from wbc_scene import robot

from wbc_control.errors import ParameterError
from wbc_control.parameters.controller import ContactConstraintParameters, FootContactParameters
from wbc_control.wbc.contacts import (
    AIR,
    FULL,
    RAMP,
    Contact,
    ContactSurface,
    CornerContact,
    LineContact,
    PointContact,
    SoleContact,
    contact_for,
    contact_modes,
)

LOOSE = ContactConstraintParameters(stabilisation=0.0)


def kinds(model: object) -> list[Contact]:
    """Every kind of contact of the left sole."""
    edge = replace(LOOSE, feet={"l_sole": FootContactParameters(edge="front")})
    parameters = [LOOSE, replace(LOOSE, model="corners"), replace(LOOSE, cone="aligned"), edge]
    return [contact_for(0, model.feet[0], p) for p in parameters]


def written(contact: Contact, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    jacobian, acceleration = np.full((contact.size, motion.model.nv), np.nan), np.full(contact.motion_size, np.nan)
    contact.write(motion.terms(), jacobian, acceleration)
    return jacobian, acceleration


def motion_rows(contact: Contact, jacobian: np.ndarray) -> np.ndarray:
    return jacobian if contact.motion_map is None else contact.motion_map @ jacobian


def test_kinds_follow_the_sole_and_the_cone() -> None:
    model = robot("humanoid")
    assert [type(c) for c in kinds(model)] == [SoleContact, CornerContact, CornerContact, LineContact]
    assert isinstance(contact_for(0, robot("quadruped").feet[0], LOOSE), PointContact)
    assert isinstance(contact_for(0, model.feet[0], replace(LOOSE, facets=8)), CornerContact)
    with pytest.raises(ParameterError, match="aligned"):
        contact_for(0, model.feet[0], replace(LOOSE, model="wrench", cone="aligned"))


def test_sole_and_corner_motion_against_finite_differences() -> None:
    motion = Motion(robot("humanoid"), 11)
    world = pose_acceleration(lambda t: pose_of(motion.terms(t), "l_sole"))
    turn = pose_of(motion.terms(), "l_sole")[1].T
    in_sole = np.concatenate([turn @ world[:3], turn @ world[3:]])
    sole, corners, _, _ = kinds(motion.model)
    jacobian, wanted = written(sole, motion)
    np.testing.assert_allclose(jacobian @ motion.a - wanted, in_sole, atol=1e-3)
    # A turning sole's corners have centripetal accelerations too; a flat square's cancel but for the normal offset.
    jacobian, wanted = written(corners, motion)
    actual = corners.motion_map @ _corner_accelerations(motion, motion.model.feet[0].corners)
    np.testing.assert_allclose(motion_rows(corners, jacobian) @ motion.a - wanted, actual, atol=1e-3)


def test_edge_motion_against_finite_differences() -> None:
    motion = Motion(robot("humanoid"), 12)
    edge = kinds(motion.model)[3]
    assert (edge.size, edge.motion_size) == (6, 5)
    jacobian, wanted = written(edge, motion)
    actual = edge.motion_map @ _corner_accelerations(motion, edge._corners)
    np.testing.assert_allclose(motion_rows(edge, jacobian) @ motion.a - wanted, actual, atol=1e-3)


def _corner_accelerations(motion: Motion, corners: np.ndarray) -> np.ndarray:
    """(3k,) accelerations of material points of the sole, sole axes."""
    places = []
    for t in (-STEP, 0.0, STEP):
        p, R = pose_of(motion.terms(t), "l_sole")
        places.append(p + corners @ R.T)
    turn = pose_of(motion.terms(), "l_sole")[1]
    return (((places[0] - 2.0 * places[1] + places[2]) / STEP**2) @ turn).reshape(-1)


@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (0.3, -0.2, 1.0), (1.0, 0.0, 0.1)])
def test_point_contact_rolls_on_its_surface(normal: tuple[float, float, float]) -> None:
    motion = Motion(robot("quadruped"), 13)
    foot = motion.model.feet[0]
    contact = PointContact(0, foot, LOOSE, FootContactParameters(normal=normal))
    n = np.array(normal) / np.linalg.norm(normal)
    np.testing.assert_allclose(contact.surface.rotation[:, 2], n, atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(contact.surface.rotation), 1.0)
    lever = motion.terms().foot_rotation[0] @ foot.corners[0] - foot.radius * n
    speed = [v[:3] + np.cross(v[3:], lever) for v in (motion.terms(t).foot_velocity[0] for t in (-STEP, STEP))]
    actual = contact.surface.rotation.T @ ((speed[1] - speed[0]) / (2.0 * STEP))
    jacobian, wanted = written(contact, motion)
    np.testing.assert_allclose(jacobian @ motion.a - wanted, actual, atol=1e-4)


def test_forces_are_dual_to_motions() -> None:
    """Jᵀ f is the generalised force of the wrench that the contact reports."""
    motion, rng = Motion(robot("humanoid"), 14), np.random.default_rng(0)
    terms = motion.terms()
    turn = terms.foot_rotation[0]
    for contact in kinds(motion.model):
        force, wrench = rng.standard_normal(contact.size), np.zeros(6)
        contact.write_wrench(force, wrench)
        np.testing.assert_allclose(wrench, contact.wrench_map @ force, atol=1e-12)
        np.testing.assert_allclose(contact.normal_row @ force, wrench[2], atol=1e-12)
        np.testing.assert_allclose(contact.normal_row @ contact.normal_share, 1.0)
        world = np.concatenate([turn @ wrench[:3], turn @ wrench[3:]])
        np.testing.assert_allclose(written(contact, motion)[0].T @ force, terms.J_foot[0].T @ world, atol=1e-9)


def test_released_axes_lose_their_rows() -> None:
    motion = Motion(robot("humanoid"), 15)
    full = kinds(motion.model)[0]
    free = replace(LOOSE, feet={"l_sole": FootContactParameters(released=("x", "yaw"))})
    for model in ("wrench", "corners"):
        contact = contact_for(0, motion.model.feet[0], replace(free, model=model))
        jacobian, wanted = written(contact, motion)
        kept = [1, 2, 3, 4]
        assert contact.motion_size == 4
        np.testing.assert_allclose(motion_rows(contact, jacobian), written(full, motion)[0][kept], atol=1e-9)
        if model == "wrench":
            np.testing.assert_allclose(wanted, written(full, motion)[1][kept], atol=1e-9)
    with pytest.raises(ParameterError, match="released"):
        contact_for(0, motion.model.feet[0], replace(LOOSE, feet={"l_sole": FootContactParameters(released=("up",))}))


def test_a_foot_follows_its_moving_surface() -> None:
    """A foot that moves exactly with the surface is asked for the surface's acceleration and nothing else."""
    model = robot("humanoid")
    motion = Motion(model, 16)
    terms = motion.terms()
    for contact in (contact_for(0, model.feet[0], ContactConstraintParameters(model=m)) for m in ("wrench", "corners")):
        contact.surface.move(
            terms.foot_position[0], terms.foot_velocity[0], terms.J_foot[0] @ motion.a + terms.foot_drift[0]
        )
        jacobian, wanted = written(contact, motion)
        np.testing.assert_allclose(motion_rows(contact, jacobian) @ motion.a, wanted, atol=1e-8)


def test_modes() -> None:
    assert contact_modes(np.array([0.0, 1e-9, 0.5, 1.0])) == (AIR, RAMP, RAMP, FULL)


def test_yaw_torque_bound_is_in_the_cone() -> None:
    foot = robot("humanoid").feet[0]
    for model in ("wrench", "corners"):
        contact = contact_for(0, foot, ContactConstraintParameters(model=model, yaw_torque=0.01))
        lift = np.linalg.pinv(contact.wrench_map)
        inside = contact.cone @ (lift @ np.array([0.0, 0.0, 100.0, 0.0, 0.0, 0.9]))
        outside = contact.cone @ (lift @ np.array([0.0, 0.0, 100.0, 0.0, 0.0, 1.1]))
        assert (inside <= 1e-9).all()
        assert (outside > 0.0).any()
        assert len(contact.cone) == len(contact.cone_names)


def test_a_turntable_carries_its_points_round() -> None:
    """Off the axis of a turning surface a point moves with ω × r and is pulled to the axis by ω × (ω × r)."""
    surface, omega, lever = ContactSurface(), np.array([0.0, 0.0, 2.0]), np.array([0.5, 0.0, 0.0])
    origin, twist = np.array([1.0, 2.0, 0.0]), np.concatenate([np.zeros(3), omega])
    surface.move(origin, twist, np.array([0.0, 0.0, 0.3, 0.0, 0.0, 1.0]))
    np.testing.assert_allclose(surface.velocity_at(origin + lever), [0.0, 1.0, 0.0, 0.0, 0.0, 2.0])
    np.testing.assert_allclose(surface.acceleration_at(origin + lever), [-2.0, 0.5, 0.3, 0.0, 0.0, 1.0])
    surface.rest()
    assert surface.is_still
    assert (surface.acceleration_at(origin + lever) == 0.0).all()
