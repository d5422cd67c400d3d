"""Pose, velocity, Jacobian and drift of any frame of the model, from the terms of the tick."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from wbc_control.errors import ModelError
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.wbc.task import Array

_WORLD_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class FrameReader:
    """Reads one frame; world axes, at the frame's origin, linear rows first.

    Args:
        model: The robot.
        frame: Name of a link, joint or operational frame.

    Attributes:
        position: (3,) m; rotation: (3, 3); jacobian: (6, nv); velocity: (6,) m/s and rad/s.
        drift: (6,) classical acceleration at q̈ = 0, m/s² and rad/s².

    Raises:
        ModelError: The model has no such frame.
    """

    def __init__(self, model: RobotModel, frame: str) -> None:
        if not model.pinocchio.existFrame(frame):
            raise ModelError(f"the robot has no frame '{frame}'", where=model.parameters.name, value=frame)
        self.name, self._model, self._id = frame, model.pinocchio, int(model.pinocchio.getFrameId(frame))
        self.position, self.rotation = np.zeros(3), np.eye(3)
        self.jacobian, self.velocity, self.drift = np.zeros((6, model.nv)), np.zeros(6), np.zeros(6)

    def read(self, terms: Kinodynamics) -> None:
        """Take this tick's values."""
        model, data = self._model, terms.data
        placement = pin.updateFramePlacement(model, data, self._id)
        self.position[:], self.rotation[:] = placement.translation, placement.rotation
        self.jacobian[:] = pin.getFrameJacobian(model, data, self._id, _WORLD_ALIGNED)
        np.dot(self.jacobian, terms.v, out=self.velocity)
        acceleration: Array = pin.getFrameClassicalAcceleration(model, data, self._id, _WORLD_ALIGNED).vector
        self.drift[:] = acceleration
