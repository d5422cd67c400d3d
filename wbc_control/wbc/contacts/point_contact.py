"""A point foot: three forces at the lowest point of a sphere, on a surface whose normal is given."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.contact_mechanics.aligned_pyramid import AlignedPyramids
from wbc_control.contact_mechanics.polyhedral_cone import polyhedral_cone
from wbc_control.model import Foot, Kinodynamics
from wbc_control.parameters.controller import ContactConstraintParameters, FootContactParameters
from wbc_control.spatial import cross
from wbc_control.wbc.contacts.contact import Array, Contact
from wbc_control.wbc.contacts.motion import kept_axes
from wbc_control.wbc.contacts.surface import ContactSurface


class PointContact(Contact):
    """Contact frame: the surface's, world axes on a level floor; never the round foot's shank."""

    def __init__(
        self, index: int, foot: Foot, parameters: ContactConstraintParameters, own: FootContactParameters | None = None
    ) -> None:
        own = own or FootContactParameters()
        self.name, self.size = foot.name, 3
        self._index, self._foot = index, foot
        self.surface = ContactSurface(own.normal)
        self._set_cone(parameters)
        self.force_weights, self.normal_row = np.ones(3), np.eye(3)[2]
        self._decay = parameters.stabilisation
        self._below = -foot.radius * self.surface.rotation[:, 2]
        kept = kept_axes(own.released, 3, foot.name)
        self.motion_map = None if len(kept) == 3 else np.eye(3)[kept]

    def _set_cone(self, parameters: ContactConstraintParameters) -> None:
        friction = parameters.friction * (1.0 - parameters.friction_margin)
        self.turning = parameters.cone == "aligned"
        self._pyramid = AlignedPyramids(1, friction)
        if self.turning:
            self.cone = self._pyramid.cone()
        else:
            rotation = math.pi / parameters.facets
            self.cone = polyhedral_cone(
                friction, parameters.facets, approximation=parameters.cone, rotation=rotation
            ).half_spaces
        self.cone_names = (f"friction {self.name}",) * len(self.cone)

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
        wanted = -drift[:3] - cross(drift[3:], lever) - self._decay * point_velocity
        if not self.surface.is_still:
            point = terms.foot_position[self._index] + lever
            wanted += self.surface.acceleration_at(point)[:3] + self._decay * self.surface.velocity_at(point)[:3]
        if not self.surface.is_level:
            rotation = self.surface.rotation
            jacobian[:], wanted = rotation.T @ jacobian, rotation.T @ wanted
        acceleration[:] = wanted if self.motion_map is None else self.motion_map @ wanted

    def write_cone(self, rows: Array) -> None:
        """See :class:`Contact`."""
        self._pyramid.write(rows)

    def observe(self, force: Array) -> None:
        """See :class:`Contact`."""
        self._pyramid.observe(force[None])
