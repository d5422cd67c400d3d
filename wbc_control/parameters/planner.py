"""Parameters of the centroidal_planner node."""
from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter


@dataclass(frozen=True)
class StandingMotionParameters:
    """What the centre of mass does while the robot stands."""

    kind: str = parameter("stand", "motion of the CoM over the support", choices=("stand", "sway", "squat", "circle"), live=True)
    amplitude: float = parameter(0.03, "half the stroke of the motion", unit="m", lower=0.0, upper=0.3, live=True)
    frequency: float = parameter(0.25, "cycles per second", unit="Hz", lower=0.0, upper=2.0, live=True)
    heading: float = parameter(1.5707963, "direction of the sway in the base's heading frame", unit="rad", live=True)


@dataclass(frozen=True)
class PlannerParameters:
    """All of centroidal_planner."""

    rate: float = parameter(100.0, "plans per second", unit="Hz", lower=10.0, upper=500.0)
    horizon: float = parameter(0.2, "length of the plan handed to the whole-body controller", unit="s", lower=0.02, upper=2.0)
    start_duration: float = parameter(
        1.5, "time to move from any start posture to the standing CoM", unit="s", lower=0.1, upper=20.0, live=True
    )
    blend_time: float = parameter(1.0, "time in which a live change of a reference is made", unit="s", lower=0.05, upper=20.0)
    com_height: float = parameter(
        0.0, "standing CoM height above the soles; 0 takes the standing posture's", unit="m", lower=0.0, upper=3.0, live=True
    )
    zmp_inset: float = parameter(
        0.01, "distance the planned ZMP keeps from the edge of the support polygon", unit="m", lower=0.0, upper=0.1, live=True
    )
    command_timeout: float = parameter(0.5, "age after which cmd_vel counts as zero", unit="s", lower=0.05, upper=10.0, live=True)
    motion: StandingMotionParameters = group(StandingMotionParameters)
