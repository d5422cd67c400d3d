"""A set of frictional point contacts on one body: what closure, wrench sets and grasp margins are asked about."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, friction_coefficients, in_range
from wbc_control.contact_mechanics.contact_frame import frame_from_normal
from wbc_control.contact_mechanics.grasp_matrix import grasp_matrix
from wbc_control.contact_mechanics.polyhedral_cone import INSCRIBED, polyhedral_cone

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Grasp:
    """n contacts.

    Attributes:
        points: (n, 3) m.
        normals: (n, 3), any length, into the body (the direction in which a contact pushes).
        friction: (n,) μ; one number serves all.
        origin: (3,) point moments are taken about, m.
        length: What moments are divided by to compare them with forces, m (a size of the body).

    Raises:
        ShapeError, DomainError: Wrong shapes, values not finite, μ < 0, a normal without direction, length ≤ 0.
    """

    points: Array
    normals: Array
    friction: Array
    origin: Array
    length: float = 1.0

    def __post_init__(self) -> None:
        points = finite_array("points", self.points, (-1, 3))
        normals = finite_array("normals", self.normals, (len(points), 3))
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "normals", normals)
        object.__setattr__(self, "friction", friction_coefficients(self.friction, len(points)))
        object.__setattr__(self, "origin", finite_array("origin", self.origin, (3,)))
        in_range("length", self.length, 0.0, open_low=True)
        rotations = np.array([frame_from_normal(n) for n in normals]).reshape(-1, 3, 3)
        matrix = grasp_matrix(points, self.origin, rotations)
        matrix[3:] /= self.length
        object.__setattr__(self, "_matrix", matrix)

    @property
    def contacts(self) -> int:
        """n."""
        return len(self.points)

    @property
    def matrix(self) -> Array:
        """G (6, 3n) on contact-frame forces; moment rows over ``length``, N."""
        return self._matrix  # type: ignore[attr-defined, no-any-return]

    def blocks(self) -> Array:
        """G by contact: (n, 6, 3)."""
        return self.matrix.reshape(6, -1, 3).transpose(1, 0, 2)

    def generators(self, facets: int, approximation: str = INSCRIBED) -> Array:
        """(n·m, 6) wrenches of the edges of the linearised cones, each of unit normal force."""
        rows = []
        for block, friction in zip(self.blocks(), self.friction):
            edges = polyhedral_cone(float(friction), facets, approximation=approximation).generators
            rows.append(edges / edges[:, 2:] @ block.T)
        return np.vstack(rows) if rows else np.zeros((0, 6))

    def normal_wrenches(self) -> Array:
        """(n, 6) wrenches of unit normal forces."""
        return self.blocks()[:, :, 2]

    def support_points(self, direction: Array) -> Array:
        """(n, 6): for each contact, the wrench of the section f_n = 1 of its cone farthest along ``direction`` (6,)."""
        blocks = self.blocks()
        along = np.einsum("nij,i->nj", blocks, direction)
        length = np.hypot(along[:, 0], along[:, 1])
        scale = self.friction / np.where(length > 0.0, length, 1.0)
        forces = np.column_stack([along[:, 0] * scale, along[:, 1] * scale, np.ones(len(blocks))])
        return np.asarray(np.einsum("nij,nj->ni", blocks, forces))


def centred_grasp(points: Array, normals: Array, friction: float | Array, length: float = 1.0) -> Grasp:
    """A :class:`Grasp` with moments about the mean contact point."""
    array = finite_array("points", points, (-1, 3))
    centre = array.mean(axis=0) if len(array) else np.zeros(3)
    return Grasp(array, normals, np.asarray(friction), centre, length)
