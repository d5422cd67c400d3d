"""The kinds of contact, one a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wbc_control.contact_mechanics.aligned_pyramid import AlignedPyramids
from wbc_control.errors import ParameterError
from wbc_control.model import Foot
from wbc_control.parameters.controller import ContactConstraintParameters, FootContactParameters
from wbc_control.wbc.contacts.contact import AIR, FULL, RAMP, Array, Contact, Modes, contact_modes
from wbc_control.wbc.contacts.corner_contact import CornerContact
from wbc_control.wbc.contacts.line_contact import LineContact
from wbc_control.wbc.contacts.point_contact import PointContact
from wbc_control.wbc.contacts.sole_contact import SoleContact
from wbc_control.wbc.contacts.surface import ContactSurface

__all__ = [
    "AIR",
    "FULL",
    "RAMP",
    "AlignedPyramids",
    "Contact",
    "ContactSurface",
    "CornerContact",
    "LineContact",
    "Modes",
    "PointContact",
    "SoleContact",
    "contact_for",
    "contact_modes",
]

_EDGES = {
    "front": np.array([1.0, 0.0, 0.0]),
    "back": np.array([-1.0, 0.0, 0.0]),
    "left": np.array([0.0, 1.0, 0.0]),
    "right": np.array([0.0, -1.0, 0.0]),
}
_MOST_WRENCH_FACETS = 4
"""With more facets the wrench cone has hundreds of rows, and forces at the corners are cheaper."""


def contact_for(index: int, foot: Foot, parameters: ContactConstraintParameters) -> Contact:
    """The contact that fits the foot's sole and the wanted cone: a point, an edge, one wrench, or forces
    at the corners.

    Raises:
        ParameterError: A wrench asked for with an aligned cone, or an edge of a foot that has none.
    """
    own = parameters.feet.get(foot.name, FootContactParameters())
    if own.edge != "none":
        foot = replace(foot, corners=_edge_corners(foot, own.edge))
    if foot.is_point:
        return PointContact(index, foot, parameters, own)
    if np.linalg.matrix_rank(foot.corners - foot.corners.mean(axis=0), tol=1e-6) < 2:
        return LineContact(index, foot, parameters, own)
    kind = CornerContact if _wants_corners(parameters) else SoleContact
    return kind(index, foot, parameters, own)


def _edge_corners(foot: Foot, edge: str) -> Array:
    """(2, 3) the two corners furthest towards ``edge``."""
    if len(foot.corners) < 3:
        raise ParameterError(
            "only a sole with at least 3 corners has edges", where=f"contact.feet.{foot.name}.edge", value=edge
        )
    direction = _EDGES[edge]
    return foot.corners[np.argsort(foot.corners @ direction)[-2:]]


def _wants_corners(parameters: ContactConstraintParameters) -> bool:
    aligned = parameters.cone == "aligned"
    if parameters.model == "wrench" and aligned:
        message = "an aligned cone needs forces at the corners: set contact.model to auto or corners"
        raise ParameterError(message, where="contact.model", value="wrench")
    return (
        parameters.model == "corners"
        or aligned
        or (parameters.model == "auto" and parameters.facets > _MOST_WRENCH_FACETS)
    )
