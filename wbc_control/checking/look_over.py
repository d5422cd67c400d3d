"""All checks of a robot in one call."""

from __future__ import annotations

from collections.abc import Callable

from wbc_control.checking.body_checks import inertia_findings, limit_findings
from wbc_control.checking.finding import Finding, error, fine, warning
from wbc_control.checking.gain_checks import gain_findings
from wbc_control.checking.posture_checks import load_findings, posture_findings
from wbc_control.checking.sensor_checks import frame_findings, sensor_findings
from wbc_control.checking.sole_checks import sole_findings
from wbc_control.errors import WbcError
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters

_CHECKS: tuple[Callable[[RobotModel, StackParameters], list[Finding]], ...] = (
    inertia_findings,
    limit_findings,
    frame_findings,
    posture_findings,
    sole_findings,
    load_findings,
    sensor_findings,
    gain_findings,
)


def look_over(parameters: StackParameters) -> list[Finding]:
    """Everything that can be said of a robot without moving it; an unusable description is one error."""
    try:
        model = RobotModel.from_parameters(parameters.robot)
    except WbcError as refusal:
        return [error("model", str(refusal))]
    base = "floating base" if model.floating_base else "fixed base"
    findings = [fine("model", f"{model.n} joints, {base}, {model.mass:.2f} kg, {len(model.feet)} feet")]
    if parameters.robot.locked_joints:
        findings.append(fine("model", f"locked joints: {', '.join(parameters.robot.locked_joints)}"))
    if model.floating_base and not model.feet:
        findings.append(warning("soles", "no foot is declared: add robot.feet.<name> with link, origin and corners"))
    for check in _CHECKS:
        findings += check(model, parameters)
    return findings
