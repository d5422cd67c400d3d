"""A Pinocchio model with contact points over the ground, as a :class:`Mechanism` for the time-stepping schemes.

Pinocchio is imported when an object is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_points import ContactPoint, ContactPoints, PointContacts
from wbc_control.contact_mechanics.joint_stops import JointStops
from wbc_control.contact_mechanics.mechanism import ContactSet
from wbc_control.contact_mechanics.support_surface import LevelGround, SupportSurface

__all__ = ["ContactPoint", "PinocchioMechanism"]

Array = NDArray[np.float64]


class PinocchioMechanism:
    """Pinocchio dynamics, contact points over a surface, and the stops of the joints if asked for.

    Args:
        model: ``pinocchio.Model``.
        points: Contact points.
        effort: Of (q, v) to the actuation (nv,), N·m or N; none by default.
        surface: The ground; level at world z = 0 by default.
        reach: Points farther than this from the ground are left out of the contact set, m.
        stops: Whether joint limits are contacts too (without friction, after the points).

    Raises:
        ModelError: A frame does not exist.
    """

    def __init__(
        self,
        model: Any,
        points: Sequence[ContactPoint],
        effort: Callable[[Array, Array], Array] | None = None,
        surface: SupportSurface | None = None,
        reach: float = np.inf,
        stops: bool = False,
    ) -> None:
        import pinocchio

        self._pin = pinocchio
        self.model = model
        self.data = model.createData()
        self.points = tuple(points)
        self.effort = effort
        self._points = ContactPoints(model, points, surface or LevelGround(), reach)
        self._stops = JointStops(model) if stops else None
        self._friction = np.array([point.friction for point in points])
        self._restitution = np.array([point.restitution for point in points])
        self.near: PointContacts | None = None

    def mass_matrix(self, q: Array) -> Array:
        """See :class:`Mechanism`."""
        upper = np.triu(self._pin.crba(self.model, self.data, q))
        return np.asarray(upper + np.triu(upper, 1).T)

    def force(self, q: Array, v: Array) -> Array:
        """Actuation minus Coriolis, gyroscopic and gravity terms; (nv,)."""
        bias = self._pin.nonLinearEffects(self.model, self.data, q, v)
        return np.asarray(-bias if self.effort is None else self.effort(q, v) - bias)

    def integrate(self, q: Array, displacement: Array) -> Array:
        """See :class:`Mechanism`."""
        return np.asarray(self._pin.integrate(self.model, q, displacement))

    def contacts(self, q: Array) -> ContactSet:
        """Points near the ground, labelled with their number, then stops; the points' part stays in ``near``."""
        self._pin.computeJointJacobians(self.model, self.data, q)
        near = self.near = self._points.near(self.data)
        friction, restitution = self._friction[near.index], self._restitution[near.index]
        if self._stops is None:
            return ContactSet(near.jacobian, near.gap, friction, restitution, near.index)
        stops, gaps, rows = self._stops.near(q)
        none = np.zeros(len(stops))
        return ContactSet(
            np.vstack([near.jacobian, rows]),
            np.concatenate([near.gap, gaps]),
            np.concatenate([friction, none]),
            np.concatenate([restitution, none]),
            np.concatenate([near.index, stops + len(self.points)]),
        )

    def energy(self, q: Array, v: Array) -> float:
        """Kinetic plus gravitational energy, J."""
        kinetic = self._pin.computeKineticEnergy(self.model, self.data, q, v)
        return float(kinetic + self._pin.computePotentialEnergy(self.model, self.data, q))
