"""Parameters of the whole_body_qp node."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter, table


@dataclass(frozen=True)
class TaskParameters:
    """Weight and closed-loop dynamics of one task: kp = ω², kd = 2ζω."""

    weight: float = parameter(1.0, "weight in the cost", lower=0.0, upper=1e6, live=True)
    bandwidth: float = parameter(
        8.0, "natural frequency ω of the error dynamics", unit="rad/s", lower=0.0, upper=300.0, live=True
    )
    damping_ratio: float = parameter(
        1.0, "damping ratio ζ of the error dynamics", unit="1", lower=0.0, upper=5.0, live=True
    )
    priority: int = parameter(
        1, "level among strict priorities, 0 first; weights decide within a level", lower=0, upper=9, live=True
    )


@dataclass(frozen=True)
class FootContactParameters:
    """What is particular about one foot's contact."""

    normal: tuple[float, ...] = parameter(
        (0.0, 0.0, 1.0), "surface normal under a point foot, world", unit="1", live=True
    )
    released: tuple[str, ...] = parameter(
        (),
        "axes of the contact frame along which the foot may move: x, y, z, roll, pitch, yaw (sliding, insertion)",
        live=True,
    )
    edge: str = parameter(
        "none",
        "edge of the sole that touches alone, as on a step's rim",
        choices=("none", "front", "back", "left", "right"),
        live=True,
    )


@dataclass(frozen=True)
class ContactConstraintParameters:
    """How feet on the ground are modelled."""

    friction: float = parameter(0.7, "Coulomb coefficient of the ground", unit="1", lower=0.01, upper=3.0, live=True)
    friction_margin: float = parameter(
        0.15, "share of friction kept in reserve", unit="1", lower=0.0, upper=0.9, live=True
    )
    model: str = parameter(
        "auto",
        "soles as one wrench or as forces at the corners; auto takes the wrench up to 4 facets",
        choices=("auto", "wrench", "corners"),
    )
    facets: int = parameter(4, "sides of the linearised cone of each corner", lower=3, upper=32)
    cone: str = parameter(
        "inscribed",
        "inscribed never exceeds Coulomb; circumscribed overshoots by 1/cos(π/m); aligned turns 4 inscribed facets to the last force",
        choices=("inscribed", "circumscribed", "aligned"),
    )
    yaw_torque: float = parameter(
        0.0,
        "bound of the torsional friction per normal force; 0 leaves it to the corners' friction",
        unit="m",
        lower=0.0,
        upper=1.0,
        live=True,
    )
    normal_force_min: float = parameter(
        0.02, "least normal force on a foot in contact, share of weight", unit="1", lower=0.0, upper=0.5, live=True
    )
    normal_force_max: float = parameter(
        2.0, "largest normal force on a foot, share of weight", unit="1", lower=0.1, upper=20.0, live=True
    )
    stabilisation: float = parameter(
        20.0,
        "Baumgarte rate with which the velocity of a stance foot decays",
        unit="1/s",
        lower=0.0,
        upper=500.0,
        live=True,
    )
    ramp_weight: float = parameter(
        10000.0,
        "weight of a foot's motion while its contact comes or goes, at full contact weight",
        lower=1.0,
        upper=1e7,
        live=True,
    )
    feet: dict[str, FootContactParameters] = table(FootContactParameters)


@dataclass(frozen=True)
class MotorParameters:
    """Speed–torque line of one joint's motor, seen at the joint."""

    corner_speed: float = parameter(
        0.0, "speed up to which the full torque is there; 0 takes the common share", unit="rad/s", lower=0.0, live=True
    )
    no_load_speed: float = parameter(
        0.0, "speed at which no driving torque is left; 0 takes the common share", unit="rad/s", lower=0.0, live=True
    )


@dataclass(frozen=True)
class CollisionShapeParameters:
    """One capsule around a link; a sphere where both ends coincide."""

    link: str = parameter("", "link the capsule is fixed to")
    start: tuple[float, ...] = parameter((0.0, 0.0, 0.0), "one end of the axis in the link's frame", unit="m")
    end: tuple[float, ...] = parameter((0.0, 0.0, 0.0), "other end of the axis in the link's frame", unit="m")
    radius: float = parameter(0.05, "radius", unit="m", lower=0.001, upper=2.0)


@dataclass(frozen=True)
class SelfCollisionParameters:
    """Distance the robot keeps from itself."""

    source: str = parameter(
        "off",
        "shapes: the capsules below; urdf: the description's collision geometry",
        choices=("off", "shapes", "urdf"),
    )
    distance: float = parameter(0.02, "least distance between shapes", unit="m", lower=0.0, upper=1.0, live=True)
    rows: int = parameter(8, "pairs that can be braked at once", lower=1, upper=32)
    acceleration: float = parameter(
        20.0, "braking acceleration relied on", unit="m/s²", lower=0.1, upper=1000.0, live=True
    )
    excluded: tuple[str, ...] = parameter(
        (), "pairs that may touch, as 'NAME NAME'; shapes of neighbouring links always may"
    )
    shapes: dict[str, CollisionShapeParameters] = table(CollisionShapeParameters)


