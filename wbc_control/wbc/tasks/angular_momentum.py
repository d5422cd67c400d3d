"""Let the angular momentum about the centre of mass die out."""

from __future__ import annotations

import numpy as np

from wbc_control.model import Kinodynamics
from wbc_control.state import PlanSample
from wbc_control.wbc.task import Array, Task


class AngularMomentumTask(Task):
    """L̇ = −k L about the centre of mass, world axes, N·m (Orin, Goswami, Lee 2013)."""

    def __init__(self, weight: float, damping: float) -> None:
        super().__init__("angular momentum", 3, weight)
        self._damping = damping

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        A[:] = terms.momentum_map[3:]
        np.multiply(terms.momentum[3:], -self._damping, out=b)
        b -= terms.momentum_drift[3:]
