"""Balance of one tick, from the state, the planned contact forces and accelerations: ZMP, DCM, support polygon, margins."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wbc_control.contact_mechanics.margins import capture_margin, capture_point, zmp_margins
from wbc_control.contact_mechanics.support_plane import SupportPlane, virtual_horizontal_plane
from wbc_control.contact_mechanics.support_polygon import SupportPolygon, sole_corners_world, support_polygon
from wbc_control.contact_mechanics.zmp import Zmp, zmp_of_contacts, zmp_of_momentum_rate
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.state.checks import Array, BoolArray

_HEIGHT_TOLERANCE_M = 0.03


@dataclass(frozen=True)
class Balance:
    """What is known about balance in one tick; None where it is undefined.

    Attributes:
        polygon: Support polygon in world, (k, 3) m; empty when undefined.
        zmp: (3,) world, m, of the planned contact forces.
        dcm: (2,) world, m, capture point of the linear inverted pendulum.
        zmp_distance: Distance of the ZMP to the border, m, positive inside.
        zmp_margin: The normalised index in 0..1.
        zmp_margin_from_motion: The same index from the planned accelerations instead of the planned forces.
        capture_distance: Distance of the capture point to the border, m, positive inside.
        forces: (n_feet, 3) planned force on each foot, world, N.
    """

    polygon: Array
    zmp: Array | None
    dcm: Array | None
    zmp_distance: float
    zmp_margin: float
    zmp_margin_from_motion: float
    capture_distance: float
    forces: Array


class BalanceObserver:
    """Judges balance on the level plane through the mean corner of the feet in contact.

    Args:
        model: The robot.
    """

    def __init__(self, model: RobotModel) -> None:
        self._feet, self._mass = model.feet, model.mass
        self._spread = _foot_spread(model)

    def observe(self, terms: Kinodynamics, in_contact: BoolArray, foot_wrench: Array, acceleration: Array) -> Balance:
        """Balance of a tick.

        Args:
            terms: Kinodynamics of the tick's state.
            in_contact: (n_feet,) which feet support.
            foot_wrench: (n_feet, 6) planned wrenches as in the controller's telemetry: sole frame for soles, world axes
                for point feet.
            acceleration: (nv,) planned q̈.
        """
        corners = self._corners(terms, in_contact)
        plane = virtual_horizontal_plane(corners)
        forces, moments = self._in_world(terms, foot_wrench)
        dcm = capture_point(
            _xy(terms.com), _xy(terms.com_velocity), float(terms.com[2] - (plane.origin[2] if plane else 0.0))
        )
        polygon = support_polygon(corners, plane, _HEIGHT_TOLERANCE_M) if plane is not None else None
        zmp = zmp_of_contacts(forces, terms.foot_position, plane, moments) if plane is not None else None
        margins = zmp_margins(zmp, polygon, (0.0, 0.0), self._spread)
        capture = capture_margin(terms.com, terms.com_velocity, polygon)
        return Balance(
            polygon=_vertices(polygon),
            zmp=_world(zmp, plane),
            dcm=np.array(dcm) if dcm is not None else None,
            zmp_distance=margins.distance if margins is not None else math.nan,
            zmp_margin=margins.normalised if margins is not None else math.nan,
            zmp_margin_from_motion=self._from_motion(terms, acceleration, plane, polygon),
            capture_distance=capture if capture is not None else math.nan,
            forces=forces,
        )

    def _from_motion(
        self, terms: Kinodynamics, acceleration: Array, plane: SupportPlane | None, polygon: SupportPolygon | None
    ) -> float:
        """The index by D'Alembert, from the rate of the centroidal momentum."""
        if plane is None:
            return math.nan
        rate = terms.momentum_map @ acceleration + terms.momentum_drift
        zmp = zmp_of_momentum_rate(self._mass, terms.com, rate[:3], rate[3:], plane)
        margins = zmp_margins(zmp, polygon, (0.0, 0.0), self._spread)
        return margins.normalised if margins is not None else math.nan

    def _corners(self, terms: Kinodynamics, in_contact: BoolArray) -> Array:
        """Corners of the supporting soles, (k, 3) world, m; the lowest point of a round foot."""
        rows = [
            sole_corners_world(foot.corners, terms.foot_rotation[i], terms.foot_position[i])
            - np.array([0.0, 0.0, foot.radius])
            for i, foot in enumerate(self._feet)
            if in_contact[i]
        ]
        return np.vstack(rows) if rows else np.zeros((0, 3))

    def _in_world(self, terms: Kinodynamics, foot_wrench: Array) -> tuple[Array, Array]:
        forces, moments = foot_wrench[:, :3].copy(), foot_wrench[:, 3:].copy()
        for i, foot in enumerate(self._feet):
            if not foot.is_point:
                forces[i], moments[i] = terms.foot_rotation[i] @ forces[i], terms.foot_rotation[i] @ moments[i]
        return forces, moments


def _foot_spread(model: RobotModel) -> float:
    """D of the ZMP margin, m: largest distance of two feet in the standing posture."""
    if not model.feet:
        return 1.0
    terms = Kinodynamics(model)
    terms.update(model.standing_configuration(), np.zeros(model.nv))
    centres = np.array(
        [
            (terms.foot_rotation[i] @ np.mean(foot.corners, axis=0) + terms.foot_position[i])[:2]
            for i, foot in enumerate(model.feet)
        ]
    )
    return max(float(np.linalg.norm(centres[:, None] - centres[None, :], axis=2).max()), 0.05)


def _xy(vector: Array) -> tuple[float, float]:
    return float(vector[0]), float(vector[1])


def _vertices(polygon: SupportPolygon | None) -> Array:
    if polygon is None:
        return np.zeros((0, 3))
    return np.array([polygon.plane.world_point(np.array(vertex)) for vertex in polygon.vertices])


def _world(zmp: Zmp | None, plane: SupportPlane | None) -> Array | None:
    return plane.world_point(np.array([zmp.x, zmp.y])) if zmp is not None and plane is not None else None
