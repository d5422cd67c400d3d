"""The velocity the plan follows: cmd_vel clipped to the limits, zero when stale, changed at a bounded acceleration."""
from __future__ import annotations

import math

import numpy as np

from wbc_control.parameters.planner import PlannerParameters
from wbc_control.planning.follower import SmoothFollower
from wbc_control.spatial import Array
from wbc_control.state import VelocityCommand

_SETTLING_TIME_S = 0.4
_STILL = 1e-3


class VelocityReference:
    """Planar velocity [forward m/s, leftward m/s, yaw rad/s] in the heading frame, C² in time."""

    def __init__(self) -> None:
        self._slewed = np.zeros(3)
        self._follower = SmoothFollower(np.zeros(3), _SETTLING_TIME_S)
        self.wanted = np.zeros(3)
        self.clipped = False

    @property
    def value(self) -> Array:
        """(3,) velocity now."""
        return self._follower.value

    @property
    def wants_motion(self) -> bool:
        """Whether the user wants to move."""
        return bool(np.abs(self.wanted).max() > _STILL)

    @property
    def still(self) -> bool:
        """Whether the reference has come to rest."""
        return bool(np.abs(self._follower.value).max() < 5e-3 and np.abs(self._slewed).max() < _STILL)

    def preview(self, times: Array) -> Array:
        """(k, 3) velocity at ``times`` (k,) s from now."""
        return self._follower.preview(times)[0]

    def stop(self) -> None:
        """Want nothing from now on, whatever was commanded."""
        self.wanted = np.zeros(3)

    def take(self, command: VelocityCommand | None, now_ns: int, limits: Array, parameters: PlannerParameters) -> None:
        """Take the newest command; ``limits`` (4,): forward, backward, lateral, yaw bounds of the gait,
        non-negative."""
        if command is None or not self._fresh(command, now_ns, parameters):
            self.wanted, self.clipped = np.zeros(3), False
            return
        asked = np.array([*command.linear, command.yaw_rate])
        if not np.isfinite(asked).all():
            asked = np.zeros(3)
        v = parameters.velocity
        upper = np.minimum([v.forward, v.lateral, v.yaw_rate], limits[[0, 2, 3]])
        lower = -np.minimum([v.backward, v.lateral, v.yaw_rate], limits[[1, 2, 3]])
        self.wanted = np.clip(asked, lower, upper)
        self.clipped = bool(np.abs(self.wanted - asked).max() > 1e-6)

    @staticmethod
    def _fresh(command: VelocityCommand, now_ns: int, parameters: PlannerParameters) -> bool:
        return now_ns - command.time_ns <= parameters.command_timeout * 1e9

    def advance(self, dt: float, parameters: PlannerParameters) -> None:
        """Move ``dt`` s ahead."""
        v = parameters.velocity
        step = dt * np.array([v.acceleration, v.acceleration, v.yaw_acceleration])
        self._slewed = self._slewed + np.clip(self.wanted - self._slewed, -step, step)
        self._follower.target = self._slewed
        self._follower.advance(dt)


def displacement(velocity: Array, heading: float, time: float) -> Array:
    """(3,) change of x, y (world, m) and yaw (rad) in ``time`` s at constant ``velocity`` (3,) in the heading frame."""
    turn = velocity[2] * time
    half = 0.5 * turn
    shrink = math.sin(half) / half if abs(half) > 1e-9 else 1.0
    c, s = math.cos(heading + half), math.sin(heading + half)
    x, y = velocity[0] * time * shrink, velocity[1] * time * shrink
    return np.array([c * x - s * y, s * x + c * y, turn])
