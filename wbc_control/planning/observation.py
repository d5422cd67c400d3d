"""The few measured quantities a plan starts from, taken once per plan from the estimate."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wbc_control.model import Kinodynamics
from wbc_control.spatial import Array
from wbc_control.state import Estimate
from wbc_control.state.checks import BoolArray


@dataclass(frozen=True, eq=False)
class Observation:
    """Measured state, all in world; feet in the robot model's order.

    Attributes:
        time_ns: ns.
        com: (3,) m.
        com_velocity: (3,) m/s.
        angular_momentum: (3,) about the CoM, kg·m²/s.
        foot_position: (n_feet, 3) sole origins, m.
        foot_rotation: (n_feet, 3, 3).
        torso_rotation: (3, 3).
        torso_angular_velocity: (3,) rad/s.
        in_contact: (n_feet,) felt contact.
        normal_force: (n_feet,) N.
    """

    time_ns: int
    com: Array
    com_velocity: Array
    angular_momentum: Array
    foot_position: Array
    foot_rotation: Array
    torso_rotation: Array
    torso_angular_velocity: Array
    in_contact: BoolArray
    normal_force: Array


class Observer:
    """Turns an estimate into an observation; owns its kinematics workspace.

    Args:
        kinodynamics: Workspace of the robot model, used by nobody else.
    """

    def __init__(self, kinodynamics: Kinodynamics) -> None:
        self._kinodynamics = kinodynamics

    def observe(self, estimate: Estimate) -> Observation | None:
        """The observation; None when the estimate is not healthy or a number in it is not finite."""
        robot = estimate.robot
        if not estimate.healthy or not (np.isfinite(robot.q).all() and np.isfinite(robot.v).all()):
            return None
        terms = self._kinodynamics
        terms.update(robot.q, robot.v)
        return Observation(
            time_ns=robot.time_ns,
            com=terms.com.copy(),
            com_velocity=terms.com_velocity.copy(),
            angular_momentum=terms.momentum[3:].copy(),
            foot_position=terms.foot_position.copy(),
            foot_rotation=terms.foot_rotation.copy(),
            torso_rotation=terms.torso_rotation.copy(),
            torso_angular_velocity=terms.torso_velocity[3:].copy(),
            in_contact=estimate.contact.in_contact,
            normal_force=estimate.contact.normal_force,
        )
