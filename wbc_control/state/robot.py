"""Estimated state of the floating base, the joints and the contacts."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from wbc_control.state.checks import Array, BoolArray, check_shape


@dataclass(frozen=True, slots=True)
class RobotState:
    """Configuration and velocity of the whole robot, Pinocchio's conventions.

    Attributes:
        time_ns: Time of the state, ns.
        q: (nq,) configuration: base position in world, base quaternion x, y, z, w, joints.
        v: (nv,) velocity: base linear then angular velocity in the base frame, joints.
    """

    time_ns: int
    q: Array
    v: Array


class ContactPhase(enum.IntEnum):
    """What a foot is doing."""

    UNKNOWN = 0
    IN_AIR = 1
    CONTACT = 2
    SLIDING = 3
    LIFTING = 4


@dataclass(frozen=True, slots=True)
class ContactState:
    """Contact of each foot, feet in the robot model's order.

    Attributes:
        time_ns: Time of the estimate, ns.
        in_contact: (n_feet,) decided contact, after hysteresis and dwell.
        probability: (n_feet,) fused probability of contact, 0..1.
        normal_force: (n_feet,) N, along the contact normal, never negative.
        slip_speed: (n_feet,) m/s, tangential speed of the sole while in contact.
        phase: (n_feet,) :class:`ContactPhase` values.
        confidence: (n_feet,) 0..1, lower when a source is silent or contradicts the others.
    """

    time_ns: int
    in_contact: BoolArray
    probability: Array
    normal_force: Array
    slip_speed: Array
    phase: Array
    confidence: Array

    def __post_init__(self) -> None:
        shape = self.in_contact.shape
        for name in ("probability", "normal_force", "slip_speed", "phase", "confidence"):
            check_shape(f"ContactState.{name}", getattr(self, name), shape)


@dataclass(frozen=True, slots=True)
class CentroidalState:
    """Centre of mass and momentum in world.

    Attributes:
        time_ns: Time of the state, ns.
        com_position: (3,) m.
        com_velocity: (3,) m/s.
        angular_momentum: (3,) kg·m²/s about the centre of mass.
        net_force: (3,) N, sum of the contact forces.
        net_torque: (3,) N·m, moment of the contact forces about the centre of mass.
    """

    time_ns: int
    com_position: Array
    com_velocity: Array
    angular_momentum: Array
    net_force: Array
    net_torque: Array


@dataclass(frozen=True, slots=True)
class Estimate:
    """Everything the estimator hands on in one tick.

    Attributes:
        robot: State of base and joints.
        contact: State of the feet.
        healthy: False while the sensors cannot be trusted (not yet started, refused, silent); then damp.
        reason: Why not healthy, one sentence; empty when healthy.
    """

    robot: RobotState
    contact: ContactState
    healthy: bool
    reason: str
