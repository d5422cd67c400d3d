"""Reads MuJoCo's contacts as world forces of the ground on each foot, without a loop over contacts."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NOT_A_FOOT = -1
_COMPONENTS = np.arange(3)


@dataclass(frozen=True)
class ContactReading:
    """Ground contacts of one physics step.

    Attributes:
        foot_force: (n_feet, 3) N, world, on the feet.
        points: (k, 3) m, world, contacts of feet.
        forces: (k, 3) N, world, on the robot at each point.
        in_contact: (n_feet,) whether the foot touches anything.
        others: Names of hulls (joints) other than feet that touch the ground.
    """

    foot_force: Array
    points: Array
    forces: Array
    in_contact: NDArray[np.bool_]
    others: tuple[str, ...]


class ContactReader:
    """Knows which geometry belongs to which foot."""

    def __init__(self, model: mujoco.MjModel, foot_names: tuple[str, ...]) -> None:
        names = [model.geom(i).name for i in range(model.ngeom)]
        index = {f"sole:{name}": i for i, name in enumerate(foot_names)}
        self._foot = np.array([index.get(name.rpartition(":")[0], _NOT_A_FOOT) for name in names], dtype=int)
        self._is_robot = np.array([name.startswith(("sole:", "hull:")) for name in names], dtype=bool)
        self._names = names
        self._n_feet = len(foot_names)
        self.nothing = self._empty()

    def _empty(self) -> ContactReading:
        feet = self._n_feet
        return ContactReading(np.zeros((feet, 3)), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(feet, dtype=bool), ())

    def read(self, data: mujoco.MjData) -> ContactReading:
        """Contacts with the forces just solved; call before the next collision pass."""
        if data.ncon == 0:
            return self.nothing
        contact = data.contact
        address = contact.efc_address
        active = address >= 0
        geom = contact.geom
        forces = self._forces(data, contact, address)
        robot = np.where(self._is_robot[geom[:, 1]], geom[:, 1], geom[:, 0])
        foot = self._foot[robot]
        on_feet = active & (foot != _NOT_A_FOOT)
        forces, feet = forces[on_feet], foot[on_feet]
        belongs = feet == np.arange(self._n_feet)[:, None]
        others = robot[active & (foot == _NOT_A_FOOT)]
        names = tuple(self._names[i].removeprefix("hull:") for i in others.tolist())
        return ContactReading(belongs @ forces, contact.pos[on_feet], forces, belongs.any(axis=1), names)

    def _forces(self, data: mujoco.MjData, contact: mujoco._structs._MjContactList, address: NDArray[np.int32]) -> Array:
        """(ncon, 3) world force on the robot; MuJoCo's frame rows are normal and two tangents, from geom1 to geom2."""
        local = data.efc_force[np.maximum(address, 0)[:, None] + _COMPONENTS]
        world = np.einsum("ki,kij->kj", local, contact.frame.reshape(-1, 3, 3))
        second_is_robot = self._is_robot[contact.geom[:, 1]]
        return np.where(second_is_robot[:, None], world, -world)
