"""Keeps the robot's links apart: no pair of shapes approaches faster than it can still brake."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import SelfCollisionParameters
from wbc_control.wbc.limits.collision_geometry import are_quick, collision_geometry
from wbc_control.wbc.limits.limit import Array
from wbc_control.wbc.limits.pair_distances import PairDistances
from wbc_control.wbc.limits.pair_reach import pair_reach
from wbc_control.wbc.limits.position_velocity import viable_upper_acceleration
from wbc_control.wbc.limits.row_limit import RowLimit

Indices = NDArray[np.intp]

_ANY = 1e6
"""Stands for any speed and any acceleration of approach, m/s and m/s²."""
_NOBODY = np.zeros(0, dtype=np.intp)


class PairRows(NamedTuple):
    """lower ≤ C q̈ of some pairs; ``free`` (pairs,) is how far each is from being active, m/s², negative where it may be."""

    C: Array
    lower: Array
    free: Array


class SelfCollisionLimit(RowLimit):
    """d̈ ≥ the viable deceleration of the distance d of a pair, like a joint in front of its position limit.

    With n the unit vector from the first to the second of a pair's nearest points p, ḋ = nᵀ(v₂ − v₁) exactly; d̈ is taken as
    nᵀ(a₂ − a₁) of the bodies' points there.  That leaves out how the nearest points wander over round shapes, terms of
    second order in the speeds that the next tick's distance corrects.

    A pair gets a row only if joint accelerations within ``joint_acceleration`` could violate it: without the others the
    solution is the same.  Most pairs are ruled out all at once and without being measured: since its last measurement a
    distance has not shrunk by more than Σ reach · (way of the joint), and shrinks no faster than Σ reach · |q̇|
    (:class:`PairReach`).

    Args:
        model: The robot.
        parameters: Shapes, least distance, and the braking acceleration relied on.
        joint_acceleration: Largest acceleration of any joint, kept by another limit, rad/s².
        period: Control period, s.

    Attributes:
        pair_names: Names of all pairs.
        nearest: Names and distances, m, of the pairs with a row, the most urgent first.
    """

    key, name = "self_collision", "self-collision distance"

    def __init__(
        self, model: RobotModel, parameters: SelfCollisionParameters, joint_acceleration: float, period: float
    ) -> None:
        self._parameters, self._period, self.rows = parameters, period, parameters.rows
        self._robot = model
        geometry = collision_geometry(model, parameters)
        shapes, pairs = geometry.geometryObjects, geometry.collisionPairs
        self.pair_names = tuple(f"{shapes[pair.first].name} {shapes[pair.second].name}" for pair in pairs)
        standing = model.standing_configuration()
        self._distances, self._is_quick = PairDistances(model.pinocchio, geometry, standing), are_quick(geometry)
        self._largest = np.zeros(model.nv)
        self._largest[model.v_index] = joint_acceleration
        self._set_reach(geometry, joint_acceleration)
        self.nearest: list[tuple[str, float]] = []
        self.row_names: tuple[str, ...] = ()
        self._all = np.arange(len(self.pair_names))
        self._since = model.joint_positions(standing)
        self._note(self._all)

    def _set_reach(self, geometry: pin.GeometryModel, joint_acceleration: float) -> None:
        reach, count = pair_reach(self._robot, geometry), len(self.pair_names)
        self._reach = np.concatenate([reach.distance, reach.lever])
        self._first, self._second, self._moving = reach.first, reach.second, reach.second - reach.first
        self._gain = joint_acceleration * reach.distance.sum(axis=1) + 2.0 * self._parameters.acceleration
        # Rows: way of each joint since its measurement, its speed.
        self._ways, self._bounds = np.zeros((2, self._robot.n)), np.zeros((2 * count, 2))
        self._room = np.zeros(count)

    def write(self, terms: Kinodynamics, C: Array, lower: Array, upper: Array) -> int:
        """See :class:`RowLimit`."""
        pairs = self._doubtful(terms)
        if len(pairs):
            pairs = self._measured(terms, pairs)
        if not len(pairs):
            self.nearest, self.row_names = [], ()
            return 0
        found = self.pair_rows(terms, pairs)
        needed = np.flatnonzero(found.free < 0.0)
        needed = needed[np.argsort(found.free[needed])[: self.rows]]
        used = len(needed)
        C[:used], lower[:used], upper[:used] = found.C[needed], found.lower[needed], np.inf
        distances = self._of(pairs[needed])[1] + self._parameters.distance
        self.nearest = [(self.pair_names[k], float(d)) for k, d in zip(pairs[needed].tolist(), distances.tolist())]
        self.row_names = tuple(f"{self.name} {pair}" for pair, _ in self.nearest)
        return used

    def _doubtful(self, terms: Kinodynamics) -> Indices:
        """Pairs that might need a row, by bounds alone."""
        ways, positions = self._ways, self._robot.joint_positions(terms.q)
        way = np.abs(positions - self._since)
        if self._is_quick:
            ways[0] = way
        else:
            ways[0] += way
            self._since = positions
        np.abs(terms.v[self._robot.v_joints], out=ways[1])
        bounds, count = np.dot(self._reach, ways.T, out=self._bounds), len(self._room)
        room, way_of_pair = self._room, bounds[:count, 0]
        speed = self._fastest(terms, bounds[:count, 1], bounds[count:, 1], room + way_of_pair)
        return self._may_be_late(room - way_of_pair, speed)

    def _fastest(self, terms: Kinodynamics, speed: Array, levers: Array, room: Array) -> Array:
        """(pairs,) speed of approach after a tick, plus what the test of :meth:`_may_be_late` adds, m/s.

        With ω the sum of all angular speeds and u that of speed times lever, what the speeds alone make of d̈ is at most
        ω (ω d + 3 u): ω |v₂ − v₁| for what moves both shapes, 2 ω u for what moves one.
        """
        base = terms.v[: self._robot.nv - self._robot.n]
        omega = float(np.add.reduce(self._ways[1])) + math.sqrt(base.dot(base))
        curvature = omega * (room + self._parameters.distance)
        curvature += 3.0 * levers
        curvature *= omega
        curvature += self._gain
        curvature *= self._period
        curvature += speed
        return curvature

    def _may_be_late(self, room: Array, speed: Array) -> Indices:
        """Pairs that might not be able to brake within ``room`` (pairs,) any more after a tick."""
        needed = speed * speed
        needed *= 0.5 / self._parameters.acceleration
        needed -= room
        return np.flatnonzero(needed > 0.0) if needed.max() > 0.0 else _NOBODY

    def _measured(self, terms: Kinodynamics, pairs: Indices) -> Indices:
        """Those of ``pairs`` that a measurement does not rule out; where measuring is quick, all pairs are measured anew."""
        self._distances.place(terms.data)
        if self._is_quick:
            self._distances.measure()
            self._since = self._robot.joint_positions(terms.q)
            self._ways[0] = 0.0
            self._note(self._all)
        else:
            self._distances.measure(pairs.tolist())
            self._note(pairs)
        return self._doubtful(terms)

    def _note(self, pairs: Indices) -> None:
        """Room of pairs just measured, put so that the joints' ways so far are taken off again."""
        self._room[pairs] = self._of(pairs)[1] + self._reach[pairs].dot(self._ways[0])

    def _of(self, pairs: Indices) -> tuple[Array, Array]:
        """(pairs, 9) geometry and (pairs,) distance beyond the least one, m, of the last measurement."""
        found = self._distances.read()[pairs]
        distance = np.einsum("ij,ij->i", found[:, :3], found[:, 6:] - found[:, 3:6])
        return found, distance - self._parameters.distance

    def pair_rows(self, terms: Kinodynamics, pairs: Indices) -> PairRows:
        """Rows of ``pairs``, measured just now.

        With spatial motion at the world's origin a point p of a body moves with v + ω × p, so n asks the force (n, p × n) of
        it, and its classical acceleration along n is (n, p × n)·(a, α) + n·(ω × v_p).
        """
        found, room = self._of(pairs)
        normal, point = found[:, :3], found[:, 3:6]
        force = np.concatenate([normal, np.cross(point, normal)], axis=1)
        data = terms.data
        C = force.dot(data.J)
        C *= self._moving[pairs]
        pin.computeJointJacobiansTimeVariation(self._robot.pinocchio, data, terms.q, terms.v)
        drift = ((force @ (data.dJ * terms.v)) * self._moving[pairs]).sum(axis=1)
        motion = (data.J * terms.v).T
        drift += _turning(normal, found[:, 6:], self._second[pairs] @ motion)
        drift -= _turning(normal, point, self._first[pairs] @ motion)
        speed, period, braking = -C.dot(terms.v), self._period, self._parameters.acceleration
        bound = viable_upper_acceleration(room, speed, np.full(len(pairs), _ANY), _ANY, period, braking)
        # A pair that nothing can stop in time brakes with all that is relied on.
        bound = np.maximum(bound, -braking)
        return PairRows(C, -bound - drift, bound + drift - np.abs(C).dot(self._largest))


def _turning(normal: Array, point: Array, motion: Array) -> Array:
    """(pairs,) n·(ω × v_p) of points (pairs, 3) of bodies with spatial motions (pairs, 6) at the world's origin, m/s²."""
    omega = motion[:, 3:]
    velocity = motion[:, :3] + np.cross(omega, point)
    turning: Array = np.einsum("ij,ij->i", normal, np.cross(omega, velocity))
    return turning
