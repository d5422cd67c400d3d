"""Pose of any frame in the world, axis by axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import TaskParameters
from wbc_control.spatial import log_so3
from wbc_control.state import PlanSample
from wbc_control.wbc.frame_reader import FrameReader
from wbc_control.wbc.task import Array, Task, feedback_gains
from wbc_control.wbc.tasks.frame_target import FrameTarget

ALL_AXES = (True,) * 6


class FrameTask(Task):
    """a = a_ref + kd (v_ref − v) + kp e of a frame, e = [p_ref − p; log(R_ref Rᵀ)], world axes.

    Args:
        model: The robot.
        frame: Frame to move.
        parameters: Weight, bandwidth, damping ratio and priority.
        mask: Which of x, y, z, roll, pitch, yaw to control; also a pure position or orientation task.
        weights: (6,) relative weights of the axes.
        axes: Frame along whose axes mask and weights count: "" for the world, else any frame's name, also
            ``frame`` itself.

    Attributes:
        target: In the world.
    """

    def __init__(
        self,
        model: RobotModel,
        frame: str,
        parameters: TaskParameters,
        mask: Sequence[bool] = ALL_AXES,
        weights: Sequence[float] = (1.0,) * 6,
        axes: str = "",
    ) -> None:
        self._kept = np.flatnonzero(mask)
        super().__init__(f"pose of {frame}", len(self._kept), parameters.weight, parameters.priority)
        self.weights *= np.asarray(weights)[self._kept]
        self._kp, self._kd = feedback_gains(parameters)
        self._frame, self._axes = FrameReader(model, frame), FrameReader(model, axes) if axes else None
        self._wanted = np.zeros(6)
        self.target = FrameTarget()

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        frame, target, wanted = self._frame, self.target, self._wanted
        frame.read(terms)
        np.subtract(target.acceleration, frame.drift, out=wanted)
        wanted += self._kd * (target.velocity - frame.velocity)
        wanted[:3] += self._kp * (target.position - frame.position)
        wanted[3:] += self._kp * log_so3(target.rotation @ frame.rotation.T)
        self._select(terms, frame.jacobian, wanted, A, b)

    def _select(self, terms: Kinodynamics, jacobian: Array, wanted: Array, A: Array, b: Array) -> None:
        if self._axes is None:
            A[:], b[:] = jacobian[self._kept], wanted[self._kept]
            return
        self._axes.read(terms)
        turn = self._axes.rotation.T
        turned = np.concatenate([turn @ jacobian[:3], turn @ jacobian[3:]])
        A[:], b[:] = turned[self._kept], np.concatenate([turn @ wanted[:3], turn @ wanted[3:]])[self._kept]
