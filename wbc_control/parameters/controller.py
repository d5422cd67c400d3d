"""Parameters of the whole_body_qp node."""
from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter


@dataclass(frozen=True)
class TaskParameters:
    """Weight and closed-loop dynamics of one task: kp = ω², kd = 2ζω."""

    weight: float = parameter(1.0, "weight in the cost", lower=0.0, upper=1e6, live=True)
    bandwidth: float = parameter(8.0, "natural frequency ω of the error dynamics", unit="rad/s", lower=0.0, upper=300.0, live=True)
    damping_ratio: float = parameter(1.0, "damping ratio ζ of the error dynamics", unit="1", lower=0.0, upper=5.0, live=True)


@dataclass(frozen=True)
class ContactConstraintParameters:
    """How feet on the ground are modelled."""

    friction: float = parameter(0.7, "Coulomb coefficient of the ground", unit="1", lower=0.01, upper=3.0, live=True)
    friction_margin: float = parameter(
        0.15, "share of friction kept in reserve", unit="1", lower=0.0, upper=0.9, live=True
    )
    facets: int = parameter(4, "sides of the linearised cone of each corner", lower=3, upper=32)
    cone: str = parameter("inscribed", "inscribed never exceeds Coulomb; circumscribed overshoots by 1/cos(π/m)", choices=("inscribed", "circumscribed"))
    normal_force_min: float = parameter(
        0.02, "least normal force on a foot in contact, share of weight", unit="1", lower=0.0, upper=0.5, live=True
    )
    normal_force_max: float = parameter(
        2.0, "largest normal force on a foot, share of weight", unit="1", lower=0.1, upper=20.0, live=True
    )
    stabilisation: float = parameter(
        20.0, "Baumgarte rate with which the velocity of a stance foot decays", unit="1/s", lower=0.0, upper=500.0, live=True
    )


@dataclass(frozen=True)
class JointLimitParameters:
    """Which joint limits the QP keeps, and how."""

    torque_margin: float = parameter(0.0, "share of the torque limit kept in reserve", unit="1", lower=0.0, upper=0.9, live=True)
    torque_rate: float = parameter(
        20000.0, "largest change of a joint torque per second", unit="N·m/s", lower=1.0, upper=1e9, live=True
    )
    position_margin: float = parameter(0.02, "distance kept from position limits", unit="rad", lower=0.0, upper=0.5, live=True)
    acceleration: float = parameter(400.0, "largest joint acceleration", unit="rad/s²", lower=1.0, upper=1e6, live=True)


@dataclass(frozen=True)
class SolverParameters:
    """The QP solver."""

    backend: str = parameter(
        "auto", "QP solver; auto takes daqp where it is installed, else proxqp", choices=("auto", "proxqp", "daqp", "piqp", "quadprog")
    )
    tolerance: float = parameter(1e-6, "absolute residual at which the solver stops", lower=1e-12, upper=1e-2)
    max_iterations: int = parameter(200, "iterations before the problem counts as unsolved", lower=1, upper=100000)
    time_budget: float = parameter(
        0.002, "time after which a solver that can watch the clock gives up; 0 for none", unit="s", lower=0.0, upper=1.0
    )
    hold_time: float = parameter(
        0.05, "time the last good command is held, decaying, when the QP is not solved; then damping", unit="s", lower=0.0, upper=1.0, live=True
    )


@dataclass(frozen=True)
class ControllerParameters:
    """All of whole_body_qp."""

    rate: float = parameter(1000.0, "ticks per second", unit="Hz", lower=50.0, upper=5000.0)
    plan_timeout: float = parameter(0.1, "age of a plan after which the last reference is held still", unit="s", lower=0.01, upper=5.0, live=True)
    com: TaskParameters = group(TaskParameters, weight=100.0, bandwidth=8.0)
    torso: TaskParameters = group(TaskParameters, weight=20.0, bandwidth=10.0)
    posture: TaskParameters = group(TaskParameters, weight=0.2, bandwidth=8.0)
    swing: TaskParameters = group(TaskParameters, weight=200.0, bandwidth=25.0)
    angular_momentum_weight: float = parameter(0.02, "weight of damping the centroidal angular momentum", lower=0.0, upper=1e4, live=True)
    angular_momentum_damping: float = parameter(4.0, "rate at which angular momentum decays", unit="1/s", lower=0.0, upper=100.0, live=True)
    force_weight: float = parameter(1e-5, "weight of the contact forces around their reference", lower=1e-9, upper=10.0, live=True)
    reference_leak: float = parameter(
        15.0, "rate at which the joint references for the PD loop leak towards the measurement", unit="1/s", lower=0.0, upper=1000.0, live=True
    )
    acceleration_weight: float = parameter(1e-4, "regularisation of the joint accelerations", lower=1e-9, upper=10.0, live=True)
    contact: ContactConstraintParameters = group(ContactConstraintParameters)
    limits: JointLimitParameters = group(JointLimitParameters)
    solver: SolverParameters = group(SolverParameters)
