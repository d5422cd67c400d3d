"""What a robot's foot sensors need, found from a log in which it stands and then has each foot lifted in turn.

Offline: the log is a list of samples, the result parameters for the robot's file.  In the air the ground's wrench is
zero, so what is left after the foot's own weight is bias; standing, the feet carry the weight, so the sum tells
the sign; the spread of both tells how near to zero the thresholds may lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from wbc_control.errors import DomainError
from wbc_control.estimation.leg_kinematics import LegKinematics
from wbc_control.model import RobotModel
from wbc_control.spatial import GRAVITY_M_S2, Array
from wbc_control.state import SensorSample

_FEWEST = 50
_SPREADS = 6.0
_NODE, _KEY = "contact_estimator", "ros__parameters"


@dataclass(frozen=True)
class FootCalibration:
    """Result for one foot.

    Attributes:
        name: Foot.
        sign: +1 where the sensor reads what the ground does to the foot, −1 where the reaction.
        bias: (6,) force, N, and torque, N·m, the sensor adds, after the sign.
        noise: Standard deviation of the normal force in the air, N.
        touch_share: Touchdown threshold, share of weight.
        lift_share: Lift-off threshold, share of weight.
    """

    name: str
    sign: float
    bias: Array
    noise: float
    touch_share: float
    lift_share: float


def calibrate(
    model: RobotModel, standing: Sequence[SensorSample], lifted: Mapping[str, Sequence[SensorSample]]
) -> list[FootCalibration]:
    """Sign, bias and thresholds of every foot.

    Args:
        model: Robot.
        standing: Samples at rest on all feet.
        lifted: Foot name → samples with that foot held still in the air.

    Raises:
        DomainError: Too few samples, a foot without log, or sensors that do not carry the robot whatever the sign.
    """
    _check_lengths(model, standing, lifted)
    legs = LegKinematics(model)
    signs = _signs(model, legs, standing, lifted)
    return [_calibrate_foot(model, legs, k, signs[k], lifted[name]) for k, name in enumerate(model.foot_names)]


def as_parameters(found: Sequence[FootCalibration]) -> dict[str, object]:
    """Dotted parameter name → value, as the parameter declarations spell them."""
    values: dict[str, object] = {}
    for foot in found:
        prefix = f"sensors.feet.{foot.name}"
        values[f"{prefix}.bias"] = [round(float(x), 4) for x in foot.bias]
        values[f"{prefix}.sign"] = foot.sign
        values[f"{prefix}.touch_force"] = round(foot.touch_share, 5)
        values[f"{prefix}.lift_force"] = round(foot.lift_share, 5)
    values["sensors.wrench_noise"] = round(max(foot.noise for foot in found), 3)
    return values


def write_parameters(path: Path, found: Sequence[FootCalibration]) -> None:
    """Write a ROS parameter file with the result, to be given beside the robot's own."""
    document = {_NODE: {_KEY: as_parameters(found)}}
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")


def _check_lengths(
    model: RobotModel, standing: Sequence[SensorSample], lifted: Mapping[str, Sequence[SensorSample]]
) -> None:
    for name, log in (("standing", standing), *((foot, lifted.get(foot, ())) for foot in model.foot_names)):
        if len(log) < _FEWEST:
            message = f"has {len(log)} samples, wanted at least {_FEWEST}: record it longer, robot at rest"
            raise DomainError(message, where=f"calibration log '{name}'", value=len(log), bound=_FEWEST)


def _to_base(model: RobotModel) -> Array:
    """(3, 3) IMU frame → base frame."""
    return np.array(model.imu_placement.rotation)


def _loads(model: RobotModel, legs: LegKinematics, sample: SensorSample) -> Array:
    """(N, 6) what each foot's own weight needs at rest, sole frames, from the measured direction of gravity."""
    force = _to_base(model).dot(sample.imu.linear_acceleration)
    still = np.zeros_like(sample.joints.position)
    legs.update(sample.joints.position, still, still, 1.0, (0.0, 0.0, 0.0), [*force.tolist(), 0.0, 0.0, 0.0])
    return legs.foot_load()


def _up(model: RobotModel, log: Sequence[SensorSample]) -> Array:
    mean = _to_base(model).dot(np.mean([sample.imu.linear_acceleration for sample in log], axis=0))
    size = float(np.linalg.norm(mean))
    if abs(size - GRAVITY_M_S2) > 0.2 * GRAVITY_M_S2:
        raise DomainError(
            f"accelerometer reads {size:.2f} m/s² at rest", where="calibration log", value=size, bound=GRAVITY_M_S2
        )
    return mean / size


def _signs(
    model: RobotModel,
    legs: LegKinematics,
    standing: Sequence[SensorSample],
    lifted: Mapping[str, Sequence[SensorSample]],
) -> list[float]:
    """Sign of each foot from the change of its vertical reading between standing and hanging, free of bias."""
    up = _up(model, standing)
    carried, total = [], 0.0
    for k, name in enumerate(model.foot_names):
        change = _mean(standing, k) - _mean(lifted[name], k)
        legs.place(np.mean([sample.joints.position for sample in standing], axis=0))
        carried.append(float((up @ legs.foot_rotation[k]) @ change[:3]))
        total += abs(carried[-1])
    if abs(total / model.weight - 1.0) > 0.3:
        found = f"feet carry {total:.0f} N between standing and lifted, weight is {model.weight:.0f} N"
        message = f"{found}: scale of a sensor or mass of the model"
        raise DomainError(message, where="calibration", value=total, bound=model.weight)
    return [1.0 if force > 0.0 else -1.0 for force in carried]


def _mean(log: Sequence[SensorSample], foot: int) -> Array:
    return np.asarray(np.mean([sample.foot_wrenches[foot] for sample in log], axis=0))


def _calibrate_foot(
    model: RobotModel, legs: LegKinematics, k: int, sign: float, air: Sequence[SensorSample]
) -> FootCalibration:
    """In the air the sensor should read minus the foot's load; the rest is bias, and its spread the noise."""
    rests = np.array([sign * sample.foot_wrenches[k] + _loads(model, legs, sample)[k] for sample in air])
    noise = float(rests[:, 2].std())
    lift = max(_SPREADS * noise / model.weight, 0.02)
    return FootCalibration(model.foot_names[k], sign, rests.mean(axis=0), noise, 2.25 * lift, lift)
