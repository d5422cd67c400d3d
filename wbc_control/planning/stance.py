"""The feet the robot stands on, as latched when they were last put down."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wbc_control.planning.body import PlanningBody
from wbc_control.planning.heading import mean_heading
from wbc_control.planning.observation import Observation
from wbc_control.planning.support import Point, area_centroid, support_centre, support_vertices
from wbc_control.spatial import Array


@dataclass(frozen=True, eq=False)
class Stance:
    """All feet at rest on the ground.

    Attributes:
        body: The robot.
        position: (n_feet, 3) sole origins, world, m.
        rotation: (n_feet, 3, 3) soles in world.
    """

    body: PlanningBody
    position: Array
    rotation: Array

    @classmethod
    def latch(cls, body: PlanningBody, observation: Observation) -> Stance:
        """The feet where they are measured now."""
        return cls(body, observation.foot_position.copy(), observation.foot_rotation.copy())

    @cached_property
    def heading(self) -> float:
        """Mean heading of the feet, rad."""
        return mean_heading(self.body, self.position, self.rotation)

    @cached_property
    def vertices(self) -> list[Point]:
        """Support polygon of all feet, world, m, counter-clockwise."""
        return support_vertices(self.body, list(range(self.body.n_feet)), self.position, self.rotation)

    @cached_property
    def centre(self) -> Point:
        """Centroid of the support polygon, m."""
        return area_centroid(self.vertices)

    @cached_property
    def ground_height(self) -> float:
        """Mean height of the ground under the feet: the declared plane of the pendulum, m."""
        return float(np.mean(self.position[:, 2] - self.body.sole_height))

    @cached_property
    def foot_centres(self) -> Array:
        """(n_feet, 2) support centre of each foot, world, m."""
        feet = range(self.body.n_feet)
        return np.array([support_centre(self.body, f, self.position[f], self.rotation[f])[:2] for f in feet])
