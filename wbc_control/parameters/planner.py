"""Parameters of the centroidal_planner node."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from wbc_control.errors import ParameterError
from wbc_control.parameters.declaration import group, parameter


@dataclass(frozen=True)
class StandingMotionParameters:
    """What the centre of mass does while the robot stands."""

    kind: str = parameter("stand", "motion of the CoM over the support", choices=("stand", "sway", "squat", "circle"), live=True)
    amplitude: float = parameter(0.03, "half the stroke of the motion", unit="m", lower=0.0, upper=0.3, live=True)
    frequency: float = parameter(0.25, "cycles per second", unit="Hz", lower=0.0, upper=2.0, live=True)
    heading: float = parameter(1.5707963, "direction of the sway in the base's heading frame", unit="rad", live=True)


@dataclass(frozen=True)
class VelocityLimitParameters:
    """What cmd_vel may ask for; more is clipped and said once."""

    forward: float = parameter(1.0, "fastest forward speed", unit="m/s", lower=0.0, upper=5.0, live=True)
    backward: float = parameter(0.5, "fastest backward speed", unit="m/s", lower=0.0, upper=5.0, live=True)
    lateral: float = parameter(0.3, "fastest sideways speed", unit="m/s", lower=0.0, upper=5.0, live=True)
    yaw_rate: float = parameter(1.0, "fastest turn", unit="rad/s", lower=0.0, upper=5.0, live=True)
    acceleration: float = parameter(0.5, "fastest change of the commanded speed", unit="m/s²", lower=0.01, upper=20.0, live=True)
    yaw_acceleration: float = parameter(1.0, "fastest change of the commanded turn", unit="rad/s²", lower=0.01, upper=20.0, live=True)


@dataclass(frozen=True)
class GaitParameters:
    """Which gait, and when each foot swings."""

    name: str = parameter(
        "walk",
        "gait used when a velocity is commanded; stand never steps unless pushed",
        choices=("stand", "walk", "run_in_place", "trot", "pace", "bound", "crawl"),
        live=True,
    )
    period: float = parameter(0.0, "duration of a cycle; 0 takes the gait's own, scaled to the robot's size", unit="s", lower=0.0, upper=10.0, live=True)
    duty: float = parameter(0.0, "share of the cycle a foot stands; 0 takes the gait's own", unit="1", lower=0.0, upper=0.95, live=True)
    overlap: float = parameter(
        0.03, "least time between a touch-down and the next lift, in which the load changes feet", unit="s", lower=0.01, upper=1.0, live=True
    )
    start_time: float = parameter(0.6, "time from a velocity command to the first lift", unit="s", lower=0.05, upper=5.0, live=True)
    march: bool = parameter(False, "whether to keep stepping while the commanded velocity is 0", live=True)


@dataclass(frozen=True)
class StepParameters:
    """Footsteps and swing feet."""

    height: float = parameter(0.06, "height of a swing foot over the straight line of its step", unit="m", lower=0.005, upper=0.5, live=True)
    touchdown_speed: float = parameter(0.05, "speed at which a foot meets the expected ground", unit="m/s", lower=0.0, upper=1.0, live=True)
    reach_forward: float = parameter(
        0.75, "largest distance of a footstep ahead of or behind its standing place, share of the CoM height", unit="1", lower=0.05, upper=2.0, live=True
    )
    reach_lateral: float = parameter(
        0.35, "largest sideways distance of a footstep from its standing place, share of the CoM height", unit="1", lower=0.02, upper=2.0, live=True
    )
    separation: float = parameter(
        0.6, "least sideways distance of a left and a right footstep, share of the standing distance", unit="1", lower=0.0, upper=1.0, live=True
    )
    timing_range: float = parameter(
        0.35, "share by which a step may be shortened or lengthened to keep balance", unit="1", lower=0.0, upper=0.8, live=True
    )
    acceleration: float = parameter(
        60.0, "largest acceleration along the way of a swing foot for which a step is shortened in time", unit="m/s²", lower=1.0, upper=1000.0, live=True
    )
    early_share: float = parameter(
        0.5, "share of the swing after which a felt contact counts as an early touch-down", unit="1", lower=0.1, upper=1.0, live=True
    )
    late_time: float = parameter(
        0.2, "time a foot goes on searching for ground that does not come; then it is taken as a hole and the robot stops", unit="s", lower=0.0, upper=2.0, live=True
    )
    search_speed: float = parameter(0.5, "speed of a foot that searches for the ground", unit="m/s", lower=0.0, upper=1.0, live=True)


@dataclass(frozen=True)
class GroundParameters:
    """Ground that is known beforehand; taken over when stepping begins."""

    profile: tuple[float, ...] = parameter(
        (),
        "known ground: distance and height in turn along the heading from the origin of odometry, a distance twice for a riser; empty feels the ground",
        unit="m",
        live=True,
    )
    heading: float = parameter(0.0, "direction of the profile in the odometry frame", unit="rad", live=True)
    edge_margin: float = parameter(
        0.03, "least distance of a sole from the edges of known ground", unit="m", lower=0.0, upper=0.5, live=True
    )

    def __post_init__(self) -> None:
        """ParameterError where the profile is not pairs with distances that never fall."""
        distances = self.profile[::2]
        if len(self.profile) % 2 or any(b < a for a, b in pairwise(distances)):
            message = "must be pairs of distance and height with distances that never fall"
            raise ParameterError(message, where="ground.profile", value=self.profile)


@dataclass(frozen=True)
class BalanceParameters:
    """Feedback from the measured divergent component of motion (DCM)."""

    dcm_gain: float = parameter(
        2.5, "ZMP displacement per metre of DCM error; above 1 for stability", unit="1", lower=1.05, upper=10.0, live=True
    )
    measurement_share: float = parameter(
        0.5, "share of the difference to the measured CoM state taken over in each plan while stepping", unit="1", lower=0.0, upper=1.0, live=True
    )
    ankle_share: float = parameter(
        0.5, "share of the sole that footstep adaptation counts on for correcting by the ZMP", unit="1", lower=0.0, upper=1.0, live=True
    )
    hip_reach: float = parameter(
        0.0, "distance beyond the support polygon the force may be aimed at by turning the torso, once the DCM is outside", unit="m", lower=0.0, upper=0.3, live=True
    )
    hip_lean: float = parameter(
        0.7, "lean up to which the torso yields while the DCM is at the edge of the support polygon; 0 never yields", unit="rad", lower=0.0, upper=1.0, live=True
    )
    leave_margin: float = parameter(
        0.035, "distance of the measured from the planned DCM beyond which standing follows the measured state", unit="m", lower=0.001, upper=1.0, live=True
    )
    step_margin: float = parameter(
        0.03, "margin of the DCM inside the support polygon under which the robot steps to catch itself", unit="m", lower=-0.3, upper=0.3, live=True
    )
    speed_gain: float = parameter(
        1.0, "share of the lack of mean speed by which footsteps are corrected", unit="1", lower=0.0, upper=3.0, live=True
    )
    catch_period: float = parameter(
        0.65, "duration of the cycle while the robot catches itself, share of the gait's period", unit="1", lower=0.3, upper=1.0, live=True
    )
    stepping: bool = parameter(True, "whether the robot may step to catch itself from standing; else it holds the standing reference", live=True)


@dataclass(frozen=True)
class PlannerParameters:
    """All of centroidal_planner."""

    method: str = parameter(
        "dcm", "CoM while stepping: dcm (pendulum feedback, cheap) or mpc (centroidal forces over 1 s)", choices=("dcm", "mpc"), live=True
    )
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
    velocity: VelocityLimitParameters = group(VelocityLimitParameters)
    gait: GaitParameters = group(GaitParameters)
    step: StepParameters = group(StepParameters)
    ground: GroundParameters = group(GroundParameters)
    balance: BalanceParameters = group(BalanceParameters)
