"""The motion of every body of a Pinocchio model, for the ZMP from accelerations (:func:`zmp.zmp_of_motion`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.zmp import BodyMotion

Array = NDArray[np.float64]


class BodyMotionReader:
    """Bodies of mass > 0 of a model, one a joint.

    Args:
        model: ``pinocchio.Model``; its rotors' reflected inertia is no body and makes no ground reaction.
    """

    def __init__(self, model: Any) -> None:
        import pinocchio

        self._pin, self._model, self._data = pinocchio, model, model.createData()
        self._bodies = [i for i in range(1, model.njoints) if model.inertias[i].mass > 0.0]
        self._mass = np.array([model.inertias[i].mass for i in self._bodies])

    def read(self, q: Array, v: Array, acceleration: Array) -> BodyMotion:
        """Motion at configuration (nq,), velocity (nv,) and acceleration (nv,), in world."""
        self._pin.forwardKinematics(self._model, self._data, q, v, acceleration)
        rows = [self._body(i) for i in self._bodies]
        com, linear, omega, alpha, inertia = (np.array(column) for column in zip(*rows))
        return BodyMotion(self._mass, com, linear, omega, alpha, inertia)

    def _body(self, joint: int) -> tuple[Array, Array, Array, Array, Array]:
        """Centre, its acceleration, angular velocity and acceleration, inertia about the centre; world axes."""
        data, inertia = self._data, self._model.inertias[joint]
        placement, velocity, spatial = data.oMi[joint], data.v[joint], data.a[joint]
        rotation, lever = placement.rotation, inertia.lever
        omega, alpha = velocity.angular, spatial.angular
        point = velocity.linear + np.cross(omega, lever)
        classical = spatial.linear + np.cross(alpha, lever) + np.cross(omega, point)
        turned = rotation @ inertia.inertia @ rotation.T
        return placement.act(lever), rotation @ classical, rotation @ omega, rotation @ alpha, turned
