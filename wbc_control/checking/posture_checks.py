"""The standing posture: inside the limits, balanced, and not too heavy for the motors."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from wbc_control.checking.finding import Finding, error, fine, some, warning
from wbc_control.contact_mechanics.support_polygon import convex_hull, signed_distance
from wbc_control.model import RobotModel
from wbc_control.parameters import StackParameters
from wbc_control.spatial import Array, skew

_NEAR_STOP = 0.02
_THIN_M = 0.01
_HEAVY, _TOO_HEAVY = 0.6, 1.0


def posture_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """Standing joint positions against their limits."""
    standing = model.joint_positions(model.standing_configuration())
    lower, upper = model.limits.position_lower, model.limits.position_upper
    span = np.where(np.isfinite(upper - lower), upper - lower, 1.0)
    room = np.minimum(standing - lower, upper - standing)
    outside = [name for name, r in zip(model.joint_names, room, strict=True) if r < 0.0]
    if outside:
        return [
            error(
                "posture", f"standing posture breaks the limits of {some(outside)}: set robot.joints.<joint>.standing"
            )
        ]
    near = [name for name, r, s in zip(model.joint_names, room, span, strict=True) if r < _NEAR_STOP * s]
    if near:
        return [warning("posture", f"standing posture is at the stop of {some(near)}: robot.joints.<joint>.standing")]
    return [fine("posture", "standing posture lies inside the limits")]


def load_findings(model: RobotModel, parameters: StackParameters) -> list[Finding]:
    """Balance over the feet and motor torques in the standing posture."""
    if not (model.floating_base and model.feet):
        return []
    q, data = model.standing_configuration(), model.pinocchio.createData()
    points, jacobian = sole_points(model, data, q)
    com = np.array(pin.centerOfMass(model.pinocchio, data, q))
    hull = convex_hull([(float(x), float(y)) for x, y, _ in points])
    findings = []
    if len(hull) >= 3:
        margin = signed_distance(hull, (float(com[0]), float(com[1])))
        if margin < 0.0:
            return [
                error("posture", f"centre of mass stands {-1e3 * margin:.0f} mm outside the feet: it would fall over")
            ]
        judge = warning if margin < _THIN_M else fine
        findings.append(judge("posture", f"centre of mass stands {1e3 * margin:.0f} mm inside the feet"))
    weight = np.array(pin.computeGeneralizedGravity(model.pinocchio, data, q))
    forces = np.linalg.lstsq(jacobian[:, :6].T, weight[:6], rcond=None)[0]
    torque = np.abs((weight - jacobian.T @ forces)[model.v_index])
    return [*findings, _torque_finding(model, torque)]


def _torque_finding(model: RobotModel, torque: Array) -> Finding:
    """Share of the effort limits that standing takes."""
    use = torque / model.limits.effort
    worst = int(np.argmax(use))
    text = (
        f"standing takes {torque[worst]:.1f} N·m of {model.limits.effort[worst]:.1f} N·m at {model.joint_names[worst]}"
    )
    if use[worst] > _TOO_HEAVY:
        return error("posture", f"{text}: motor too weak, or effort limit wrong")
    return (
        warning("posture", f"{text}: little is left to balance with") if use[worst] > _HEAVY else fine("posture", text)
    )


def sole_points(model: RobotModel, data: pin.Data, q: Array) -> tuple[Array, Array]:
    """(k, 3) corners of all soles in world, m, and (k, nv) rows of their vertical velocity."""
    pin.computeJointJacobians(model.pinocchio, data, q)
    pin.updateFramePlacements(model.pinocchio, data)
    points, rows = [], []
    for foot in model.feet:
        placement = data.oMf[foot.frame_id]
        jacobian = pin.getFrameJacobian(model.pinocchio, data, foot.frame_id, pin.LOCAL_WORLD_ALIGNED)
        for corner in foot.corners:
            arm = placement.rotation @ corner
            points.append(placement.translation + arm)
            rows.append((jacobian[:3] - skew(arm) @ jacobian[3:])[2])
    return np.array(points), np.array(rows)
