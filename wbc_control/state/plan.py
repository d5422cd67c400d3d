"""What the planner asks of the whole-body controller: one sample, and the horizon it is resampled from."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.state.checks import Array, BoolArray, check_shape


@dataclass(frozen=True, slots=True)
class PlanSample:
    """Reference of the whole body at one instant; all in world, feet in the robot model's order.

    Attributes:
        time_ns: Time at which the sample is valid, ns.
        com_position: (3,) m.
        com_velocity: (3,) m/s.
        com_acceleration: (3,) m/s².
        base_rotation: (3, 3) wanted orientation of the task link (torso).
        base_angular_velocity: (3,) rad/s, world.
        foot_position: (n_feet, 3) m, sole origins.
        foot_rotation: (n_feet, 3, 3) sole frames.
        foot_velocity: (n_feet, 6) linear then angular, m/s and rad/s, world axes.
        foot_acceleration: (n_feet, 6) likewise, m/s² and rad/s².
        in_contact: (n_feet,) planned contact.
        contact_weight: (n_feet,) 0..1, the share of full load each foot may carry (ramps around lift and touch).
        normal_force: (n_feet,) N, planned normal force of each foot (0 in the air).
        zmp: (2,) planned zero-moment point on the support plane, m.
        known_finite: Whether its maker has made sure that every number is finite; others look for themselves.
    """

    time_ns: int
    com_position: Array
    com_velocity: Array
    com_acceleration: Array
    base_rotation: Array
    base_angular_velocity: Array
    foot_position: Array
    foot_rotation: Array
    foot_velocity: Array
    foot_acceleration: Array
    in_contact: BoolArray
    contact_weight: Array
    normal_force: Array
    zmp: Array
    known_finite: bool = False

    def __post_init__(self) -> None:
        feet = self.in_contact.shape[0]
        for name in ("com_position", "com_velocity", "com_acceleration", "base_angular_velocity"):
            check_shape(f"PlanSample.{name}", getattr(self, name), (3,))
        check_shape("PlanSample.base_rotation", self.base_rotation, (3, 3))
        check_shape("PlanSample.foot_position", self.foot_position, (feet, 3))
        check_shape("PlanSample.foot_rotation", self.foot_rotation, (feet, 3, 3))
        check_shape("PlanSample.foot_velocity", self.foot_velocity, (feet, 6))
        check_shape("PlanSample.foot_acceleration", self.foot_acceleration, (feet, 6))
        check_shape("PlanSample.contact_weight", self.contact_weight, (feet,))
        check_shape("PlanSample.normal_force", self.normal_force, (feet,))
        check_shape("PlanSample.zmp", self.zmp, (2,))


@dataclass(frozen=True, slots=True)
class Plan:
    """A horizon of samples, oldest first, made by one run of the planner.

    Attributes:
        time_ns: Time the plan was made for (its first sample), ns.
        samples: At least one sample, strictly increasing in time.
    """

    time_ns: int
    samples: tuple[PlanSample, ...]


@dataclass(frozen=True, slots=True)
class VelocityCommand:
    """What the user wants the base to do, in the base's heading frame.

    Attributes:
        time_ns: Time the command was received, ns.
        linear: (2,) forward and leftward speed, m/s.
        yaw_rate: rad/s, counter-clockwise.
    """

    time_ns: int
    linear: Array
    yaw_rate: float
