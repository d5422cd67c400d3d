"""A flat sole with at least three corners: one wrench, in the exact cone that forces at the corners make."""
from __future__ import annotations

import numpy as np

from wbc_control.contact_mechanics.wrench_cone import sole_wrench_cone
from wbc_control.model import Foot, Kinodynamics
from wbc_control.parameters.controller import ContactConstraintParameters
from wbc_control.wbc.contacts.contact import Array, Contact


class SoleContact(Contact):
    """Force and moment about the sole's origin, in the sole frame.

    The wrench is equivalent to forces in friction pyramids at all corners (Caron, Pham, Nakamura 2015), with six
    variables instead of three a corner; in the sole frame its cone is constant.
    """

    def __init__(self, index: int, foot: Foot, parameters: ContactConstraintParameters) -> None:
        self.name, self.size = foot.name, 6
        self._index = index
        friction = parameters.friction * (1.0 - parameters.friction_margin)
        self.cone = sole_wrench_cone(foot.corners, friction, parameters.facets, approximation=parameters.cone)
        self.cone_names = (f"friction and centre of pressure {foot.name}",) * len(self.cone)
        reach = float(np.abs(foot.corners).max())
        # A moment counts like the pair of corner forces that makes it.
        self.force_weights = np.array([1.0, 1.0, 1.0, reach**-2, reach**-2, reach**-2])
        self.normal_row = np.eye(6)[2]
        self._decay = parameters.stabilisation
        self._acceleration = np.zeros(6)

    @property
    def normal(self) -> int | None:
        """See :class:`Contact`."""
        return 2

    def write(self, terms: Kinodynamics, jacobian: Array, acceleration: Array) -> None:
        """See :class:`Contact`."""
        rotation_transposed = terms.foot_rotation[self._index].T
        frame = terms.J_foot[self._index]
        np.dot(rotation_transposed, frame[:3], out=jacobian[:3])
        np.dot(rotation_transposed, frame[3:], out=jacobian[3:])
        wanted = self._acceleration
        np.multiply(terms.foot_velocity[self._index], -self._decay, out=wanted)
        wanted -= terms.foot_drift[self._index]
        np.dot(rotation_transposed, wanted[:3], out=acceleration[:3])
        np.dot(rotation_transposed, wanted[3:], out=acceleration[3:])
