"""Position and velocity references for the joint PD loop, from the accelerations the QP decided on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class JointReference:
    """Integrates q̈ twice, leaking towards the measurement so that the reference cannot run away from the joint.

    q̇_d ← q̇_d + q̈ T + λT (q̇ − q̇_d);  q_d ← q_d + q̇_d T + λT (q − q_d), λ the leak rate in 1/s.  Fast motion follows the QP,
    slow errors are left to the QP's own feedback.
    """

    def __init__(self, leak: float, period: float) -> None:
        self._share, self._period = min(leak * period, 1.0), period
        self._position: Array | None = None
        self._velocity: Array | None = None

    def reset(self) -> None:
        """Start from the measurement at the next step."""
        self._position = self._velocity = None

    def step(self, position: Array, velocity: Array, acceleration: Array) -> tuple[Array, Array]:
        """References (n,), (n,) after one period; ``position`` and ``velocity`` are measured."""
        if self._position is None or self._velocity is None:
            self._position, self._velocity = position.copy(), velocity.copy()
        share, period = self._share, self._period
        self._velocity = self._velocity + acceleration * period + share * (velocity - self._velocity)
        self._position = self._position + self._velocity * period + share * (position - self._position)
        return self._position, self._velocity
