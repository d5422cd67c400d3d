"""Sanity of the sensors while the robot stands still: contradictions get names, and the start is refused.

Two looks.  The direction of gravity is judged from the first samples on, because a wrong orientation throws the robot
within a fraction of a second.  Weight and load need an average over ``start.window`` at rest.  Until that window has
passed the state counts as good; after a refusal the check goes on, and a window without contradiction lifts it.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from wbc_control.estimation.gravity_check import angle_between, gravity_cause
from wbc_control.estimation.start_pose import sole_normal
from wbc_control.estimation.weight_check import weight_causes
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.spatial import Array

if TYPE_CHECKING:
    from wbc_control.estimation.estimator import Estimator

_QUICK_SAMPLES = 8
_STILL_SPIN_RAD_S = 0.3
_STILL_JOINTS_RAD_S = 1.0


class RestCheck:
    """Averages sensors at rest and judges them.

    Args:
        model: Robot.

    Attributes:
        finished: Whether a whole window passed without contradiction.
        refusal: Why the start is refused, with the likely cause; empty while nothing contradicts.
        causes: All named causes of the last judgement.
    """

    def __init__(self, model: RobotModel) -> None:
        self._model = model
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self.finished, self.refusal = False, ""
        self.causes: list[str] = []
        self._quick = 0
        self._restart_window()

    def _restart_window(self) -> None:
        self._span_s, self._count = 0.0, 0
        self._gravity = np.zeros(3)
        self._wrench = np.zeros((len(self._model.feet), 6))

    def update(self, dt: float, estimator: Estimator) -> None:
        """Take in one tick of the running estimator."""
        if not self._at_rest(estimator):
            self._restart_window()
            return
        self._span_s += dt
        self._count += 1
        self._gravity += estimator.base.imu[3:]
        self._wrench += estimator.intake.now.wrench
        self._quick += 1
        if self._quick <= _QUICK_SAMPLES or self._span_s >= estimator.parameters.start.window:
            self._judge(estimator)

    def _at_rest(self, estimator: Estimator) -> bool:
        (x, y, z, *_), joints = estimator.base.imu, estimator.intake.now.velocity
        fastest = max(float(joints.max(initial=0.0)), -float(joints.min(initial=0.0)))
        return fastest < _STILL_JOINTS_RAD_S and math.sqrt(x * x + y * y + z * z) < _STILL_SPIN_RAD_S

    def _judge(self, estimator: Estimator) -> None:
        parameters = estimator.parameters
        whole = self._span_s >= parameters.start.window
        if not whole and self._quick < _QUICK_SAMPLES:
            return
        causes = self._gravity_causes(estimator, parameters, whole)
        if whole:
            causes += sole_causes(estimator, parameters.start.gravity_tolerance)
            causes += self._weight_causes(estimator, parameters)
            self._restart_window()
        self.causes = causes
        self.refusal = f"start refused: {'; '.join(causes)}" if causes else ""
        self.finished = whole and not causes

    def _gravity_causes(self, estimator: Estimator, parameters: EstimatorParameters, whole: bool) -> list[str]:
        mean = self._gravity / self._count
        intake = estimator.intake
        used = parameters.base.orientation == "auto" and intake.orientation.time_ns >= 0
        orientation = intake.orientation_xyzw if used else None
        to_base = np.array(self._model.imu_placement.rotation)
        cause = gravity_cause(mean, orientation, to_base, sole_up(estimator), parameters.start.gravity_tolerance, whole)
        return [cause] if cause else []

    def _weight_causes(self, estimator: Estimator, parameters: EstimatorParameters) -> list[str]:
        mean = self._wrench / self._count
        ages, timeout = estimator.wrenches.age_s, parameters.contact.wrench_timeout
        if not ages or max(ages) > timeout:
            return []  # without every sensor the sum says nothing; the fallbacks take over
        return weight_causes(self._model, estimator, mean, parameters)


def sole_up(estimator: Estimator) -> Array | None:
    """(3,) normal of the soles in base axes where the feet are flat; None for point feet, which have no normal."""
    flat = estimator.floating and any(not foot.is_point for foot in estimator.model.feet)
    return sole_normal(estimator.legs) if flat else None


def sole_causes(estimator: Estimator, tolerance_rad: float) -> list[str]:
    """Flat soles that stand on one ground are parallel; else the joints between them are not where they are said to be."""
    feet = estimator.model.feet
    flat = [k for k, foot in enumerate(feet) if not foot.is_point and estimator.contact.feet[k].switch.in_contact]
    normals = estimator.legs.foot_axes[flat, 2]
    for a, b in itertools.combinations(range(len(flat)), 2):
        angle = angle_between(normals[a], normals[b])
        if angle > 2.0 * tolerance_rad:
            found = f"soles {feet[flat[a]].name} and {feet[flat[b]].name} are {math.degrees(angle):.0f}° apart at rest"
            return [f"{found}: order of the joints, or zero or sign of an encoder"]
    return []
