"""Do the foot sensors carry the robot at rest?  Sum against weight, load against centre of mass, and likely causes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array

if TYPE_CHECKING:
    from wbc_control.estimation.estimator import Estimator

_COMPONENTS = ("force x", "force y", "force z", "torque x", "torque y", "torque z")


def weight_causes(model: RobotModel, estimator: Estimator, raw: Array, parameters: EstimatorParameters) -> list[str]:
    """Named causes of a contradiction between foot sensors and model; empty when they agree.

    Args:
        model: Robot.
        estimator: Running estimator, for the present posture.
        raw: (N, 6) mean wrench of each foot as the sensors said it, sole frame.
        parameters: Sign, bias and tolerances.
    """
    sensed = estimator.wrenches.corrected(raw, estimator.legs.foot_load())
    up = estimator.base.rotation[2]
    loads = np.einsum("ni,ni->n", up @ estimator.legs.foot_rotation, sensed[:, :3])
    share = float(loads.sum()) / model.weight
    tolerance = parameters.start.weight_tolerance
    if abs(share - 1.0) <= tolerance:
        return load_causes(model, estimator, sensed, parameters)
    flipped = one_flipped(model, loads, tolerance)
    return [flipped] if flipped else [sum_cause(model, estimator, raw, share, tolerance)]


def one_flipped(model: RobotModel, loads: Array, tolerance: float) -> str:
    """The foot whose vertical load, (N,) N, must count the other way round for the sum to be the weight; or nothing."""
    for name, load in zip(model.foot_names, loads.tolist(), strict=True):
        if load < 0.0 and abs((float(loads.sum()) - 2.0 * load) / model.weight - 1.0) <= tolerance:
            return f"foot '{name}' pulls with {-load:.0f} N: its sign is flipped; set sensors.feet.{name}.sign"
    return ""


def sum_cause(model: RobotModel, estimator: Estimator, raw: Array, share: float, tolerance: float) -> str:
    """Why the vertical forces do not sum to the weight, given their ``share`` of it."""
    found = f"vertical foot forces sum to {share * model.weight:.0f} N, weight is {model.weight:.0f} N"
    if abs(share + 1.0) <= tolerance:
        wanted = -estimator.parameters.sensors.wrench_sign
        return f"{found}: the wrench's sign is flipped; set sensors.wrench_sign to {wanted:g}"
    sums = np.abs(raw.sum(axis=0)) / model.weight
    fitting = [k for k in range(6) if k != 2 and abs(sums[k] - 1.0) <= tolerance]
    if fitting:
        component = _COMPONENTS[fitting[0]]
        return f"{found}, but component '{component}' does: order of the wrench (normal first, or torque first)"
    if abs(share) < tolerance:
        return f"{found}: the robot hangs, or its foot sensors read zero"
    return f"{found}: payload, wrong mass in the model, or scale or bias of a foot sensor"


def load_causes(model: RobotModel, estimator: Estimator, sensed: Array, parameters: EstimatorParameters) -> list[str]:
    """Why the load sits elsewhere than under the centre of mass, given (N, 6) ground wrenches, sole frames."""
    if len(sensed) < 2:
        return []
    com = (estimator.centroidal().com_position - estimator.base.filter.points[1])[:2]
    reach = parameters.start.load_tolerance + (sole_reach(model) if parameters.sensors.wrench_axes == "normal" else 0.0)
    distance = float(np.linalg.norm(load_centre(estimator, sensed) - com))
    if distance <= reach:
        return []
    found = f"load sits {distance:.2f} m from where the centre of mass stands"
    dead = [name for name, wrench in zip(model.foot_names, sensed, strict=True) if abs(wrench[2]) < 0.06 * model.weight]
    if dead and len(sensed) == 2:
        return [f"{found}: sensor of {dead[0]} reads nothing, or the robot stands on one foot"]
    for a, b in itertools.combinations(range(len(sensed)), 2):
        exchanged = sensed.copy()
        exchanged[[a, b]] = sensed[[b, a]]
        if np.linalg.norm(load_centre(estimator, exchanged) - com) <= reach:
            return [
                f"{found}: sensors of {model.foot_names[a]} and {model.foot_names[b]} are exchanged, or one is biased"
            ]
    return [f"{found}: bias or scale of a foot sensor, or a foot is not on the ground"]


def load_centre(estimator: Estimator, sensed: Array) -> Array:
    """(2,) common centre of pressure from the IMU's point, world axes, m; (N, 6) wrenches in sole frames."""
    soles = estimator.base.rotation @ estimator.legs.foot_rotation
    loads = np.einsum("ni,ni->n", soles[:, 2], sensed[:, :3])
    arms = np.einsum("nij,nj->ni", soles, np.stack([-sensed[:, 4], sensed[:, 3], np.zeros(len(sensed))], axis=1))
    return (loads @ estimator.base.foot_offset[:, :2] + arms[:, :2].sum(axis=0)) / loads.sum()


def sole_reach(model: RobotModel) -> float:
    """How far a foot's load may sit from its sole origin: half the longest sole, m."""
    corners = [float(np.abs(foot.corners[:, :2]).max(initial=0.0)) for foot in model.feet]
    return 0.5 * max(corners, default=0.0)
