"""Pose of one frame as seen from another, e.g. one hand in the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import TaskParameters
from wbc_control.spatial import cross, log_so3, skew
from wbc_control.state import PlanSample
from wbc_control.wbc.frame_reader import FrameReader
from wbc_control.wbc.task import Array, Task, feedback_gains
from wbc_control.wbc.tasks.frame import ALL_AXES
from wbc_control.wbc.tasks.frame_target import FrameTarget


class RelativeFrameTask(Task):
    """As :class:`FrameTask`, with pose, velocity and acceleration of ``frame`` measured in the moving ``base`` frame.

    ṗ = Rᵀ(v − v_b − ω_b × r) and p̈ = Rᵀ(a − a_b − α_b × r − ω_b × (ω_b × r) − 2 ω_b × (v − v_b − ω_b ×
    r)), with R and index b
    of the base and r from base to frame; angular rows ω̇ = Rᵀ(α − α_b − ω_b × (ω − ω_b)).

    Attributes:
        target: In the base frame, along its axes.
    """

    def __init__(
        self,
        model: RobotModel,
        frame: str,
        base: str,
        parameters: TaskParameters,
        mask: Sequence[bool] = ALL_AXES,
        weights: Sequence[float] = (1.0,) * 6,
    ) -> None:
        self._kept = np.flatnonzero(mask)
        super().__init__(f"pose of {frame} in {base}", len(self._kept), parameters.weight, parameters.priority)
        self.weights *= np.asarray(weights)[self._kept]
        self._kp, self._kd = feedback_gains(parameters)
        self._frame, self._base = FrameReader(model, frame), FrameReader(model, base)
        self.target = FrameTarget()

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        frame, base, target = self._frame, self._base, self.target
        frame.read(terms)
        base.read(terms)
        turn, lever = base.rotation.T, frame.position - base.position
        J, Jb = frame.jacobian, base.jacobian
        jacobian = np.concatenate([turn @ (J[:3] - Jb[:3] + skew(lever) @ Jb[3:]), turn @ (J[3:] - Jb[3:])])
        velocity, drift = self._motion(lever, turn)
        wanted = target.acceleration - drift + self._kd * (target.velocity - velocity)
        wanted[:3] += self._kp * (target.position - turn @ lever)
        wanted[3:] += self._kp * log_so3(target.rotation @ (turn @ frame.rotation).T)
        A[:], b[:] = jacobian[self._kept], wanted[self._kept]

    def _motion(self, lever: Array, turn: Array) -> tuple[Array, Array]:
        """Relative velocity and drift, (6,) each, along the base's axes."""
        (v, w), (vb, wb) = self._frame.velocity.reshape(2, 3), self._base.velocity.reshape(2, 3)
        (a, alpha), (ab, alphab) = self._frame.drift.reshape(2, 3), self._base.drift.reshape(2, 3)
        linear = v - vb - cross(wb, lever)
        linear_drift = a - ab - cross(alphab, lever) - cross(wb, cross(wb, lever)) - 2.0 * cross(wb, linear)
        angular_drift = alpha - alphab - cross(wb, w - wb)
        velocity = np.concatenate([turn @ linear, turn @ (w - wb)])
        return velocity, np.concatenate([turn @ linear_drift, turn @ angular_drift])
