"""ZMP margin from the bodies' accelerations, next to the one from the contact forces: two ways to the same point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.body_motion import BodyMotionReader
from wbc_control.contact_mechanics.margins import ZmpMargins, zmp_margins
from wbc_control.contact_mechanics.support_plane import virtual_horizontal_plane
from wbc_control.contact_mechanics.support_polygon import support_polygon
from wbc_control.contact_mechanics.zmp import zmp_of_contacts, zmp_of_motion
from wbc_control.model import RobotModel
from wbc_control.simulation.backend import GroundTruth
from wbc_control.simulation.carried_bodies import loaded_model
from wbc_control.simulation.closed_loop import Outcome, Period
from wbc_control.simulation.metrics.balance import foot_spread
from wbc_control.simulation.metrics.metric import Metric
from wbc_control.simulation.metrics.truth import TrueKinematics
from wbc_control.simulation.pushes import Push
from wbc_control.spatial import cross, quaternion_to_matrix

Array = NDArray[np.float64]

_EVERY = 10
_LEAST_LOAD_SHARE = 0.2


class MotionZmpMargin(Metric):
    """Every tenth period, from the change of velocity over the physics step before it.

    Simulators hold the contact forces of a step constant, so its mean acceleration and its forces belong together; with
    several physics steps in a control period the forces are those of the last one and the two agree on average only.
    Left out: flight, feet on different heights, less than a fifth of the weight on the ground, bodies other than feet on
    the ground, and instants at which something pushes the robot.

    Args:
        model: The robot.
        kinematics: Soles of the true state.
        period_ns: Control period, ns.
        pushes: The scenario's.
        payload: Link name → mass, kg, that the scenario adds.
    """

    def __init__(
        self,
        model: RobotModel,
        kinematics: TrueKinematics,
        period_ns: int,
        pushes: Sequence[Push] = (),
        payload: Mapping[str, float] | None = None,
    ) -> None:
        self._robot, self._kinematics, self._duration = model, kinematics, 1e-9 * period_ns
        self._bodies, self._spread = BodyMotionReader(loaded_model(model, dict(payload or {}))), foot_spread(model)
        self._pushes = tuple(pushes)
        self._before: GroundTruth | None = None
        self._index: list[float] = []
        self._distance: list[float] = []
        self._apart: list[float] = []
        self._apart_m: list[float] = []

    def observe(self, period: Period) -> None:
        """Keep the state before a sample; sample."""
        phase = period.index % _EVERY
        if phase == _EVERY - 1:
            self._before = period.truth
        elif phase == 0 and self._before is not None and self._comparable(period):
            self._compare(self._before, period.truth)

    def _comparable(self, period: Period) -> bool:
        truth = period.truth
        loaded = float(truth.foot_force[:, 2].sum()) > _LEAST_LOAD_SHARE * self._robot.weight
        pushed = any(push.start_ns < period.time_ns <= push.end_ns for push in self._pushes)
        return loaded and not pushed and not truth.other_contacts

    def _compare(self, before: GroundTruth, after: GroundTruth) -> None:
        plane = virtual_horizontal_plane(after.contact_points)
        if plane is None:
            return
        motion = self._bodies.read(before.q, before.v, self._acceleration(before, after))
        touching = np.flatnonzero(after.in_contact)
        corners = np.vstack([self._kinematics.corners_of(after, int(foot)) for foot in touching])
        polygon = support_polygon(corners, plane, height_tolerance=0.03)
        by_motion, by_force = (
            zmp_of_motion(motion, plane),
            zmp_of_contacts(after.contact_forces, after.contact_points, plane),
        )
        ours = zmp_margins(by_motion, polygon, (0.0, 0.0), self._spread)
        theirs = zmp_margins(by_force, polygon, (0.0, 0.0), self._spread)
        if ours is not None and theirs is not None:
            self._keep(ours, theirs)

    def _keep(self, ours: ZmpMargins, theirs: ZmpMargins) -> None:
        self._index.append(ours.normalised)
        self._distance.append(ours.distance)
        self._apart.append(abs(ours.normalised - theirs.normalised) / max(theirs.normalised, 1e-3))
        self._apart_m.append(abs(ours.distance - theirs.distance))

    def _acceleration(self, before: GroundTruth, after: GroundTruth) -> Array:
        """(nv,) of the step, in the base's axes at its start; the base moves straight in the world within a step."""
        rate = (after.v - before.v) / self._duration
        if self._robot.floating_base:
            start, end = quaternion_to_matrix(before.q[3:7]), quaternion_to_matrix(after.q[3:7])
            rate[:3] = (start.T @ (end @ after.v[:3]) - before.v[:3]) / self._duration
            rate[:3] -= cross(before.v[3:6], before.v[:3])
        return np.asarray(rate)

    def result(self, outcome: Outcome) -> dict[str, Any]:
        """``zmp_margin_from_motion``: index (min, mean), least distance, and how far from that of the contact forces."""
        return {
            "zmp_margin_from_motion": {
                "min": min(self._index, default=None),
                "mean": float(np.mean(self._index)) if self._index else None,
                "distance_min_m": min(self._distance, default=None),
                "samples": len(self._index),
                "apart_max": max(self._apart, default=None),
                "apart_p99": float(np.quantile(self._apart, 0.99)) if self._apart else None,
                "distance_apart_max_m": max(self._apart_m, default=None),
            }
        }
