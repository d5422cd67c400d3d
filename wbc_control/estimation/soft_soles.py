"""Soft soles: how far each foot has sunk under its load, from the inverse of the soft-contact law.

A rubber sole on hard ground, or a hard one on a mat, lets the sole's frame sink by δ(f) with the speed δ̇ while load comes
onto it.  Taken for a rigid sole, a foot that is loaded faster than it is found to stand, and unloaded later than it is
found to lift, makes the base sink a little with every step.
"""

from __future__ import annotations

from wbc_control.contact_mechanics.soft_contact import HuntCrossley, LinearContact, SoftContact
from wbc_control.estimation.base_observer import BaseObserver
from wbc_control.parameters.soles import SoleParameters

_SMOOTHING_S = 0.003
"""Time constant of δ̇: a force sensor's noise is differentiated."""


class SoftSoles:
    """Moves what is seen of each foot from the sunken sole up to the ground it presses on.

    Args:
        feet: Number of feet.
    """

    def __init__(self, feet: int) -> None:
        self._law: SoftContact | None = None
        self._feet = feet
        self.reset()

    def reset(self) -> None:
        """Forget the loads."""
        self._depth, self._rate = [0.0] * self._feet, [0.0] * self._feet

    def configure(self, parameters: SoleParameters) -> None:
        """Take the law; none for a stiffness of 0."""
        stiffness = parameters.stiffness
        if stiffness <= 0.0:
            self._law = None
        else:
            self._law = LinearContact(stiffness) if parameters.law == "linear" else HuntCrossley(stiffness)

    def raise_feet(self, base: BaseObserver, dt: float) -> None:
        """Add δ(f_z) to the height of every foot seen, and δ̇ to its speed; nothing for rigid soles.

        Args:
            base: Its ``seen`` and ``resting_velocity`` are changed in place.
            dt: Time since the last call, s, > 0.
        """
        law = self._law
        if law is None:
            return
        share = dt / (dt + _SMOOTHING_S)
        for k, (place, velocity, _, force, _) in enumerate(base.seen):
            depth = law.penetration(force[2])
            self._rate[k] += share * ((depth - self._depth[k]) / dt - self._rate[k])
            self._depth[k] = depth
            place[2] += depth
            velocity[2] += self._rate[k]
            x, y, z = base.resting_velocity[k]
            base.resting_velocity[k] = (x, y, z + self._rate[k])
