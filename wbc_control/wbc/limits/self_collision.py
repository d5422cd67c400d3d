"""Keeps the robot's links apart: the nearest pairs of shapes may approach only as fast as they can still brake."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin

from wbc_control.errors import ParameterError
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import SelfCollisionParameters
from wbc_control.wbc.limits.collision_geometry import collision_geometry
from wbc_control.wbc.limits.limit import Array
from wbc_control.wbc.limits.position_velocity import viable_upper_acceleration
from wbc_control.wbc.limits.row_limit import RowLimit


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

    key, name = "self_collision", "self-collision distance"

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
        self._speed_limit = np.full(self.rows, parameters.speed)
        self._supports = self._supports_of_pairs()

    def _supports_of_pairs(self) -> Array:
        """(pairs, 2, nv) one where a column of the Jacobian moves the first, the second body of a pair."""
        moves = np.zeros((self._model.njoints, self._model.nv))
        for joint in range(1, self._model.njoints):
            for above in list(self._model.supports[joint])[1:]:
                start = self._model.idx_vs[above]
                moves[joint, start : start + self._model.nvs[above]] = 1.0
        return moves[np.array(self._joints)]

    def write(self, terms: Kinodynamics, C: Array, lower: Array, upper: Array) -> None:
        """See :class:`RowLimit`."""
        C[:], lower[:] = 0.0, -np.inf
        distances = self._distances(terms)
        self.nearest = [(self.pair_names[k], d) for d, k in distances]
        if not distances:
            return
        used = len(distances)
        speed, drift = self._write_rows(terms, distances, C[:used])
        rooms = [distance - self._parameters.distance for distance, _ in distances]
        if all(map(self._is_far, rooms, speed.tolist())):
            np.subtract(-self._parameters.acceleration, drift, out=lower[:used])
            return
        limits = self._speed_limit[:used], self._parameters.acceleration, self._period
        lower[:used] = -viable_upper_acceleration(np.array(rooms), speed, *limits) - drift

    def _is_far(self, room: float, speed: float) -> bool:
        """Whether a pair could still brake after approaching with the full acceleration for a period."""
        acceleration, period = self._parameters.acceleration, self._period
        reach = max(speed + 2.0 * acceleration * period, 0.0)
        slow = speed < self._parameters.speed - 2.0 * acceleration * period
        return slow and room > reach * (0.5 / acceleration * reach + 2.0 * period)

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

    def _write_rows(self, terms: Kinodynamics, found: list[tuple[float, int]], C: Array) -> tuple[Array, Array]:
        """Fill C (pairs, nv); speed of approach (pairs,), m/s, and nᵀ(a₁ − a₂) at q̈ = 0 (pairs,), m/s².

        With spatial motion at the world's origin a point p of a body moves with v + ω × p, so n asks the force
        (n, p × n) of it, and its classical acceleration along n is (n, p × n)·(a, α) + (v_p × n)·ω.
        """
        data, results = terms.data, self._data.distanceResults
        pin.computeJointJacobiansTimeVariation(self._model, data, terms.q, terms.v)
        pairs = [pair for _, pair in found]
        ends = [end for pair in pairs for end in _ends(results[pair])]
        force = np.array([end.force for end in ends])
        supports = self._supports[pairs].reshape(len(ends), -1)
        rows = (force @ data.J) * supports
        np.add(rows[0::2], rows[1::2], out=C)
        # Of each end's body: velocity and, at q̈ = 0, acceleration.
        velocity, acceleration = supports @ (data.J * terms.v).T, supports @ (data.dJ * terms.v).T
        drift = (force * acceleration).sum(axis=1)
        drift += [end.turning(motion) for end, motion in zip(ends, velocity.tolist())]
        return -(C @ terms.v), drift[0::2] + drift[1::2]


class _End(NamedTuple):
    """One end of a pair: its nearest point, and the force (6,) about the world's origin that pushes it away along n."""

    point: list[float]
    force: list[float]

    def turning(self, motion: list[float]) -> float:
        """(v_p × n)·ω of its body's spatial motion (v, ω) at the world's origin, m/s²."""
        (px, py, pz), (nx, ny, nz) = self.point, self.force[:3]
        vx, vy, vz, wx, wy, wz = motion
        vx, vy, vz = vx + wy * pz - wz * py, vy + wz * px - wx * pz, vz + wx * py - wy * px
        return wx * (vy * nz - vz * ny) + wy * (vz * nx - vx * nz) + wz * (vx * ny - vy * nx)


def _ends(result: Any) -> tuple[_End, _End]:
    """Both ends of a pair; plain numbers, for two vectors at a time cost more as arrays than as numbers."""
    normal = result.normal.tolist()  # coal's points from the first shape to the second
    first = _end(result.getNearestPoint1().tolist(), [-x for x in normal])
    return first, _end(result.getNearestPoint2().tolist(), normal)


def _end(point: list[float], normal: list[float]) -> _End:
    (px, py, pz), (nx, ny, nz) = point, normal
    return _End(point, [nx, ny, nz, py * nz - pz * ny, pz * nx - px * nz, px * ny - py * nx])


def _refuse_short_influence(parameters: SelfCollisionParameters) -> None:
    """Between two scans nothing may come from beyond the influence distance to the least distance."""
    least = parameters.distance + parameters.speed * parameters.scan_period
    if parameters.influence < least:
        message = f"a pair could come too near between two scans: at least distance + speed · scan_period = {least:g} m"
        raise ParameterError(message, where="limits.self_collision.influence", value=parameters.influence, bound=least)
