"""The switch between worlds: what a simulator must offer so that the stack cannot tell it from hardware."""
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.state import SensorSample

Array = NDArray[np.float64]


@dataclass(frozen=True)
class InitialState:
    """Where the robot starts.

    Attributes:
        q: (nq,) configuration in Pinocchio's order; lifted until the lowest sole point is ``drop`` above the ground.
        v: (nv,) velocity in Pinocchio's order.
        drop: Height above the ground, m.
    """

    q: Array
    v: Array
    drop: float = 0.0


@dataclass(frozen=True)
class GroundTruth:
    """What only a simulator knows; for reports, never for the controller.

    Attributes:
        time_ns: Simulated time, ns.
        q: (nq,) true configuration, Pinocchio's order.
        v: (nv,) true velocity, Pinocchio's order.
        foot_force: (n_feet, 3) N, world, sum of the ground's forces on each foot.
        foot_position: (n_feet, 3) m, world, sole origins.
        in_contact: (n_feet,) whether the foot touches anything.
        contact_points: (k, 3) m, world, points where the robot's feet touch the ground.
        contact_forces: (k, 3) N, world, force of the ground on the robot at each of them.
        other_contacts: Names of the joints whose bodies, other than feet, touch the ground.
    """

    time_ns: int
    q: Array
    v: Array
    foot_force: Array
    foot_position: Array
    in_contact: NDArray[np.bool_]
    contact_points: Array
    contact_forces: Array
    other_contacts: tuple[str, ...] = ()


class Backend(ABC):
    """One robot in one world, advanced one control period at a time."""

    @property
    @abstractmethod
    def period_ns(self) -> int:
        """Control period, ns."""

    @abstractmethod
    def reset(self, initial: InitialState) -> None:
        """Put the robot at ``initial`` at time 0, at rest contact-wise, without applied wrenches."""

    @abstractmethod
    def read_sensors(self) -> SensorSample:
        """Noise-free sensors at the present time, in the robot model's order."""

    @abstractmethod
    def step(self, effort: Array) -> None:
        """Apply (n,) joint efforts, N·m, in the robot model's order for one control period."""

    @abstractmethod
    def apply_wrench(self, link: str, force: Array, torque: Array) -> None:
        """Hold a world force, N, at the link's centre of mass and a torque, N·m, until the next call for that link."""

    @abstractmethod
    def ground_truth(self) -> GroundTruth:
        """The true state."""

    @abstractmethod
    def close(self) -> None:
        """Release what the engine holds; the backend is unusable afterwards."""
