"""Points of a Pinocchio model that may touch the ground, and the part of the contact set they make.

Points are kept in the frames of the joints that move them, so that one joint Jacobian serves all points of a body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.support_surface import SupportSurface, frames_from_normals
from wbc_control.errors import ModelError

Array = NDArray[np.float64]
IntArray = NDArray[np.intp]

_LEVEL = np.eye(3)[None]


@dataclass(frozen=True)
class ContactPoint:
    """A point of the robot that may touch the ground.

    Attributes:
        frame: Name of the Pinocchio frame it is fixed to.
        offset: (3,) in that frame, m.
        friction: μ.
        restitution: e in [0, 1].
        radius: Of a sphere about the point, m.
        is_joint: Whether ``frame`` names a joint, whose frame is meant, rather than any other frame.
    """

    frame: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    friction: float = 0.8
    restitution: float = 0.0
    radius: float = 0.0
    is_joint: bool = False


@dataclass(frozen=True, eq=False)
class PointContacts:
    """Points near the ground in one configuration.

    Attributes:
        index: (k,) which points.
        position: (k, 3) where they would touch (the lowest point of a sphere along the normal), world, m.
        rotation: (k, 3, 3) contact frames in world, z normal.
        gap: (k,) signed distance, m.
        jacobian: (3k, nv) velocities in the contact frames.
    """

    index: IntArray
    position: Array
    rotation: Array
    gap: Array
    jacobian: Array


@dataclass(frozen=True, eq=False)
class _Body:
    """Points moved by one joint: offsets (k, 3) in its frame, their numbers, radii and farthest reach from its origin."""

    joint: int
    offsets: Array
    index: IntArray
    radii: Array
    reach: float


class ContactPoints:
    """Finds the points near a surface.

    Args:
        model: ``pinocchio.Model``.
        points: The points.
        surface: The ground.
        reach: Points farther than this from the ground are left out, m.

    Raises:
        ModelError: A frame does not exist.
    """

    def __init__(self, model: Any, points: Sequence[ContactPoint], surface: SupportSurface, reach: float) -> None:
        import pinocchio

        self._pin, self._model = pinocchio, model
        self.surface, self.reach = surface, reach
        known = {True: model.existJointName, False: model.existFrame}
        unknown = [p.frame for p in points if not known[p.is_joint](p.frame)]
        if unknown:
            raise ModelError(f"no such frames: {unknown}", where="contact points", value=unknown, bound="model frames")
        self._bodies = _by_joint(model, points)
        self._radii = np.array([body.reach + reach for body in self._bodies])

    def near(self, data: Any) -> PointContacts:
        """Contacts of the configuration whose joint placements and Jacobians ``data`` holds."""
        if not self._bodies:
            return self._none()
        origins = np.array([data.oMi[body.joint].translation for body in self._bodies])
        candidates = np.flatnonzero(~self.surface.clear_of(origins, self._radii)).tolist()
        found = [part for i in candidates for part in self._of_body(self._bodies[i], data)]
        if not found:
            return self._none()
        index, position, rotation, gap, jacobian = (np.concatenate(column) for column in zip(*found))
        return PointContacts(index, position, rotation, gap, jacobian.reshape(-1, self._model.nv))

    def _none(self) -> PointContacts:
        empty = np.zeros(0)
        index, jacobian = np.zeros(0, dtype=np.intp), np.zeros((0, self._model.nv))
        return PointContacts(index, empty.reshape(0, 3), empty.reshape(0, 3, 3), empty, jacobian)

    def _of_body(self, body: _Body, data: Any) -> list[tuple[IntArray, Array, Array, Array, Array]]:
        """One tuple, or none where all points are out of reach."""
        placement = data.oMi[body.joint]
        origin = placement.translation
        arms = body.offsets @ placement.rotation.T
        gap, normal = self.surface.gap_and_normal(arms + origin)
        gap = gap - body.radii
        near = np.flatnonzero(gap <= self.reach)
        if not len(near):
            return []
        normal = normal[near]
        arms = arms[near] - body.radii[near, None] * normal
        rotation = _LEVEL[np.zeros(len(near), dtype=np.intp)] if self.surface.level else frames_from_normals(normal)
        return [
            (body.index[near], arms + origin, rotation, gap[near], self._jacobian(body.joint, data, arms, rotation))
        ]

    def _jacobian(self, joint: int, data: Any, arms: Array, rotation: Array) -> Array:
        """(k, 3, nv) velocity of the points at ``arms`` from the joint's origin, in contact frames."""
        pin = self._pin
        whole = pin.getJointJacobian(self._model, data, joint, pin.LOCAL_WORLD_ALIGNED)
        linear, (ax, ay, az) = whole[:3], whole[3:]
        x, y, z = arms[:, 0, None], arms[:, 1, None], arms[:, 2, None]
        turning = np.stack([ay * z - az * y, az * x - ax * z, ax * y - ay * x], axis=1)
        in_world = linear + turning
        if self.surface.level:
            return np.asarray(in_world)
        return np.asarray(np.matmul(rotation.transpose(0, 2, 1), in_world))


def _by_joint(model: Any, points: Sequence[ContactPoint]) -> list[_Body]:
    """Points grouped by the joint that moves them, offsets in its frame."""
    groups: dict[int, list[tuple[int, Array, float]]] = {}
    for number, point in enumerate(points):
        joint, offset = _in_joint(model, point)
        groups.setdefault(joint, []).append((number, offset, point.radius))
    bodies = []
    for joint, members in groups.items():
        index, offsets, radii = (np.array(column) for column in zip(*members))
        reach = float((np.linalg.norm(offsets, axis=1) + radii).max())
        bodies.append(_Body(joint, offsets, index.astype(np.intp), radii, reach))
    return bodies


def _in_joint(model: Any, point: ContactPoint) -> tuple[int, Array]:
    """The joint that moves the point, and the point in its frame."""
    offset = np.array(point.offset, dtype=float)
    if point.is_joint:
        return int(model.getJointId(point.frame)), offset
    frame = model.frames[model.getFrameId(point.frame)]
    return int(frame.parentJoint), np.asarray(frame.placement.act(offset))
