"""Keeps the robot's links apart: the nearest pairs of shapes may approach only as fast as they can still brake."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from wbc_control.errors import ParameterError
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import SelfCollisionParameters
from wbc_control.spatial import cross
from wbc_control.wbc.limits.collision_geometry import collision_geometry
from wbc_control.wbc.limits.limit import Array
from wbc_control.wbc.limits.position_velocity import viable_upper_acceleration
from wbc_control.wbc.limits.row_limit import RowLimit

_WORLD_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class SelfCollisionLimit(RowLimit):
    """d̈ ≥ the viable deceleration of the distance d of each near pair, like a joint in front of its position limit.

    With n the unit vector from the second shape to the first at their nearest points, ḋ = nᵀ(v₁ − v₂) exactly; d̈ is taken
    as nᵀ(a₁ − a₂) of the bodies' points there.  That leaves out how the nearest points wander over round shapes, terms of
    second order in the speeds that the next tick's distance corrects.

    All pairs are looked at once a scan period, between
    scans only those that were within the influence distance.

    Attributes:
        nearest: Names of the pairs in the rows, nearest first, and their distances, m.

    Raises:
        ParameterError: An influence distance that a pair could cross between two scans.
    """

    name = "self-collision distance"

    def __init__(self, model: RobotModel, parameters: SelfCollisionParameters, period: float) -> None:
        _refuse_short_influence(parameters)
        self._parameters, self._period, self.rows = parameters, period, parameters.rows
        self.row_names = tuple(f"{self.name} of nearest pair {i + 1}" for i in range(self.rows))
        self._model, self._geometry = model.pinocchio, collision_geometry(model, parameters)
        self._data = pin.GeometryData(self._geometry)
        shapes = self._geometry.geometryObjects
        ends = [(shapes[pair.first], shapes[pair.second]) for pair in self._geometry.collisionPairs]
        self._joints = [(int(a.parentJoint), int(b.parentJoint)) for a, b in ends]
        self.pair_names = tuple(f"{a.name} {b.name}" for a, b in ends)
        self._scan_ticks = max(1, round(parameters.scan_period / period))
        self._tick, self._active = 0, list(range(len(ends)))
        self.nearest: list[tuple[str, float]] = []
        self._scratch, self._speed_limit = np.zeros((3, self.rows)), np.full(self.rows, parameters.speed)

    def write(self, terms: Kinodynamics, C: Array, lower: Array, upper: Array) -> None:
        """See :class:`RowLimit`."""
        C[:], lower[:] = 0.0, -np.inf
        distances = self._distances(terms)
        self.nearest = [(self.pair_names[k], d) for d, k in distances]
        if not distances:
            return
        room, speed, drift = self._scratch[:, : len(distances)]
        for row, (distance, pair) in enumerate(distances):
            room[row] = distance - self._parameters.distance
            speed[row], drift[row] = self._write_row(terms, pair, C[row])
        limits = self._speed_limit[: len(distances)], self._parameters.acceleration, self._period
        lower[: len(distances)] = -viable_upper_acceleration(room, speed, *limits) - drift

    def _distances(self, terms: Kinodynamics) -> list[tuple[float, int]]:
        """(distance, pair) of the nearest pairs within the influence distance."""
        is_scan = self._tick % self._scan_ticks == 0
        self._tick += 1
        if is_scan:
            self._watch(range(len(self._joints)))
        pin.updateGeometryPlacements(self._model, terms.data, self._geometry, self._data)
        pin.computeDistances(self._geometry, self._data)
        results, reach = self._data.distanceResults, self._parameters.influence
        found = sorted((results[k].min_distance, k) for k in self._active)
        if is_scan:
            self._watch([k for d, k in found if d < reach])
        return [(d, k) for d, k in found[: self.rows] if d < reach]

    def _watch(self, pairs: range | list[int]) -> None:
        wanted, present = set(pairs), set(self._active)
        for k in present - wanted:
            self._data.deactivateCollisionPair(k)
        for k in wanted - present:
            self._data.activateCollisionPair(k)
        self._active = sorted(wanted)

    def _write_row(self, terms: Kinodynamics, pair: int, row: Array) -> tuple[float, float]:
        """Fill one row; speed of approach, m/s, and nᵀ(a₁ − a₂) at q̈ = 0, m/s²."""
        result, drift = self._data.distanceResults[pair], 0.0
        normal = -np.array(result.normal)  # coal's points from the first shape to the second
        points = result.getNearestPoint1(), result.getNearestPoint2()
        for sign, joint, point in zip((1.0, -1.0), self._joints[pair], points):
            jacobian = pin.getJointJacobian(self._model, terms.data, joint, _WORLD_ALIGNED)
            lever = point - terms.data.oMi[joint].translation
            moment, omega = cross(lever, normal), jacobian[3:] @ terms.v
            row += sign * (normal @ jacobian[:3] + moment @ jacobian[3:])
            acceleration = pin.getClassicalAcceleration(self._model, terms.data, joint, _WORLD_ALIGNED)
            # nᵀ(α × r) = αᵀ(r × n) and ω × (ω × r) = ω (ω·r) − r (ω·ω).
            turning = (normal @ omega) * (omega @ lever) - (normal @ lever) * (omega @ omega)
            drift += sign * float(normal @ acceleration.linear + moment @ acceleration.angular + turning)
        return -float(row @ terms.v), drift


def _refuse_short_influence(parameters: SelfCollisionParameters) -> None:
    """Between two scans nothing may come from beyond the influence distance to the least distance."""
    least = parameters.distance + parameters.speed * parameters.scan_period
    if parameters.influence < least:
        message = f"a pair could come too near between two scans: at least distance + speed · scan_period = {least:g} m"
        raise ParameterError(message, where="limits.self_collision.influence", value=parameters.influence, bound=least)
