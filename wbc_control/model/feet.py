"""Feet: soles with their corner points, as frames of the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.errors import ModelError
from wbc_control.parameters.robot import FootParameters, RobotParameters
from wbc_control.spatial import roll_pitch_yaw_to_matrix

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Foot:
    """One foot.

    Attributes:
        name: Name of the foot and of its sole frame.
        link: Link that carries the sole.
        frame_id: Pinocchio frame of the sole.
        corners: (k, 3) contact points in the sole frame, m; k = 1 is a point foot.
        radius: Radius of a spherical point foot, m; the ground is touched this far below the corner.
    """

    name: str
    link: str
    frame_id: int
    corners: Array
    radius: float

    @property
    def is_point(self) -> bool:
        """Whether the foot transmits force only, no moment."""
        return len(self.corners) == 1


def add_feet(model: pin.Model, parameters: RobotParameters) -> tuple[Foot, ...]:
    """Add one operational frame per sole to ``model`` and describe the feet.

    Raises:
        ModelError: The link is missing, or the corners are not three numbers each.
    """
    return tuple(_add_foot(model, name, foot, parameters.name) for name, foot in parameters.feet.items())


def _add_foot(model: pin.Model, name: str, foot: FootParameters, robot: str) -> Foot:
    where = f"{robot}, parameter 'robot.feet.{name}'"
    corners = np.array(foot.corners, dtype=float)
    if corners.size % 3 or not corners.size or len(foot.origin) != 3 or len(foot.rpy) != 3:
        raise ModelError(
            "origin and rpy take 3 numbers, corners 3 for each corner and at least one", where=where, value=foot.corners
        )
    if corners.size == 6:
        raise ModelError(
            "2 corners make a line, which no foot of this stack is: give 1 or at least 3",
            where=where,
            value=foot.corners,
        )
    if not model.existBodyName(foot.link):
        raise ModelError(f"the URDF has no link '{foot.link}'", where=f"{where}.link", value=foot.link)
    parent = model.frames[model.getBodyId(foot.link)]
    placement = parent.placement * pin.SE3(roll_pitch_yaw_to_matrix(*foot.rpy), np.array(foot.origin, dtype=float))
    frame_id = _existing_sole(model, name, parent, placement, where) if model.existFrame(name) else None
    if frame_id is None:
        frame = pin.Frame(name, parent.parentJoint, model.getBodyId(foot.link), placement, pin.FrameType.OP_FRAME)
        frame_id = model.addFrame(frame, False)
    return Foot(name, foot.link, int(frame_id), corners.reshape(-1, 3), foot.radius)


def _existing_sole(model: pin.Model, name: str, parent: pin.Frame, placement: pin.SE3, where: str) -> int:
    """A URDF may bring its sole link under the foot's own name: the same frame then, or a contradiction."""
    existing = model.frames[model.getFrameId(name)]
    if existing.parentJoint != parent.parentJoint or not existing.placement.isApprox(placement, 1e-6):
        message = (
            f"the URDF's own frame '{name}' lies elsewhere than origin and rpy say: correct them or rename the foot"
        )
        raise ModelError(message, where=where, value=name)
    return int(model.getFrameId(name))
