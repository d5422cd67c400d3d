"""What a frame should do: pose, velocity and feed-forward acceleration."""

from __future__ import annotations

import numpy as np

from wbc_control.wbc.task import Array


class FrameTarget:
    """Target of a frame task; stays until it is set again.

    Attributes:
        position: (3,) m; rotation: (3, 3); velocity, acceleration: (6,) linear then angular; axes as the task says.
    """

    def __init__(self) -> None:
        self.position, self.rotation = np.zeros(3), np.eye(3)
        self.velocity, self.acceleration = np.zeros(6), np.zeros(6)

    def set(
        self, position: Array, rotation: Array, velocity: Array | None = None, acceleration: Array | None = None
    ) -> None:
        """Set all; velocity and acceleration are zero where not given."""
        self.position[:], self.rotation[:] = position, rotation
        self.velocity[:] = 0.0 if velocity is None else velocity
        self.acceleration[:] = 0.0 if acceleration is None else acceleration
