"""Parameters of the contact_estimator node."""

from __future__ import annotations

from dataclasses import dataclass

from wbc_control.parameters.declaration import group, parameter, table
from wbc_control.parameters.soles import SoleParameters


@dataclass(frozen=True)
class ContactDetectionParameters:
    """Lift and touch thresholds, as shares of the robot's weight so that they fit any robot."""

    touch_force: float = parameter(
        0.045, "normal force that means touchdown, share of weight", unit="1", lower=0.0, upper=1.0, live=True
    )
    lift_force: float = parameter(
        0.02,
        "normal force that means lift-off, share of weight; must stay below touch_force",
        unit="1",
        lower=0.0,
        upper=1.0,
        live=True,
    )
    touch_dwell: float = parameter(
        0.003, "time above touch_force before contact is declared", unit="s", lower=0.0, upper=0.5, live=True
    )
    lift_dwell: float = parameter(
        0.005, "time below lift_force before lift-off is declared", unit="s", lower=0.0, upper=0.5, live=True
    )
    bounce_time: float = parameter(
        0.03,
        "time after a touchdown or lift-off in which the opposite is taken for a bounce unless it lasts",
        unit="s",
        lower=0.0,
        upper=0.5,
        live=True,
    )
    bounce_dwell: float = parameter(
        0.02, "how long the opposite must last within bounce_time", unit="s", lower=0.0, upper=0.5, live=True
    )
    wrench_timeout: float = parameter(
        0.05, "age after which a silent foot sensor no longer counts", unit="s", lower=0.001, upper=5.0, live=True
    )
    plan_weight: float = parameter(
        1.0,
        "log-odds the planned schedule adds as prior; three times as much where no force is known",
        unit="1",
        lower=0.0,
        upper=10.0,
        live=True,
    )
    kinematic_weight: float = parameter(
        3.5, "largest log-odds that height and speed of the sole add", unit="1", lower=0.0, upper=10.0, live=True
    )
    impact_acceleration: float = parameter(
        15.0,
        "jump of the accelerometer within a tick that counts as an impact",
        unit="m/s²",
        lower=0.1,
        upper=1000.0,
        live=True,
    )
    slip_speed: float = parameter(
        0.08,
        "speed of the loaded sole over the ground that counts as sliding",
        unit="m/s",
        lower=0.005,
        upper=2.0,
        live=True,
    )
    slip_dwell: float = parameter(
        0.006, "time above slip_speed before sliding is declared", unit="s", lower=0.0, upper=0.5, live=True
    )
    airborne_timeout: float = parameter(
        0.5,
        "time without any foot on the ground after which the state is not trusted (robot lifted)",
        unit="s",
        lower=0.05,
        upper=10.0,
        live=True,
    )
    cop_hold: float = parameter(
        0.02,
        "time an undefined centre of pressure keeps its last valid value",
        unit="s",
        lower=0.0,
        upper=1.0,
        live=True,
    )


@dataclass(frozen=True)
class FootSensorParameters:
    """What calibration found out about one foot's wrench sensor."""

    bias: tuple[float, ...] = parameter(
        (),
        "force then torque the sensor reads with the foot in the air, foot weight removed; six numbers, N and N·m",
        unit="N",
    )
    sign: float = parameter(
        0.0, "+1 ground on foot, −1 the reaction; 0 takes sensors.wrench_sign", lower=-1.0, upper=1.0
    )
    touch_force: float = parameter(
        0.0,
        "touchdown threshold of this foot, share of weight; 0 takes contact.touch_force",
        unit="1",
        lower=0.0,
        upper=1.0,
    )
    lift_force: float = parameter(
        0.0,
        "lift-off threshold of this foot, share of weight; 0 takes contact.lift_force",
        unit="1",
        lower=0.0,
        upper=1.0,
    )


@dataclass(frozen=True)
class SensorParameters:
    """How to read this robot's sensors."""

    wrench_sign: float = parameter(
        1.0,
        "+1 where the wrench is what the ground does to the foot, −1 where it is the reaction",
        lower=-1.0,
        upper=1.0,
    )
    wrench_noise: float = parameter(
        2.0, "standard deviation of a foot's force", unit="N", lower=0.01, upper=1000.0, live=True
    )
    wrench_axes: str = parameter(
        "six",
        "what the foot sensor measures: the whole wrench, only the normal force (sole z), or nothing",
        choices=("six", "normal", "none"),
    )
    foot_inertia: bool = parameter(
        True, "whether the foot's own weight and inertia hang below the sensor and are removed"
    )
    joint_effort: bool = parameter(
        True, "whether the joints' measured efforts are used (they also fall away where all are zero)"
    )
    torque_noise: float = parameter(
        0.5,
        "standard deviation of a measured joint torque, unmodelled friction included",
        unit="N·m",
        lower=0.001,
        upper=100.0,
        live=True,
    )
    timeout: float = parameter(
        0.05, "age of the joint state after which the state is not trusted", unit="s", lower=0.002, upper=5.0, live=True
    )
    imu_timeout: float = parameter(
        0.05, "age of the IMU reading after which the state is not trusted", unit="s", lower=0.002, upper=5.0, live=True
    )
    max_rejected: int = parameter(
        50, "non-finite or malformed samples in a row before the estimator gives up", lower=1, upper=10000, live=True
    )
    recovery: float = parameter(
        0.05,
        "time of good samples after which a silent sensor is trusted again",
        unit="s",
        lower=0.0,
        upper=10.0,
        live=True,
    )
    joint_velocity_cutoff: float = parameter(
        100.0, "cut-off of the first-order filter on joint velocities", unit="Hz", lower=1.0, upper=1000.0, live=True
    )
    feet: dict[str, FootSensorParameters] = table(FootSensorParameters)


