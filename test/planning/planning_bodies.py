"""Two robots as planning sees them, without a robot model, and observations of them standing."""
from __future__ import annotations

import numpy as np

from wbc_control.planning.body import PlanningBody
from wbc_control.planning.observation import Observation
from wbc_control.spatial import yaw_matrix


def biped_body() -> PlanningBody:
    """35 kg, CoM at 0.68 m, soles of 0.17 × 0.06 m, feet 0.24 m apart."""
    corners = np.array([[0.12, 0.03, 0.0], [-0.05, 0.03, 0.0], [-0.05, -0.03, 0.0], [0.12, -0.03, 0.0]])
    return PlanningBody(
        mass=35.0,
        foot_names=("l_sole", "r_sole"),
        corners=(corners, corners.copy()),
        is_point=np.array([False, False]),
        sole_height=np.zeros(2),
        foot_offset=np.array([[0.0, 0.12], [0.0, -0.12]]),
        foot_rotation=np.array([np.eye(3)] * 2),
        centre_in_sole=np.array([corners.mean(axis=0)] * 2),
        com_height=0.68,
        torso_rotation=np.eye(3),
    )


def quadruped_body() -> PlanningBody:
    """15 kg, CoM at 0.3 m, ball feet of 0.02 m radius on a 0.4 × 0.28 m rectangle."""
    corner = np.zeros((1, 3))
    return PlanningBody(
        mass=15.0,
        foot_names=("fl_sole", "fr_sole", "rl_sole", "rr_sole"),
        corners=(corner,) * 4,
        is_point=np.ones(4, dtype=bool),
        sole_height=np.full(4, 0.02),
        foot_offset=np.array([[0.2, 0.14], [0.2, -0.14], [-0.2, 0.14], [-0.2, -0.14]]),
        foot_rotation=np.array([np.eye(3)] * 4),
        centre_in_sole=np.zeros((4, 3)),
        com_height=0.3,
        torso_rotation=np.eye(3),
    )


def standing_observation(
    body: PlanningBody, time_ns: int = 0, yaw: float = 0.0, com_offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Observation:
    """The body at rest in its standing posture, turned by ``yaw`` about the world's origin."""
    turn = yaw_matrix(yaw)
    rotation = np.einsum("ij,fjk->fik", turn, body.foot_rotation)
    centres = np.column_stack((body.foot_offset, body.sole_height)) @ turn.T
    position = centres - np.einsum("fij,fj->fi", rotation, body.centre_in_sole)
    return Observation(
        time_ns=time_ns,
        com=turn @ (np.array([0.0, 0.0, body.com_height]) + com_offset),
        com_velocity=np.zeros(3),
        angular_momentum=np.zeros(3),
        foot_position=position,
        foot_rotation=rotation,
        torso_rotation=turn @ body.torso_rotation,
        torso_angular_velocity=np.zeros(3),
        in_contact=np.ones(body.n_feet, dtype=bool),
        normal_force=np.full(body.n_feet, body.mass * 9.81 / body.n_feet),
    )
