"""Soles in the standing posture: level, at one height, flat, convex, and like their mirror images."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin

from wbc_control.checking.finding import Finding, error, fine, some, warning
from wbc_control.contact_mechanics.support_polygon import convex_hull
from wbc_control.model import Foot, RobotModel
from wbc_control.parameters import StackParameters
from wbc_control.spatial import Array

_LEVEL_RAD, _UPSIDE_RAD = 0.03, 0.5
_HEIGHT_M, _FLAT_M, _SMALLEST_M = 0.005, 0.002, 0.02


def sole_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """Where the soles are while it stands."""
    if not model.feet:
        return []
    data = model.pinocchio.createData()
    pin.framesForwardKinematics(model.pinocchio, data, model.standing_configuration())
    findings, heights = [], []
    for foot in model.feet:
        placement = data.oMf[foot.frame_id]
        heights.append(float(placement.translation[2]) - foot.radius)
        findings += _shape_findings(foot)
        if not foot.is_point:
            findings += _level_findings(foot, np.array(placement.rotation))
    spread = max(heights) - min(heights)
    if model.floating_base and spread > _HEIGHT_M:
        low = model.foot_names[int(np.argmin(heights))]
        text = f"soles differ by {1e3 * spread:.0f} mm in height while it stands, '{low}' is the lowest"
        findings.append(warning("soles", f"{text}: origin of a sole, or standing posture"))
    return findings or [fine("soles", f"soles {some(list(model.foot_names))} are level, flat and at one height")]


def _level_findings(foot: Foot, rotation: Array) -> list[Finding]:
    tilt = math.acos(min(max(float(rotation[2, 2]), -1.0), 1.0))
    if tilt > _UPSIDE_RAD:
        text = f"z of sole '{foot.name}' points {math.degrees(tilt):.0f}° off up while it stands"
        return [
            error("soles", f"{text}: z is the normal of the ground, into the robot; set robot.feet.{foot.name}.rpy")
        ]
    if tilt > _LEVEL_RAD:
        text = f"sole '{foot.name}' is tilted by {math.degrees(tilt):.1f}° while it stands"
        return [warning("soles", f"{text}: standing posture, or robot.feet.{foot.name}.rpy")]
    return []


def _shape_findings(foot: Foot) -> list[Finding]:
    """Corners in one plane, all needed, and far enough apart."""
    where = f"robot.feet.{foot.name}.corners"
    if foot.is_point:
        return (
            []
            if foot.radius > 0.0
            else [warning("soles", f"'{foot.name}' is a point without a radius: the ground is met at its corner")]
        )
    corners, findings = np.asarray(foot.corners), []
    if float(np.ptp(corners[:, 2])) > _FLAT_M:
        findings.append(
            warning("soles", f"corners of '{foot.name}' differ in z: {where} should lie in the plane z = 0")
        )
    hull = convex_hull([(float(x), float(y)) for x, y, _ in corners])
    if len(hull) < len(corners):
        findings.append(
            warning("soles", f"{len(corners) - len(hull)} corners of '{foot.name}' lie inside the others: {where}")
        )
    if min(np.ptp(corners[:, 0]), np.ptp(corners[:, 1])) < _SMALLEST_M:
        findings.append(
            warning("soles", f"sole '{foot.name}' is narrower than {1e3 * _SMALLEST_M:.0f} mm: {where} in m?")
        )
    return findings
