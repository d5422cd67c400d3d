"""A sole as forces at its corners: more variables than a wrench, but few rows at any number of facets."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.contact_mechanics.aligned_pyramid import AlignedPyramids
from wbc_control.contact_mechanics.grasp_matrix import grasp_matrix
from wbc_control.contact_mechanics.polyhedral_cone import polyhedral_cone
from wbc_control.contact_mechanics.yaw_torque import yaw_torque_names, yaw_torque_rows
from wbc_control.model import Foot, Kinodynamics
from wbc_control.parameters.controller import ContactConstraintParameters, FootContactParameters
from wbc_control.wbc.contacts.contact import Array, Contact
from wbc_control.wbc.contacts.motion import keeping_acceleration, kept_axes
from wbc_control.wbc.contacts.surface import ContactSurface


class CornerContact(Contact):
    """Three forces at each corner, sole frame; the sole's six motions (five for a line of corners) are
    constrained once.

    With G the grasp matrix, the corners move with Gᵀ (twist): 3k forces, but motion rows of the rank of G only.
    """

    def __init__(
        self, index: int, foot: Foot, parameters: ContactConstraintParameters, own: FootContactParameters | None = None
    ) -> None:
        own = own or FootContactParameters()
        self.name, self.size = foot.name, 3 * len(foot.corners)
        self._index, self._corners, self.surface = index, foot.corners, ContactSurface()
        self._grasp = grasp_matrix(foot.corners)
        self._spread = np.ascontiguousarray(self._grasp.T)
        self._set_cone(parameters)
        self.force_weights = np.ones(self.size)
        self.normal_row = self._grasp[2].copy()
        self.force_lower = np.where(self.normal_row > 0.0, 0.0, -np.inf)
        self._decay = parameters.stabilisation
        self._to_motion = self.motion_map = self._motion_rows(own)
        self._twist_jacobian: Array | None = None
        self._wanted = np.zeros(6)

    def _set_cone(self, parameters: ContactConstraintParameters) -> None:
        friction, count = parameters.friction * (1.0 - parameters.friction_margin), len(self._corners)
        self.turning = parameters.cone == "aligned"
        self._pyramids = AlignedPyramids(count, friction)
        if self.turning:
            cone = self._pyramids.cone()
        else:
            rotation, facets = math.pi / parameters.facets, parameters.facets
            single = polyhedral_cone(friction, facets, approximation=parameters.cone, rotation=rotation).half_spaces
            cone = np.asarray(np.kron(np.eye(count), single), dtype=np.float64)
        self._friction_rows = len(cone)
        self.cone = np.vstack([cone, yaw_torque_rows(parameters.yaw_torque, self._grasp)])
        names = yaw_torque_names(parameters.yaw_torque, self.name)
        self.cone_names = (f"friction and centre of pressure {self.name}",) * len(cone) + names

    def _motion_rows(self, own: FootContactParameters) -> Array:
        """The sole's twist from the corners' velocities, without released axes."""
        twist = np.asarray(np.linalg.pinv(self._spread), dtype=np.float64)
        return twist[kept_axes(own.released, 6, self.name)]

    @property
    def normal(self) -> int | None:
        """See :class:`Contact`."""
        return None

    @property
    def wrench_map(self) -> Array:
        """See :class:`Contact`."""
        return self._grasp

    def write_wrench(self, force: Array, wrench: Array) -> None:
        """See :class:`Contact`."""
        np.dot(self._grasp, force, out=wrench)

    def write(self, terms: Kinodynamics, jacobian: Array, acceleration: Array) -> None:
        """See :class:`Contact`."""
        i, rotation = self._index, terms.foot_rotation[self._index]
        if self._twist_jacobian is None:
            self._twist_jacobian = np.zeros(terms.J_foot[i].shape)
        twist, frame = self._twist_jacobian, terms.J_foot[i]
        np.dot(rotation.T, frame[:3], out=twist[:3])
        np.dot(rotation.T, frame[3:], out=twist[3:])
        np.dot(self._spread, twist, out=jacobian)
        keeping_acceleration(
            terms.foot_velocity[i], terms.foot_drift[i], self._decay, self.surface, terms.foot_position[i], self._wanted
        )
        in_sole = self._wanted.reshape(2, 3) @ rotation
        corners = self._spread @ in_sole.reshape(6)
        corners -= self._centripetal(terms.foot_velocity[i][3:] @ rotation)
        if not self.surface.is_still:
            omega = self.surface.velocity_at(terms.foot_position[i])[3:]
            corners += self._centripetal(omega @ rotation)
        np.dot(self._to_motion, corners, out=acceleration)

    def _centripetal(self, omega: Array) -> Array:
        """(3k,) ω × (ω × c) of each corner, sole frame: a sole that turns about its edge accelerates its corners."""
        corners = self._corners
        return (np.outer(corners @ omega, omega) - (omega @ omega) * corners).reshape(-1)

    def write_cone(self, rows: Array) -> None:
        """See :class:`Contact`."""
        self._pyramids.write(rows[: self._friction_rows])

    def observe(self, force: Array) -> None:
        """See :class:`Contact`."""
        self._pyramids.observe(force.reshape(-1, 3))
