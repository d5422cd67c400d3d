"""How fast each joint can change the distance of each pair of shapes, whatever the posture."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.model import RobotModel

Array = NDArray[np.float64]

_PRISMATIC = {f"JointModelP{axis}" for axis in "XYZ"} | {"JointModelPrismaticUnaligned"}
_ANY_LENGTH = 1e3
"""Travel of a prismatic joint without limits, m."""


class PairReach(NamedTuple):
    """What each joint can do to each pair of shapes, whatever the posture.

    Attributes:
        distance: (pairs, n) bound of |∂d/∂q| of the distance d, m/rad; 1 for a prismatic joint that moves the pair.  Between
            a pair's nearest points p₂ − p₁ = d n, so ∂d/∂q = ±n·(z × (p − o)) with either of them: the lever of the joint
            to the nearer of the two shapes at its furthest counts.
        lever: (pairs, n) bound of the lever to the shape that the joint moves, m.
        first, second: (pairs, nv) 1 where a joint, or the base, moves the first, the second shape.
    """

    distance: Array
    lever: Array
    first: Array
    second: Array


def pair_reach(model: RobotModel, geometry: pin.GeometryModel) -> PairReach:
    """Bounds for every pair of ``geometry``."""
    chains, tree = _Chains(model.pinocchio), model.pinocchio
    shapes = [_core(shape) for shape in geometry.geometryObjects]
    distance, lever = np.zeros((2, len(geometry.collisionPairs), tree.nv))
    moves = np.zeros((tree.njoints, tree.nv))
    for joint in range(1, tree.njoints):
        for above in list(tree.supports[joint])[1:]:
            moves[joint, tree.idx_vs[above] : tree.idx_vs[above] + tree.nvs[above]] = 1.0
    ends = [(shapes[pair.first], shapes[pair.second]) for pair in geometry.collisionPairs]
    for near, own, (first, second) in zip(distance, lever, ends):
        chains.add(near, own, first, second)
        chains.add(near, own, second, first)
    firsts, seconds = (np.array([moves[pair[side].joint] for pair in ends]) for side in (0, 1))
    return PairReach(distance[:, model.v_index], lever[:, model.v_index], firsts, seconds)


class _Core(NamedTuple):
    """A shape as points in its joint's frame and a radius around them that no lever may ignore."""

    joint: int
    points: Array
    radius: float

    def furthest(self, origin: Array) -> float:
        return float(np.linalg.norm(self.points - origin, axis=1).max()) + self.radius

    def furthest_from_axis(self, axis: Array) -> float:
        return float(np.linalg.norm(np.cross(axis, self.points), axis=1).max()) + self.radius


def _core(shape: pin.GeometryObject) -> _Core:
    """Capsules and balls by their axis: the normal passes through it, so the radius makes no lever; the rest by a ball."""
    joint, place, body = int(shape.parentJoint), shape.placement, shape.geometry
    kind = type(body).__name__
    if kind in ("Capsule", "Sphere"):
        half = float(body.halfLength) if kind == "Capsule" else 0.0
        ends = np.array([[0.0, 0.0, half], [0.0, 0.0, -half]])
        return _Core(joint, ends @ place.rotation.T + place.translation, 0.0)
    body.computeLocalAABB()
    centre = place.act(np.array(body.aabb_center).reshape(3))
    return _Core(joint, centre[None], float(body.aabb_radius))


class _Chains:
    """Levers along the kinematic tree; joints' frames sit on their axes."""

    def __init__(self, tree: pin.Model) -> None:
        self._tree = tree
        self._supports = [list(tree.supports[joint]) for joint in range(tree.njoints)]
        self._offsets = [np.array(place.translation) for place in tree.jointPlacements]
        self._travel = [self._most_travel(joint) for joint in range(tree.njoints)]
        self._axes = self._joint_axes()

    def _most_travel(self, joint: int) -> float:
        if joint == 0:
            return 0.0
        model = self._tree.joints[joint]
        if model.shortname() not in _PRISMATIC:
            return 0.0
        rows = slice(model.idx_q, model.idx_q + model.nq)
        limits = np.abs(np.concatenate([self._tree.lowerPositionLimit[rows], self._tree.upperPositionLimit[rows]]))
        return float(min(limits.max(), _ANY_LENGTH))

    def _joint_axes(self) -> list[Array]:
        """(6, nv of the joint) motion of each joint in its own frame."""
        data = self._tree.createData()
        q = pin.neutral(self._tree)
        axes = [np.zeros((6, 0))]
        for joint in range(1, self._tree.njoints):
            column = slice(self._tree.idx_vs[joint], self._tree.idx_vs[joint] + self._tree.nvs[joint])
            axes.append(np.array(pin.computeJointJacobian(self._tree, data, q, joint))[:, column])
        return axes

    def add(self, near: Array, own_side: Array, own: _Core, other: _Core) -> None:
        """Write the bounds (nv,), (nv,) of the joints that move ``own`` and not ``other``."""
        above, below = self._supports[own.joint], self._supports[other.joint]
        common = sum(a == b for a, b in zip(above, below))
        for place in range(common, len(above)):
            joint = above[place]
            out = self._outwards(above[place:], own)
            far = min(out, self._inwards(above[common : place + 1], below[common:], other))
            for i in range(self._tree.nvs[joint]):
                column = self._tree.idx_vs[joint] + i
                linear, axis = self._axes[joint][:3, i], self._axes[joint][3:, i]
                lever = far if place < len(above) - 1 else min(far, own.furthest_from_axis(axis))
                near[column] = np.linalg.norm(linear) + np.linalg.norm(axis) * lever
                own_side[column] = np.linalg.norm(linear) + np.linalg.norm(axis) * out

    def _outwards(self, joints: list[int], own: _Core) -> float:
        """From the first joint's origin to the shape on the last."""
        if len(joints) == 1:
            return own.furthest(np.zeros(3)) + self._travel[joints[0]]
        length = sum(float(np.linalg.norm(self._offsets[joint])) + self._travel[joint] for joint in joints[1:])
        return length + self._travel[joints[0]] + own.furthest(np.zeros(3))

    def _inwards(self, joints: list[int], others: list[int], other: _Core) -> float:
        """From the last joint's origin back to the first, whose parent carries the other branch, and out on that."""
        length = sum(float(np.linalg.norm(self._offsets[joint])) + self._travel[joint] for joint in joints[1:])
        length += self._travel[joints[0]]
        start = self._offsets[joints[0]]
        if not others:
            return length + other.furthest(start)
        length += float(np.linalg.norm(self._offsets[others[0]] - start)) + self._travel[others[0]]
        return length + self._outwards(others, other)