@dataclass(frozen=True)
class BaseEstimationParameters:
    """Floating-base state: invariant Kalman filter on IMU and stance feet."""

    orientation: str = parameter(
        "auto",
        "auto fuses the IMU's own orientation where it has one; own always computes it here",
        choices=("auto", "own"),
    )
    orientation_noise: float = parameter(
        0.01, "standard deviation of the IMU's own orientation", unit="rad", lower=1e-5, upper=1.0, live=True
    )
    orientation_correlation: float = parameter(
        0.02,
        "time over which errors of the IMU's own orientation stay alike",
        unit="s",
        lower=0.001,
        upper=60.0,
        live=True,
    )
    gyro_noise: float = parameter(3e-4, "noise density of the gyro", unit="rad/s/√Hz", lower=1e-7, upper=1.0, live=True)
    accelerometer_noise: float = parameter(
        5e-3, "noise density of the accelerometer", unit="m/s²/√Hz", lower=1e-6, upper=10.0, live=True
    )
    gyro_bias_walk: float = parameter(
        1e-5, "random walk of the gyro's bias", unit="rad/s²/√Hz", lower=0.0, upper=1.0, live=True
    )
    accelerometer_bias_walk: float = parameter(
        1e-4, "random walk of the accelerometer's bias", unit="m/s³/√Hz", lower=0.0, upper=1.0, live=True
    )
    gyro_bias_start: float = parameter(
        0.01, "standard deviation of the gyro's bias at the start", unit="rad/s", lower=1e-6, upper=1.0
    )
    accelerometer_bias_start: float = parameter(
        0.1, "standard deviation of the accelerometer's bias at the start", unit="m/s²", lower=1e-6, upper=10.0
    )
    foot_position_noise: float = parameter(
        1e-3,
        "standard deviation of a stance foot's position from the encoders",
        unit="m",
        lower=1e-6,
        upper=1.0,
        live=True,
    )
    foot_velocity_noise: float = parameter(
        0.02,
        "standard deviation of a stance foot's velocity from the encoders",
        unit="m/s",
        lower=1e-5,
        upper=10.0,
        live=True,
    )
    foot_drift: float = parameter(
        2e-4,
        "random walk of a firmly loaded stance foot (creep, compliance)",
        unit="m/√s",
        lower=0.0,
        upper=1.0,
        live=True,
    )
    slip_gate: float = parameter(
        4.0,
        "standard deviations beyond which a stance foot counts less as reference",
        unit="1",
        lower=1.0,
        upper=100.0,
        live=True,
    )


@dataclass(frozen=True)
class ObserverParameters:
    """Foot force from joint torques, and pushes on the base."""

    bandwidth: float = parameter(
        40.0, "bandwidth of the momentum observer behind the foot force", unit="Hz", lower=1.0, upper=500.0, live=True
    )
    push_bandwidth: float = parameter(
        10.0, "bandwidth of the external wrench on the base", unit="Hz", lower=0.1, upper=200.0, live=True
    )


@dataclass(frozen=True)
class StartParameters:
    """Sanity of the sensors at rest, before the robot may move."""

    check: bool = parameter(True, "whether contradicting sensors refuse the start")
    window: float = parameter(
        0.3, "time at rest over which weight and load are averaged", unit="s", lower=0.01, upper=10.0
    )
    gravity_tolerance: float = parameter(
        0.26, "angle between measured and expected gravity that is refused", unit="rad", lower=0.02, upper=3.0
    )
    weight_tolerance: float = parameter(
        0.3,
        "deviation of the summed foot force from weight that is refused, share of weight",
        unit="1",
        lower=0.02,
        upper=1.0,
    )
    load_tolerance: float = parameter(
        0.08,
        "distance between measured centre of pressure and centre of mass above ground that is refused",
        unit="m",
        lower=0.005,
        upper=1.0,
    )


@dataclass(frozen=True)
class EstimatorParameters:
    """All of contact_estimator."""

    rate: float = parameter(1000.0, "ticks per second", unit="Hz", lower=50.0, upper=5000.0)
    contact: ContactDetectionParameters = group(ContactDetectionParameters)
    sensors: SensorParameters = group(SensorParameters)
    base: BaseEstimationParameters = group(BaseEstimationParameters)
    observer: ObserverParameters = group(ObserverParameters)
    soles: SoleParameters = group(SoleParameters)
    start: StartParameters = group(StartParameters)
