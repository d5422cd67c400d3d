"""Contact impulses of a rigid step as world forces of the ground on each foot and wrenches on each joint's body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from wbc_control.contact_mechanics.mechanism import Step
from wbc_control.model import RobotModel
from wbc_control.simulation.contact_reading import ContactReading
from wbc_control.simulation.rigid_world import RigidWorld

Array = NDArray[np.float64]

_TOUCHING_M = 1e-6
"""A point this close to the ground at the end of a step touches it, loaded or not."""


@dataclass(frozen=True)
class StepForces:
    """What the ground did to the robot in one step.

    Attributes:
        reading: For the outside.
        feet: Per foot, the ground's wrench in the frame of the foot's joint.
        hulls: Joint and wrench in its frame of every hull corner that is loaded.
    """

    reading: ContactReading
    feet: tuple[pin.Force, ...]
    hulls: tuple[tuple[int, pin.Force], ...]


class RigidContactReader:
    """Reads steps of one world."""

    def __init__(self, model: RobotModel, world: RigidWorld) -> None:
        self._world = world
        self._joint = [int(model.pinocchio.frames[foot.frame_id].parentJoint) for foot in model.feet]
        self._feet = np.arange(len(model.feet))[:, None]

    def read(self, step: Step, duration: float) -> StepForces:
        """Forces of a step of ``duration``, s, just done: joint placements are those of its start."""
        near = self._world.mechanism.near
        assert near is not None
        count = len(near.index)
        impulse, velocity = step.solution.impulse[:count], step.solution.velocity[:count]
        touching = (impulse[:, 2] > 0.0) | (near.gap + duration * velocity[:, 2] < _TOUCHING_M)
        forces = np.matmul(near.rotation, impulse[:, :, None])[:, :, 0] / duration
        owner = self._world.owner[near.index]
        belongs = (owner == self._feet) & touching
        on_feet = belongs.any(axis=0)
        reading = ContactReading(
            foot_force=belongs @ forces,
            points=near.position[on_feet],
            forces=forces[on_feet],
            in_contact=belongs.any(axis=1),
            others=tuple(
                dict.fromkeys(self._world.body[near.index[i]] for i in np.flatnonzero(touching & (owner < 0)))
            ),
        )
        moments = _moments(near.position, forces)
        placements = self._world.mechanism.data.oMi
        feet = tuple(
            placements[joint].actInv(pin.Force(mask @ forces, mask @ moments))
            for joint, mask in zip(self._joint, belongs.astype(float))
        )
        return StepForces(reading, feet, self._hulls(near.index, forces, moments, touching & (owner < 0)))

    def _hulls(
        self, index: NDArray[np.intp], forces: Array, moments: Array, mask: NDArray[np.bool_]
    ) -> tuple[tuple[int, pin.Force], ...]:
        model, placements = self._world.pinocchio, self._world.mechanism.data.oMi
        found = []
        for row in np.flatnonzero(mask):
            joint = int(model.getJointId(self._world.body[index[row]]))
            found.append((joint, placements[joint].actInv(pin.Force(forces[row], moments[row]))))
        return tuple(found)


def _moments(points: Array, forces: Array) -> Array:
    """(k, 3) points × forces, several times faster than numpy.cross for a few rows."""
    (x, y, z), (fx, fy, fz) = points.T, forces.T
    return np.column_stack([y * fz - z * fy, z * fx - x * fz, x * fy - y * fx])