@dataclass(frozen=True)
class JointLimitParameters:
    """Which joint limits the QP keeps, and how."""

    soft: tuple[str, ...] = parameter(
        ("position", "normal_force", "self_collision"),
        "limits that may give way where not all can be kept: position (with velocity and acceleration), normal_force, "
        "self_collision, torque, torque_rate, motor; those not named are kept to the end",
        live=True,
    )
    violation_weight: float = parameter(
        1e5, "weight of a soft limit's violation, squared, SI units", lower=1.0, upper=1e9, live=True
    )
    torque_margin: float = parameter(
        0.0, "share of the torque limit kept in reserve", unit="1", lower=0.0, upper=0.9, live=True
    )
    torque_rate: float = parameter(
        20000.0, "largest change of a joint torque per second", unit="N·m/s", lower=1.0, upper=1e9, live=True
    )
    position_margin: float = parameter(
        0.02, "distance kept from position limits", unit="rad", lower=0.0, upper=0.5, live=True
    )
    acceleration: float = parameter(400.0, "largest joint acceleration", unit="rad/s²", lower=1.0, upper=1e6, live=True)
    braking: float = parameter(
        0.0,
        "acceleration relied on for braking before a position limit; legs on the ground, a closed chain, cannot brake as "
        "hard as a free joint: with 5 a humanoid stops at its limits without a tick that must be relaxed; 0 relies on acceleration",
        unit="rad/s²",
        lower=0.0,
        upper=1e6,
        live=True,
    )
    motor_corner: float = parameter(
        1.0,
        "share of the velocity limit up to which the full torque is there",
        unit="1",
        lower=0.0,
        upper=10.0,
        live=True,
    )
    motor_no_load: float = parameter(
        1.0,
        "share of the velocity limit at which no driving torque is left; up to motor_corner there is no such line",
        unit="1",
        lower=0.0,
        upper=10.0,
        live=True,
    )
    motors: dict[str, MotorParameters] = table(MotorParameters)
    self_collision: SelfCollisionParameters = group(SelfCollisionParameters)


@dataclass(frozen=True)
class SolverParameters:
    """The QP solver."""

    backend: str = parameter(
        "auto",
        "QP solver; auto takes daqp where it is installed, else proxqp",
        choices=("auto", "proxqp", "daqp", "piqp", "quadprog"),
    )
    tolerance: float = parameter(1e-6, "absolute residual at which the solver stops", lower=1e-12, upper=1e-2)
    max_iterations: int = parameter(200, "iterations before the problem counts as unsolved", lower=1, upper=100000)
    time_budget: float = parameter(
        0.002, "time after which a solver that can watch the clock gives up; 0 for none", unit="s", lower=0.0, upper=1.0
    )
    hold_time: float = parameter(
        0.05,
        "time the last good command is held, decaying, when the QP is not solved; then damping",
        unit="s",
        lower=0.0,
        upper=1.0,
        live=True,
    )


@dataclass(frozen=True)
class ControllerParameters:
    """All of whole_body_qp."""

    rate: float = parameter(1000.0, "ticks per second", unit="Hz", lower=50.0, upper=5000.0)
    plan_timeout: float = parameter(
        0.1, "age of a plan after which the last reference is held still", unit="s", lower=0.01, upper=5.0, live=True
    )
    priorities: str = parameter(
        "weighted", "tasks by weights, or by strict levels (field priority of each)", choices=("weighted", "strict")
    )
    com: TaskParameters = group(TaskParameters, weight=1000.0, bandwidth=8.0, priority=1)
    torso: TaskParameters = group(TaskParameters, weight=20.0, bandwidth=10.0, priority=3)
    posture: TaskParameters = group(TaskParameters, weight=0.2, bandwidth=8.0, priority=4)
    swing: TaskParameters = group(TaskParameters, weight=200.0, bandwidth=25.0, priority=2)
    torque_weight: float = parameter(
        0.0, "weight of small joint torques, each relative to its limit", lower=0.0, upper=1e6, live=True
    )
    centre_of_pressure_weight: float = parameter(
        0.0,
        "weight of a centre of pressure in the middle of each sole, per moment squared",
        lower=0.0,
        upper=1e4,
        live=True,
    )
    angular_momentum_weight: float = parameter(
        0.02, "weight of damping the centroidal angular momentum", lower=0.0, upper=1e4, live=True
    )
    angular_momentum_damping: float = parameter(
        4.0, "rate at which angular momentum decays", unit="1/s", lower=0.0, upper=100.0, live=True
    )
    force_weight: float = parameter(
        1e-5, "weight of the contact forces around their reference", lower=1e-9, upper=10.0, live=True
    )
    reference_leak: float = parameter(
        15.0,
        "rate at which the joint references for the PD loop leak towards the measurement",
        unit="1/s",
        lower=0.0,
        upper=1000.0,
        live=True,
    )
    acceleration_weight: float = parameter(
        1e-4, "regularisation of the joint accelerations", lower=1e-9, upper=10.0, live=True
    )
    contact: ContactConstraintParameters = group(ContactConstraintParameters)
    limits: JointLimitParameters = group(JointLimitParameters)
    solver: SolverParameters = group(SolverParameters)
