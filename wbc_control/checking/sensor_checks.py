"""IMU and soles as frames, and what the parameters say of the foot sensors."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.checking.finding import Finding, error, fine, some, warning
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters
from wbc_control.spatial import log_so3

_ALIGNED_RAD = 0.01
_FAR_M = 1.0


def frame_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """Where the IMU sits on the base."""
    if not model.floating_base:
        return []
    lever = np.array(model.imu_placement.translation)
    turn = float(np.linalg.norm(log_so3(np.array(model.imu_placement.rotation))))
    name = model.pinocchio.frames[model.imu_frame_id].name
    place = f"IMU '{name}' sits at [{', '.join(f'{x:.3f}' for x in lever)}] m on '{model.base_link}'"
    findings = []
    if not parameters.robot.imu_link:
        findings.append(warning("frames", "robot.imu_link is not set: the IMU is taken to sit at the base's origin"))
    if np.linalg.norm(lever) > _FAR_M:
        findings.append(error("frames", f"{place}: more than {_FAR_M:g} m away, unit not metres?"))
    mounted = "axes like the base" if turn < _ALIGNED_RAD else f"turned by {math.degrees(turn):.0f}° against the base"
    return [*findings, fine("frames", f"{place}, {mounted}")]


def sensor_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """Per-foot rows that belong to a foot, in full, with thresholds above the noise."""
    sensors, contact = parameters.estimator.sensors, parameters.estimator.contact
    foreign = [name for name in sensors.feet if name not in model.foot_names]
    findings = []
    if foreign:
        known = ", ".join(model.foot_names)
        findings.append(error("sensors", f"sensors.feet names {some(foreign)}, but the feet are {known}"))
    for name, row in sensors.feet.items():
        if row.bias and len(row.bias) != 6:
            findings.append(error("sensors", f"sensors.feet.{name}.bias has {len(row.bias)} numbers, wanted 6"))
        if row.sign not in (-1.0, 0.0, 1.0):
            findings.append(error("sensors", f"sensors.feet.{name}.sign is {row.sign:g}, wanted +1, −1 or 0"))
        lift, touch = row.lift_force or contact.lift_force, row.touch_force or contact.touch_force
        if lift >= touch:
            findings.append(
                error("sensors", f"sensors.feet.{name}: lift_force {lift:g} is not below touch_force {touch:g}")
            )
    if model.feet and sensors.wrench_axes != "none" and contact.lift_force * model.weight < 3.0 * sensors.wrench_noise:
        found = f"lift-off force {contact.lift_force * model.weight:.1f} N is below three times the noise of {sensors.wrench_noise:g} N"
        findings.append(
            warning("sensors", f"{found}: the noise decides; run wbc calibrate, or set sensors.wrench_noise")
        )
    if model.feet and sensors.wrench_axes != "none" and not sensors.feet:
        findings.append(warning("sensors", "foot sensors are not calibrated (no sensors.feet): run wbc calibrate"))
    return findings or [fine("sensors", "foot sensors are calibrated")]
