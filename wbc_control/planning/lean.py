"""The hip strategy's torso: it yields to a push while the ankles are at their end, and is upright again afterwards.

While the DCM lies at the edge of the support polygon, a controller that also keeps the torso upright would spend on it the
very ground force that has to stop the centre of mass.  So the torso's reference follows the measured lean and its rate,
less and less the further it leans, and turns back upright as the DCM comes back (Stephens, *Humanoid push recovery*,
Humanoids 2007, section IV: ankle first, then hip).
"""

from __future__ import annotations

import math

import numpy as np

from wbc_control.spatial import Array, log_so3, yaw_matrix

_RETURN_S = 0.25
"""Time constant with which the reference turns back upright, s."""

HIP_MARGIN_M = 0.02
"""Margin of the DCM inside the polygon at which the hip begins to help; at 0 it helps fully, m."""

_YIELD_FROM_M = 0.04
"""DCM error from which the torso begins to yield; at twice that it yields fully, m."""

_SMALLEST_RAD = 1e-3
"""Leans below this are none, rad."""


def hip_share(margin: float) -> float:
    """How much the hip helps, 0..1, by the DCM's distance inside the edge of the polygon, m."""
    return min(max(1.0 - margin / HIP_MARGIN_M, 0.0), 1.0)


def yielding_share(error: float) -> float:
    """How much the torso may yield, 0..1, at a DCM error, m: a walking robot's small errors never tilt it."""
    return min(max((error - _YIELD_FROM_M) / _YIELD_FROM_M, 0.0), 1.0)


class TorsoLean:
    """Reference of the torso's lean: a horizontal rotation vector (3,), rad, world, and its rate."""

    def __init__(self) -> None:
        self.vector, self.rate = np.zeros(3), np.zeros(3)

    @property
    def yields(self) -> bool:
        """Whether the torso is to be anything but upright."""
        return bool(np.abs(self.vector).max() > _SMALLEST_RAD)

    def advance(
        self, dt: float, rotation: Array, angular_velocity: Array, heading: float, share: float, most: float
    ) -> None:
        """Move ``dt`` s ahead.

        Args:
            dt: s.
            rotation: (3, 3) measured torso against its standing orientation, world.
            angular_velocity: (3,) measured, rad/s, world.
            heading: Reference heading, rad.
            share: 0 keeps upright, 1 lets the hip have its way.
            most: Lean up to which it yields, rad.
        """
        lean = log_so3(rotation @ yaw_matrix(heading).T)
        lean[2] = 0.0
        angle = math.hypot(lean[0], lean[1])
        share = share * min(max(2.0 * (1.0 - angle / most), 0.0), 1.0) if most > 0.0 else 0.0
        left = math.exp(-dt / _RETURN_S)
        self.vector = share * lean + (1.0 - share) * left * self.vector
        self.rate = (
            share * np.array([angular_velocity[0], angular_velocity[1], 0.0]) - (1.0 - share) * self.vector / _RETURN_S
        )

    def preview(self, times: Array) -> tuple[Array, Array]:
        """Lean and rate, each (k, 3), at ``times`` (k,) s from now: the rate dies out, the lean stays below its limit."""
        decay = np.exp(-times / _RETURN_S)[:, None]
        return self.vector + _RETURN_S * (1.0 - decay) * self.rate, decay * self.rate
