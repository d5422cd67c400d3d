"""A crane: holds the base of a robot at a place, as a person or a hoist would during calibration."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.backend import Backend
from wbc_control.spatial import log_so3, quaternion_to_matrix

Array = NDArray[np.float64]

_STIFFNESS_HZ = 2.0
_GYRATION_M = 0.3


class Crane:
    """A critically damped spring, of the robot's own weight class, between its base and a moving hook.

    Args:
        model: Robot with a floating base.
        backend: The world.
        rise: How high the base is lifted, m.
        duration: How long that takes, s.
    """

    def __init__(self, model: RobotModel, backend: Backend, rise: float, duration: float) -> None:
        self._model, self._backend = model, backend
        self._link = model.base_link
        truth = backend.ground_truth()
        self._home, self._heading = truth.q[:3].copy(), quaternion_to_matrix(truth.q[3:7])
        self._start_ns, self._rise, self._duration = truth.time_ns, rise, duration

    def pull(self) -> None:
        """Set force and torque for the next control period."""
        truth, mass = self._backend.ground_truth(), self._model.mass
        share = min(max(1e-9 * (truth.time_ns - self._start_ns) / self._duration, 0.0), 1.0)
        rotation = quaternion_to_matrix(truth.q[3:7])
        place, velocity, spin = truth.q[:3], rotation @ truth.v[:3], rotation @ truth.v[3:6]
        hook = self._home + [0.0, 0.0, share * self._rise]
        rate = 2.0 * np.pi * _STIFFNESS_HZ
        force = mass * (rate**2 * (hook - place) - 2.0 * rate * velocity)
        force[2] += share * self._model.weight
        stiff, inertia = 2.0 * rate, mass * _GYRATION_M**2
        torque = -inertia * (stiff**2 * log_so3(rotation @ self._heading.T) + 2.0 * stiff * spin)
        # The weight hangs at the centre of mass, not at the hook's link.
        com = pin.centerOfMass(self._model.pinocchio, self._model.pinocchio.createData(), truth.q)
        arm = com - place
        torque[:2] += share * self._model.weight * np.array([arm[1], -arm[0]])
        self._backend.apply_wrench(self._link, force, torque)
