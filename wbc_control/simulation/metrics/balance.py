"""ZMP margin and friction use, from the true contact forces."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.margins import zmp_margins
from wbc_control.contact_mechanics.support_plane import virtual_horizontal_plane
from wbc_control.contact_mechanics.support_polygon import support_polygon
from wbc_control.contact_mechanics.zmp import zmp_of_contacts
from wbc_control.model import RobotModel
from wbc_control.simulation.backend import GroundTruth
from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.metric import Metric
from wbc_control.simulation.metrics.truth import TrueKinematics
from wbc_control.simulation.placement import sole_points

Array = NDArray[np.float64]

_EVERY = 10
_LEAST_LOAD_SHARE = 0.05


def foot_spread(model: RobotModel) -> float:
    """D of the ZMP margin, m: largest distance of two soles in the standing posture (a quadruped's diagonal feet)."""
    points = sole_points(model, model.standing_configuration())
    centres = np.array([corners.mean(axis=0) for corners in points]) if len(points) > 1 else points[0]
    return float(np.max(np.linalg.norm(centres[:, None, :2] - centres[None, :, :2], axis=2)))


class ZmpMargin(Metric):
    """Normalised ZMP margin and distance to the border of the support, every tenth period, on the level plane through
    the mean contact point; undefined in flight and on feet at different heights, and then left out."""

    def __init__(self, model: RobotModel, kinematics: TrueKinematics) -> None:
        self._kinematics, self._spread = kinematics, foot_spread(model)
        self._index: list[float] = []
        self._distance: list[float] = []
        self._undefined = 0

    def observe(self, period: Period) -> None:
        """Sample the margins."""
        if period.index % _EVERY or period.index == 0:
            return
        margins = self.margins(period.truth)
        if margins is None:
            self._undefined += 1
            return
        self._index.append(margins.normalised)
        self._distance.append(margins.distance)

    def margins(self, truth: GroundTruth) -> Any:
        """:class:`~wbc_control.contact_mechanics.margins.ZmpMargins` of an instant; None where undefined."""
        plane = virtual_horizontal_plane(truth.contact_points)
        if plane is None:
            return None
        zmp = zmp_of_contacts(truth.contact_forces, truth.contact_points, plane)
        touching = np.flatnonzero(truth.in_contact)
        corners = np.vstack([self._kinematics.corners_of(truth, int(foot)) for foot in touching])
        polygon = support_polygon(corners, plane, height_tolerance=0.03)
        return zmp_margins(zmp, polygon, (0.0, 0.0), self._spread)

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``zmp_margin``: the index (min, mean), the least distance to the border, the share without a margin."""
        total = len(self._index) + self._undefined
        return {
            "zmp_margin": {
                "min": min(self._index, default=None),
                "mean": float(np.mean(self._index)) if self._index else None,
                "distance_min_m": min(self._distance, default=None),
                "undefined_share": self._undefined / total if total else None,
            }
        }


class FrictionUse(Metric):
    """Largest ‖f_t‖ / (μ f_n) of a loaded foot, f_n vertical; feet below 5 % of the weight are left out."""

    def __init__(self, model: RobotModel, friction: float) -> None:
        self._least, self._friction = _LEAST_LOAD_SHARE * model.weight, friction
        self._largest = 0.0

    def observe(self, period: Period) -> None:
        """Keep the largest use."""
        for fx, fy, fz in period.truth.foot_force.tolist():
            if fz > self._least:
                use = (fx * fx + fy * fy) ** 0.5 / (self._friction * fz)
                self._largest = max(self._largest, use)

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``friction_use_max``."""
        return {"friction_use_max": self._largest}
