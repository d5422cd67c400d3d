"""Centre of mass and sole poses of the true state, computed once a period however many metrics ask."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.backend import GroundTruth

Array = NDArray[np.float64]


class TrueKinematics:
    """Terms of the newest :class:`GroundTruth` passed to :meth:`update`.

    Attributes:
        com: (3,) m, world.
        com_velocity: (3,) m/s, world.
    """

    def __init__(self, model: RobotModel) -> None:
        self._robot = model
        self._data = model.pinocchio.createData()
        self._seen: GroundTruth | None = None
        self._frames_seen: GroundTruth | None = None
        self.com, self.com_velocity = np.zeros(3), np.zeros(3)

    def update(self, truth: GroundTruth) -> None:
        """Compute the centre of mass of ``truth`` unless that is done already."""
        if truth is self._seen:
            return
        self._seen = truth
        self.com = pin.centerOfMass(self._robot.pinocchio, self._data, truth.q, truth.v, False).copy()
        self.com_velocity = self._data.vcom[0].copy()

    def corners_of(self, truth: GroundTruth, foot: int) -> Array:
        """(k, 3) sole corners of one foot, m, world."""
        if truth is not self._frames_seen:
            pin.framesForwardKinematics(self._robot.pinocchio, self._data, truth.q)
            self._frames_seen = truth
        placement = self._data.oMf[self._robot.feet[foot].frame_id]
        return np.asarray(self._robot.feet[foot].corners @ placement.rotation.T + placement.translation)
