"""Contact wrench cone of a flat sole as half-spaces A w ≤ 0: friction, centre of pressure and yaw torque in one matrix.

w = [f_x, f_y, f_z, m_x, m_y, m_z], N and N·m, is the wrench on the robot in the sole frame: z along the normal, into
the robot.  The cone is exactly the set of wrenches that forces in linearised friction cones at the sole's corners can
make.  For a rectangle it has the closed form of Caron, Pham and Nakamura, *Stability of surface contacts for humanoid
robots: closed-form formulae of the contact wrench cone for rectangular support areas* (ICRA 2015); for other convex
soles it is computed from the corners' generators.
"""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, friction_coefficient, in_range
from wbc_control.contact_mechanics.double_description import cone_half_spaces
from wbc_control.contact_mechanics.grasp_matrix import grasp_matrix
from wbc_control.contact_mechanics.polyhedral_cone import INSCRIBED, polyhedral_cone
from wbc_control.errors import ShapeError

Array = NDArray[np.float64]


def rectangle_wrench_cone(
    half_length: float, half_width: float, friction: float, *, approximation: str = INSCRIBED
) -> Array:
    """A (16, 6) of a rectangle centred on the sole frame's origin, faces of the friction pyramid across x and y.

    Caron 2015, eqs. 15–20: |f_x|, |f_y| ≤ c f_z; |m_x| ≤ Y f_z; |m_y| ≤ X f_z; m_min ≤ m_z ≤ m_max, with
    c = μ/√2 (inscribed) or μ (circumscribed, which allows √2 μ on the diagonal).

    Args:
        half_length: X > 0, along x, m.
        half_width: Y > 0, along y, m.
        friction: μ ≥ 0.
        approximation: ``"inscribed"`` or ``"circumscribed"``.

    Raises:
        DomainError: A size that is not positive, μ < 0, or an unknown approximation.
    """
    x = in_range("half length", half_length, 0.0, open_low=True)
    y = in_range("half width", half_width, 0.0, open_low=True)
    pyramid = polyhedral_cone(friction, 4, approximation=approximation, rotation=math.pi / 4)
    c = float(-pyramid.half_spaces[0, 2])
    rows = [[1, 0, -c, 0, 0, 0], [-1, 0, -c, 0, 0, 0], [0, 1, -c, 0, 0, 0], [0, -1, -c, 0, 0, 0]]
    rows += [[0, 0, -y, 1, 0, 0], [0, 0, -y, -1, 0, 0], [0, 0, -x, 0, 1, 0], [0, 0, -x, 0, -1, 0]]
    for sx in (1.0, -1.0):
        for sy in (1.0, -1.0):
            # m_z ≤ c(X+Y) f_z − |Y f_x + c m_x| − |X f_y + c m_y|, and its mirror image below.
            rows.append([sx * y, sy * x, -c * (x + y), sx * c, sy * c, 1])
            rows.append([sx * y, sy * x, -c * (x + y), -sx * c, -sy * c, -1])
    return np.array(rows, dtype=np.float64)


def sole_wrench_cone(
    corners: Array, friction: float, facets: int = 4, *, approximation: str = INSCRIBED, rotation: float | None = None
) -> Array:
    """A (k, 6), unit rows, of any convex sole given by its corners.

    Args:
        corners: (n, 3) in the sole frame, m; coplanar with normal z (a sole under the frame's origin has z < 0).
            One corner or a line of them gives equalities, as pairs of opposite rows.
        friction: μ ≥ 0.
        facets: m ≥ 3 of each corner's friction cone.
        approximation: ``"inscribed"`` or ``"circumscribed"``.
        rotation: Angle of the friction cones' first corner from x, rad; π/m by default: for m = 4 faces across x and y.

    Raises:
        ShapeError: No corners, or not (n, 3).
        DomainError: μ < 0, m < 3, or a value that is not finite.
    """
    return cone_half_spaces(corner_generators(corners, friction, facets, approximation, rotation))


def corner_generators(
    corners: Array,
    friction: float,
    facets: int = 4,
    approximation: str = INSCRIBED,
    rotation: float | None = None,
) -> Array:
    """Generators (n·m, 6): wrench of each edge of each corner's friction cone; arguments as above."""
    points = finite_array("corners", corners, (-1, 3))
    if len(points) == 0:
        raise ShapeError("a sole needs a corner", where="corners", value=0, bound=1)
    angle = math.pi / max(int(facets), 1) if rotation is None else rotation
    edges = polyhedral_cone(friction, facets, approximation=approximation, rotation=angle).generators
    blocks = grasp_matrix(points).reshape(6, len(points), 3)
    return np.asarray(np.einsum("dni,mi->nmd", blocks, edges)).reshape(-1, 6)


def point_wrench_cone(friction: float, facets: int = 4, *, approximation: str = INSCRIBED) -> Array:
    """A (m, 6) of a point foot: friction only, moments free of rows (the contact model gives the foot none)."""
    angle = math.pi / max(int(facets), 1)
    cone = polyhedral_cone(friction_coefficient(friction), facets, approximation=approximation, rotation=angle)
    return np.hstack([cone.half_spaces, np.zeros_like(cone.half_spaces)])


def in_wrench_cone(half_spaces: Array, wrench: Array, tolerance: float = 0.0) -> bool:
    """Whether A w ≤ ``tolerance``, row by row; a wrench that is not finite never is."""
    return bool((half_spaces @ wrench <= tolerance).all())
