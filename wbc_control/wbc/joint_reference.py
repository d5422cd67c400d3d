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
        s, T = min(leak * period, 1.0), period
        # Rows: new position, new velocity.  Columns: position, velocity, measured position and velocity, acceleration.
        velocity = np.array([0.0, 1.0 - s, 0.0, s, T])
        self._step = np.vstack([np.array([1.0 - s, 0.0, s, 0.0, 0.0]) + T * velocity, velocity])
        self._stack: Array | None = None

    def reset(self) -> None:
        """Start from the measurement at the next step."""
        self._stack = None

    def step(self, position: Array, velocity: Array, acceleration: Array) -> tuple[Array, Array]:
        """References (n,), (n,) after one period; ``position`` and ``velocity`` are measured."""
        stack = self._stack
        if stack is None:
            stack = self._stack = np.stack([position, velocity, position, velocity, acceleration])
        stack[2], stack[3], stack[4] = position, velocity, acceleration
        new = self._step.dot(stack)
        stack[:2] = new
        return new[0], new[1]
