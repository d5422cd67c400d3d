"""Parameters of the contact_estimator node."""
from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter


@dataclass(frozen=True)
class ContactDetectionParameters:
    """Lift and touch thresholds, as shares of the robot's weight so that they fit any robot."""

    touch_force: float = parameter(
        0.08, "normal force that means touchdown, share of weight", unit="1", lower=0.0, upper=1.0, live=True
    )
    lift_force: float = parameter(
        0.03, "normal force that means lift-off, share of weight; must stay below touch_force", unit="1", lower=0.0, upper=1.0, live=True
    )
    touch_dwell: float = parameter(
        0.003, "time above touch_force before contact is declared", unit="s", lower=0.0, upper=0.5, live=True
    )
    lift_dwell: float = parameter(
        0.008, "time below lift_force before lift-off is declared", unit="s", lower=0.0, upper=0.5, live=True
    )
    wrench_timeout: float = parameter(
        0.05, "age after which a silent foot sensor no longer counts", unit="s", lower=0.001, upper=5.0, live=True
    )


@dataclass(frozen=True)
class SensorParameters:
    """How to read this robot's sensors."""

    wrench_sign: float = parameter(
        1.0, "+1 where the wrench is what the ground does to the foot, −1 where it is the reaction", lower=-1.0, upper=1.0
    )
    timeout: float = parameter(
        0.05, "age of the joint state after which the state is not trusted", unit="s", lower=0.002, upper=5.0, live=True
    )
    max_rejected: int = parameter(
        50, "non-finite or malformed samples in a row before the estimator gives up", lower=1, upper=10000, live=True
    )


@dataclass(frozen=True)
class BaseEstimationParameters:
    """Floating-base state from IMU and stance feet."""

    velocity_cutoff: float = parameter(
        30.0, "crossover between stance kinematics (below) and integrated accelerometer (above)", unit="Hz", lower=0.1, upper=500.0, live=True
    )
    position_cutoff: float = parameter(
        5.0, "crossover between anchored stance feet (below) and integrated velocity (above)", unit="Hz", lower=0.01, upper=100.0, live=True
    )


@dataclass(frozen=True)
class EstimatorParameters:
    """All of contact_estimator."""

    rate: float = parameter(1000.0, "ticks per second", unit="Hz", lower=50.0, upper=5000.0)
    contact: ContactDetectionParameters = group(ContactDetectionParameters)
    sensors: SensorParameters = group(SensorParameters)
    base: BaseEstimationParameters = group(BaseEstimationParameters)
