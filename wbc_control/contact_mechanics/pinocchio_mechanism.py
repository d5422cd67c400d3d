"""A Pinocchio model with contact points over level ground, as a :class:`Mechanism` for the time-stepping schemes.

Pinocchio is imported when an object is made, and nowhere else in this package.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.mechanism import ContactSet
from wbc_control.errors import ModelError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactPoint:
    """A point of the robot that may touch the ground.

    Attributes:
        frame: Name of the Pinocchio frame it is fixed to.
        offset: (3,) in that frame, m.
        friction: μ.
        restitution: e in [0, 1].
        radius: Of a sphere about the point, m.
    """

    frame: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    friction: float = 0.8
    restitution: float = 0.0
    radius: float = 0.0


class PinocchioMechanism:
    """Pinocchio dynamics, ground at a fixed height, contact frames with world axes.

    Args:
        model: ``pinocchio.Model``.
        points: Contact points.
        effort: Of (q, v) to the actuation (nv,), N·m or N; none by default.
        ground_height: World z of the ground, m.
        reach: Points higher than this above the ground are left out of the contact set, m.

    Raises:
        ModelError: A frame does not exist.
    """

    def __init__(
        self,
        model: Any,
        points: Sequence[ContactPoint],
        effort: Callable[[Array, Array], Array] | None = None,
        ground_height: float = 0.0,
        reach: float = np.inf,
    ) -> None:
        import pinocchio

        self._pin = pinocchio
        self.model = model
        self.data = model.createData()
        self.points = tuple(points)
        self.effort = effort
        self.ground_height = ground_height
        self.reach = reach
        unknown = [p.frame for p in points if not model.existFrame(p.frame)]
        if unknown:
            raise ModelError(f"no such frames: {unknown}", where="contact points", value=unknown, bound="model frames")
        self._frames = [model.getFrameId(p.frame) for p in points]
        self._offsets = [np.array(p.offset) for p in points]

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
        """Points within ``reach`` of the ground; which ones is in ``active_points`` afterwards."""
        pin, model, data = self._pin, self.model, self.data
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        rows, gaps, active = [], [], []
        for i, (point, frame, offset) in enumerate(zip(self.points, self._frames, self._offsets)):
            placement = data.oMf[frame]
            arm = placement.rotation @ offset
            gap = placement.translation[2] + arm[2] - point.radius - self.ground_height
            if gap > self.reach:
                continue
            arm[2] -= point.radius
            jacobian = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
            rows.append(jacobian[:3] + np.cross(jacobian[3:].T, arm).T)
            gaps.append(gap)
            active.append(i)
        self.active_points = tuple(active)
        return ContactSet(
            np.vstack(rows) if rows else np.zeros((0, model.nv)),
            np.array(gaps),
            np.array([self.points[i].friction for i in active]),
            np.array([self.points[i].restitution for i in active]),
        )

    def energy(self, q: Array, v: Array) -> float:
        """Kinetic plus gravitational energy, J."""
        kinetic = self._pin.computeKineticEnergy(self.model, self.data, q, v)
        return float(kinetic + self._pin.computePotentialEnergy(self.model, self.data, q))
