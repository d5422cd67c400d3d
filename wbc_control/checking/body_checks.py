"""Inertias that no body can have, and limits that leave no room."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from wbc_control.checking.finding import Finding, error, fine, some, warning
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters

_WIDEST_M = 3.0
_SLACK = 1e-6


def inertia_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """Principal moments must obey the triangle inequality (Wensing et al. 2018), and rotors have inertia."""
    findings = []
    names = list(model.pinocchio.names)
    impossible, far = [], []
    for joint in range(1, model.pinocchio.njoints):
        inertia = model.pinocchio.inertias[joint]
        a, b, c = np.linalg.eigvalsh(inertia.inertia)
        if a + b < c * (1.0 - _SLACK):
            impossible.append(names[joint])
        if np.linalg.norm(inertia.lever) > _WIDEST_M or np.sqrt(c / inertia.mass) > _WIDEST_M:
            far.append(names[joint])
    if impossible:
        text = "moments of inertia no body can have (the largest exceeds the sum of the others) behind"
        findings.append(warning("model", f"{text} {some(impossible)}"))
    if far:
        findings.append(
            error("model", f"mass more than {_WIDEST_M:g} m from its joint behind {some(far)}: unit not metres?")
        )
    bare = [name for name, rotor in zip(model.joint_names, model.armature, strict=True) if rotor <= 0.0]
    if bare:
        text = "no rotor inertia (robot.joints.<joint>.armature = rotor inertia × gear ratio²) for"
        findings.append(warning("model", f"{text} {some(bare)}: gains look less stable than they are"))
    return findings or [fine("model", "inertias are those of real bodies, rotors included")]


def limit_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """Joints without limits, and units that look wrong."""
    limits, findings = model.limits, []
    for kind, values in (("velocity", limits.velocity), ("effort", limits.effort)):
        free = [name for name, value in zip(model.joint_names, values, strict=True) if not np.isfinite(value)]
        if free:
            findings.append(warning("limits", f"no {kind} limit for {some(free)}"))
    ranges = limits.position_upper - limits.position_lower
    wide = [
        name
        for name, span, joint in zip(model.joint_names, ranges, _joints(model), strict=True)
        if np.isfinite(span) and span > 4.0 * np.pi and "RX RY RZ REVOLUTE".find(joint[-2:].upper()) >= 0
    ]
    if wide:
        findings.append(warning("limits", f"range of more than two turns for {some(wide)}: degrees instead of rad?"))
    return findings or [fine("limits", "every joint has position, velocity and effort limits")]


def _joints(model: RobotModel) -> list[str]:
    """Short names of the joints' types."""
    ours: pin.Model = model.pinocchio
    return [ours.joints[ours.getJointId(name)].shortname() for name in model.joint_names]
