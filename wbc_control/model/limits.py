"""Joint limits by name, from the URDF and the robot's parameter file, each judged on its own."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import ModelError
from wbc_control.parameters.robot import RobotParameters

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointLimits:
    """Limits of the actuated joints, (n,) each, in the robot model's order; infinite where unlimited.

    Attributes:
        position_lower: rad or m.
        position_upper: rad or m.
        velocity: rad/s or m/s, symmetric.
        effort: N·m or N, symmetric.
    """

    position_lower: Array
    position_upper: Array
    velocity: Array
    effort: Array


@dataclass(frozen=True)
class _JointLimit:
    lower: float
    upper: float
    velocity: float | None
    effort: float | None


def read_limits(urdf_text: str, joints: Sequence[str], parameters: RobotParameters) -> JointLimits:
    """Limits of ``joints``: the parameter file's where it gives any, else the URDF's.

    Raises:
        ModelError: Names every joint whose effort or velocity limit is zero, negative or missing and that is not listed
            in ``robot.unlimited_joints``, or whose position limits are crossed.
    """
    described = _described_limits(urdf_text)
    limits = [_resolve(described[name], name, parameters) for name in joints]
    _refuse_unusable(dict(zip(joints, limits)), parameters)
    unlimited = [math.inf if x.effort is None or x.effort <= 0 else x.effort for x in limits]
    velocities = [math.inf if x.velocity is None or x.velocity <= 0 else x.velocity for x in limits]
    return JointLimits(
        np.array([x.lower for x in limits], dtype=float),
        np.array([x.upper for x in limits], dtype=float),
        np.array(velocities, dtype=float),
        np.array(unlimited, dtype=float),
    )


def _described_limits(urdf_text: str) -> dict[str, _JointLimit]:
    root = ElementTree.fromstring(urdf_text)
    return {joint.get("name", ""): _described_limit(joint) for joint in root.iter("joint") if joint.get("type")}


def _described_limit(joint: ElementTree.Element) -> _JointLimit:
    element = joint.find("limit")
    attributes: Mapping[str, str] = {} if element is None else element.attrib
    bounded = joint.get("type") in ("revolute", "prismatic")
    lower = float(attributes.get("lower", 0.0)) if bounded else -math.inf
    upper = float(attributes.get("upper", 0.0)) if bounded else math.inf
    return _JointLimit(lower, upper, _optional(attributes, "velocity"), _optional(attributes, "effort"))


def _optional(attributes: Mapping[str, str], name: str) -> float | None:
    return float(attributes[name]) if name in attributes else None


def _resolve(described: _JointLimit, name: str, parameters: RobotParameters) -> _JointLimit:
    override = parameters.joints.get(name)
    if override is None:
        return described
    effort = override.effort if override.effort > 0 else described.effort
    velocity = override.velocity if override.velocity > 0 else described.velocity
    return _JointLimit(described.lower, described.upper, velocity, effort)


def _refuse_unusable(limits: Mapping[str, _JointLimit], parameters: RobotParameters) -> None:
    crossed = [name for name, limit in limits.items() if not limit.lower < limit.upper]
    if crossed:
        raise ModelError(
            f"position limits of {', '.join(crossed)} leave no room (lower ≥ upper)",
            where=parameters.name,
            value=crossed,
        )
    for kind in ("effort", "velocity"):
        missing = [
            n for n, x in limits.items() if _is_missing(getattr(x, kind)) and n not in parameters.unlimited_joints
        ]
        if missing:
            message = (
                f"joints without a {kind} limit above 0: {', '.join(missing)}; set robot.joints.<joint>.{kind}, "
                "or list them in robot.unlimited_joints if they really have none"
            )
            raise ModelError(message, where=parameters.name, value=missing, bound=f"{kind} > 0")


def _is_missing(value: float | None) -> bool:
    return value is None or not value > 0.0
