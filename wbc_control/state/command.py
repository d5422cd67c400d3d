"""What goes towards the motors."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.state.checks import Array, check_shape


@dataclass(frozen=True, slots=True)
class JointCommand:
    """Reference of every joint for the PD bridge, in the robot model's joint order.

    Attributes:
        time_ns: Time of the state the command was computed from, ns.
        position: (n,) rad or m.
        velocity: (n,) rad/s or m/s.
        effort: (n,) feed-forward effort, N·m or N.
    """

    time_ns: int
    position: Array
    velocity: Array
    effort: Array

    def __post_init__(self) -> None:
        shape = self.position.shape
        check_shape("JointCommand.velocity", self.velocity, shape)
        check_shape("JointCommand.effort", self.effort, shape)
