"""What planning knows of the robot: mass, feet and standing posture.  No joints, no links, no per-robot code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.spatial import Array


@dataclass(frozen=True, eq=False)
class PlanningBody:
    """The robot as the planner sees it; feet in the robot model's order.

    Attributes:
        mass: kg.
        foot_names: One name a foot.
        corners: A (k, 3) array a foot: contact points in its sole frame, m (one point for a point foot).
        is_point: (n_feet,) whether a foot touches in a single point.
        sole_height: (n_feet,) height of the sole frame's origin above level ground, m (a ball foot's radius, else 0).
        foot_offset: (n_feet, 2) standing place of each foot's support centre in the heading frame, about their mean, m.
        foot_rotation: (n_feet, 3, 3) standing orientation of each sole in the heading frame.
        centre_in_sole: (n_feet, 3) mean of the corners in the sole frame, m.
        com_height: Standing height of the CoM above the ground, m.
        torso_rotation: (3, 3) standing orientation of the torso in the heading frame.
    """

    mass: float
    foot_names: tuple[str, ...]
    corners: tuple[Array, ...]
    is_point: np.ndarray
    sole_height: Array
    foot_offset: Array
    foot_rotation: Array
    centre_in_sole: Array
    com_height: float
    torso_rotation: Array

    @cached_property
    def outlines(self) -> tuple[Array, ...]:
        """A (k, 2) array a foot: outline of its sole about the support centre at heading 0, m."""
        square = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]])
        soles = zip(self.corners, self.centre_in_sole, self.foot_rotation, self.sole_height)
        return tuple(
            height * square if len(points) == 1 else ((points - centre) @ rotation.T)[:, :2]
            for points, centre, rotation, height in soles
        )

    @property
    def n_feet(self) -> int:
        """Number of feet."""
        return len(self.foot_names)

    @classmethod
    def from_model(cls, model: RobotModel) -> PlanningBody:
        """Measure the standing posture of a robot model."""
        kinodynamics = Kinodynamics(model)
        kinodynamics.update(model.standing_configuration(), np.zeros(model.nv))
        corners = tuple(np.asarray(foot.corners, dtype=np.float64).reshape(-1, 3) for foot in model.feet)
        centre = np.array([c.mean(axis=0) for c in corners])
        rotation, position = kinodynamics.foot_rotation.copy(), kinodynamics.foot_position.copy()
        support = position + np.einsum("fij,fj->fi", rotation, centre)
        return cls(
            mass=float(model.mass),
            foot_names=tuple(model.foot_names),
            corners=corners,
            is_point=np.array([foot.is_point for foot in model.feet]),
            sole_height=position[:, 2].copy(),
            foot_offset=support[:, :2] - support[:, :2].mean(axis=0),
            foot_rotation=rotation,
            centre_in_sole=centre,
            com_height=float(kinodynamics.com[2]),
            torso_rotation=kinodynamics.torso_rotation.copy(),
        )
