"""Decides from ground truth that the robot has fallen."""

from __future__ import annotations

import math

from wbc_control.model import RobotModel
from wbc_control.simulation.backend import GroundTruth
from wbc_control.simulation.terrain import Ground

_TILT_LIMIT_RAD = math.radians(60.0)
_HEIGHT_SHARE = 0.5


class FallDetector:
    """Fallen means: another part than a foot on the ground, base tilted beyond 60°, or below half its standing height.

    Args:
        model: The robot; a fixed base never falls.
        ground: What height is measured from.
    """

    def __init__(self, model: RobotModel, ground: Ground) -> None:
        self._floating = model.floating_base
        self._ground = ground
        self._least_height = _HEIGHT_SHARE * float(model.standing_configuration()[2]) if self._floating else -math.inf
        self._least_up = math.cos(_TILT_LIMIT_RAD)

    def judge(self, truth: GroundTruth) -> str:
        """Why the robot counts as fallen, one sentence; empty while it has not."""
        if not self._floating:
            return ""
        if truth.other_contacts:
            return f"body of '{truth.other_contacts[0]}' touches the ground"
        px, py, pz, x, y = truth.q[:5].tolist()
        up = 1.0 - 2.0 * (x * x + y * y)
        if up < self._least_up:
            return f"base is tilted by {math.degrees(math.acos(max(-1.0, up))):.0f}°"
        height = pz - self._ground.height(px, py)
        if height < self._least_height:
            return f"base is {height:.2f} m above the ground, less than half its standing height"
        return ""
