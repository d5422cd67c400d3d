"""A point foot: three forces at the lowest point of a sphere, on a surface whose normal is given."""
from __future__ import annotations

import math

import numpy as np

from wbc_control.contact_mechanics.polyhedral_cone import polyhedral_cone
from wbc_control.model import Foot, Kinodynamics
from wbc_control.parameters.controller import ContactConstraintParameters
from wbc_control.spatial import cross
from wbc_control.wbc.contacts.contact import Array, Contact


class PointContact(Contact):
    """Contact frame: world axes on a level floor; the normal comes from the surface, not from the round foot's shank."""

    def __init__(self, index: int, foot: Foot, parameters: ContactConstraintParameters) -> None:
        self.name, self.size = foot.name, 3
        self._index, self._foot = index, foot
        friction = parameters.friction * (1.0 - parameters.friction_margin)
        facets = parameters.facets
        cone = polyhedral_cone(friction, facets, approximation=parameters.cone, rotation=math.pi / facets)
        self.cone = cone.half_spaces
        self.cone_names = (f"friction {foot.name}",) * len(self.cone)
        self.force_weights = np.ones(3)
        self.normal_row = np.eye(3)[2]
        self._decay = parameters.stabilisation
        self._below = np.array([0.0, 0.0, -foot.radius])

    @property
    def normal(self) -> int | None:
        """See :class:`Contact`."""
        return 2

    def write(self, terms: Kinodynamics, jacobian: Array, acceleration: Array) -> None:
        """See :class:`Contact`; the point rolls with the sphere, so its lever does not turn with the shank."""
        frame, velocity = terms.J_foot[self._index], terms.foot_velocity[self._index]
        lever = terms.foot_rotation[self._index] @ self._foot.corners[0] + self._below
        x, y, z = lever
        jacobian[:] = frame[:3]
        # ω × r as a matrix product: three rows, each a combination of two angular rows.
        jacobian[0] += z * frame[4] - y * frame[5]
        jacobian[1] += x * frame[5] - z * frame[3]
        jacobian[2] += y * frame[3] - x * frame[4]
        omega, drift = velocity[3:], terms.foot_drift[self._index]
        point_velocity = velocity[:3] + cross(omega, lever)
        acceleration[:] = -drift[:3] - cross(drift[3:], lever) - self._decay * point_velocity
