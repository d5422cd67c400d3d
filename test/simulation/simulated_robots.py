"""Robots and a plain controller for tests of the simulation; built once, shared."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import RobotModel, load_robot
from wbc_control.parameters import StackParameters
from wbc_control.state import SensorSample, VelocityCommand

Array = NDArray[np.float64]


@functools.lru_cache(maxsize=8)
def robot(name: str) -> tuple[RobotModel, StackParameters]:
    """Model and parameters of a shipped robot."""
    parameters = load_robot(name)
    return RobotModel.from_parameters(parameters.robot), parameters


class HoldPosture:
    """Stiff PD on the standing posture; remembers what it was told."""

    def __init__(self, model: RobotModel, parameters: StackParameters | None = None) -> None:
        self._wanted = model.joint_positions(model.standing_configuration())
        self._limit = model.limits.effort
        self._stiffness = np.minimum(400.0, 8.0 * model.limits.effort)
        self.velocities: list[VelocityCommand | None] = []
        self.changes: list[Mapping[str, Any]] = []
        self.samples: list[SensorSample] = []

    def tick(self, sample: SensorSample, velocity: VelocityCommand | None) -> Array:
        """(n,) efforts, N·m."""
        self.velocities.append(velocity)
        self.samples.append(sample)
        error = self._wanted - sample.joints.position
        effort = self._stiffness * error - 0.03 * self._stiffness * sample.joints.velocity
        return np.clip(effort, -self._limit, self._limit)

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Remember."""
        self.changes.append(values)


def random_state(model: RobotModel, generator: np.random.Generator) -> tuple[Array, Array]:
    """A tilted, moving state."""
    import pinocchio as pin

    q = pin.integrate(model.pinocchio, model.standing_configuration(), generator.uniform(-1.0, 1.0, model.nv))
    return q, generator.normal(size=model.nv)
