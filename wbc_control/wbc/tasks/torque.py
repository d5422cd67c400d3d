"""Spend little torque."""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.state import PlanSample
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.mixed_task import MixedTask
from wbc_control.wbc.task import Array


class TorqueTask(MixedTask):
    """τ ≈ 0 for every joint, in shares of its torque limit: τ = M_a q̈ + h_a − J_aᵀ f."""

    def __init__(self, model: RobotModel, weight: float) -> None:
        super().__init__("small torques", model.n, weight)
        limit = model.limits.effort
        self._scale = 1.0 / np.where(np.isfinite(limit), limit, 1.0)
        self._column = self._scale[:, None].copy()

    def write(self, layout: Layout, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`MixedTask`."""
        np.multiply(layout.problem.C[: layout.n], self._column, out=A)
        np.multiply(terms.h[layout.base :], -self._scale, out=b)
