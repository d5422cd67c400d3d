"""A flat sole with at least three corners: one wrench, in the exact cone that forces at the corners make."""

from __future__ import annotations

import numpy as np

from wbc_control.contact_mechanics.wrench_cone import sole_wrench_cone
from wbc_control.contact_mechanics.yaw_torque import yaw_torque_names, yaw_torque_rows
from wbc_control.model import Foot, Kinodynamics
from wbc_control.parameters.controller import ContactConstraintParameters, FootContactParameters
from wbc_control.wbc.contacts.contact import Array, Contact
from wbc_control.wbc.contacts.motion import keeping_acceleration, kept_axes
from wbc_control.wbc.contacts.surface import ContactSurface


class SoleContact(Contact):
    """Force and moment about the sole's origin, in the sole frame.

    The wrench is equivalent to forces in friction pyramids at all corners (Caron, Pham, Nakamura 2015), with six
    variables instead of three a corner; in the sole frame its cone is constant.
    """

    def __init__(
        self, index: int, foot: Foot, parameters: ContactConstraintParameters, own: FootContactParameters | None = None
    ) -> None:
        own = own or FootContactParameters()
        self.name, self.size = foot.name, 6
        self._index, self.surface = index, ContactSurface()
        friction = parameters.friction * (1.0 - parameters.friction_margin)
        cone = sole_wrench_cone(foot.corners, friction, parameters.facets, approximation=parameters.cone)
        self.cone = np.vstack([cone, yaw_torque_rows(parameters.yaw_torque, np.eye(6))])
        self.cone_names = (f"friction and centre of pressure {foot.name}",) * len(cone)
        self.cone_names += yaw_torque_names(parameters.yaw_torque, foot.name)
        reach = float(np.abs(foot.corners).max())
        # A moment counts like the pair of corner forces that makes it.
        self.force_weights = np.array([1.0, 1.0, 1.0, reach**-2, reach**-2, reach**-2])
        self.normal_row = np.eye(6)[2]
        self._decay = parameters.stabilisation
        self._wanted, self._kept = np.zeros(6), kept_axes(own.released, 6, foot.name)
        self.motion_map = None if len(self._kept) == 6 else np.eye(6)[self._kept]

    @property
    def normal(self) -> int | None:
        """See :class:`Contact`."""
        return 2

    def write(self, terms: Kinodynamics, jacobian: Array, acceleration: Array) -> None:
        """See :class:`Contact`."""
        i, wanted = self._index, self._wanted
        rotation_transposed, frame = terms.foot_rotation[i].T, terms.J_foot[i]
        np.dot(rotation_transposed, frame[:3], out=jacobian[:3])
        np.dot(rotation_transposed, frame[3:], out=jacobian[3:])
        keeping_acceleration(
            terms.foot_velocity[i], terms.foot_drift[i], self._decay, self.surface, terms.foot_position[i], wanted
        )
        in_sole = wanted.reshape(2, 3).dot(terms.foot_rotation[i]).reshape(6)
        acceleration[:] = in_sole if self.motion_map is None else in_sole[self._kept]
