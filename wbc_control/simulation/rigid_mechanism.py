"""A free-floating robot whose base moves straight in the world within a step, however fast it turns.

Pinocchio's base velocity is written in the base's own axes.  An explicit step of those numbers follows a turning base
only to first order, and free flight gains energy.  Here the linear part is held along the axes that the base has at the
start of the step: its rate is then the classical acceleration, and free flight is a parabola.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.pinocchio_mechanism import PinocchioMechanism
from wbc_control.spatial import cross, quaternion_to_matrix

Array = NDArray[np.float64]


class FloatingMechanism(PinocchioMechanism):
    """A :class:`PinocchioMechanism` whose first joint is the free one.

    Velocities at the end of a step are in the base's axes at its start, which is what the contacts of the step see;
    :meth:`turned` writes them in the axes at its end.
    """

    def mass_matrix(self, q: Array) -> Array:
        """See :class:`Mechanism`; called before :meth:`force` in every scheme."""
        self._mass = super().mass_matrix(q)
        return self._mass

    def force(self, q: Array, v: Array) -> Array:
        """M v̇ + h = … with v̇ = classical acceleration − ω × v, the last term brought to the right; (nv,)."""
        return np.asarray(super().force(q, v) + self._mass[:, :3] @ cross(v[3:6], v[:3]))

    def integrate(self, q: Array, displacement: Array) -> Array:
        """Base translated along its axes at ``q``, everything else as in :class:`PinocchioMechanism`."""
        turning = displacement.copy()
        turning[:3] = 0.0
        end = super().integrate(q, turning)
        end[:3] += quaternion_to_matrix(q[3:7]) @ displacement[:3]
        return end

    @staticmethod
    def turned(start: Array, end: Array, linear: Array) -> Array:
        """A vector (3,) in the base's axes of the configuration ``start``, written in those of ``end``."""
        return np.asarray(quaternion_to_matrix(end[3:7]).T @ (quaternion_to_matrix(start[3:7]) @ linear))
