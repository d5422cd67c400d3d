"""PD gains against the inertia each joint feels: does the sampled loop stay stable, and is it damped?"""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin

from wbc_control.checking.finding import Finding, error, fine, some, warning
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters

_UNSTABLE, _ROUGH = 2.0, 1.0
_LIGHTLY = 0.1


def gain_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """A damping torque held for a period T changes the speed by kd·T/I: from 2 on it grows, from 1 on it chatters.

    The inertia I is what the joint feels with all other joints free, 1/(M⁻¹)ₖₖ, the least it can be.
    """
    bridge, names = parameters.bridge, model.joint_names
    unknown = [name for name in bridge.gains if name not in names]
    findings = [error("gains", f"gains for {some(unknown)}, which is no controlled joint")] if unknown else []
    q, data = model.standing_configuration(), model.pinocchio.createData()
    inverse = np.array(pin.computeMinverse(model.pinocchio, data, q))
    inverse = np.triu(inverse) + np.triu(inverse, 1).T
    inertia = 1.0 / np.diag(inverse)[model.v_index]
    growing, rough, loose, limp = [], [], [], []
    for name, felt in zip(names, inertia.tolist(), strict=True):
        row = bridge.gains.get(name)
        kp, kd = (bridge.kp, bridge.kd) if row is None else (row.kp, row.kd)
        change = max(kd, bridge.damping) / (felt * bridge.rate)
        if change >= _UNSTABLE:
            growing.append(f"{name} ({change:.1f})")
        elif change >= _ROUGH:
            rough.append(f"{name} ({change:.1f})")
        if kp > 0.0 and kd / (2.0 * math.sqrt(kp * felt)) < _LIGHTLY:
            loose.append(name)
        if kp <= 0.0:
            limp.append(name)
    if growing:
        findings.append(
            error(
                "gains",
                f"damping × period / inertia is 2 or more, it will oscillate: {some(growing)}; lower kd or damping, or set armature",
            )
        )
    if rough:
        findings.append(warning("gains", f"damping × period / inertia is 1 or more, it chatters: {some(rough)}"))
    if loose:
        findings.append(warning("gains", f"damping ratio below {_LIGHTLY:g}: {some(loose)}; raise kd"))
    if limp:
        findings.append(warning("gains", f"no stiffness: {some(limp)}"))
    return findings or [fine("gains", f"stable at {bridge.rate:g} Hz and damped")]
