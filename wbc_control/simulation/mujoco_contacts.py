"""Reads MuJoCo's contacts as world forces of the ground on each foot, without a loop over contacts."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NOT_A_FOOT = -1
_COMPONENTS = np.arange(3)
_REMEMBERED = 256


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


@dataclass(frozen=True)
class _Pairing:
    """What depends on the touching geometries alone, the same from step to step while contacts last.

    Attributes:
        sign: (ncon, 1) +1 where the robot is the second geometry of the contact, −1 where it is the first.
        on_feet: (k,) rows of contacts that belong to feet.
        belongs: (n_feet, k) 1 where a contact belongs to a foot.
        touched: (n_feet,) whether a foot has any contact.
        others: Names of the hulls that touch.
    """

    sign: Array
    on_feet: NDArray[np.intp]
    belongs: Array
    touched: NDArray[np.bool_]
    others: tuple[str, ...]


class ContactReader:
    """Knows which geometry belongs to which foot."""

    def __init__(self, model: mujoco.MjModel, foot_names: tuple[str, ...]) -> None:
        self._names = [model.geom(i).name for i in range(model.ngeom)]
        index = {f"sole:{name}": i for i, name in enumerate(foot_names)}
        self._foot = np.array([index.get(name.rpartition(":")[0], _NOT_A_FOOT) for name in self._names], dtype=int)
        self._is_robot = np.array([name.startswith(("sole:", "hull:")) for name in self._names], dtype=bool)
        self._n_feet = len(foot_names)
        self._pairings: dict[bytes, _Pairing] = {}
        self.nothing = self._empty()

    def _empty(self) -> ContactReading:
        feet = self._n_feet
        return ContactReading(np.zeros((feet, 3)), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(feet, dtype=bool), ())

    def read(self, data: mujoco.MjData) -> ContactReading:
        """Contacts with the forces just solved; call before the next collision pass.

        MuJoCo's contact frame has the normal and two tangents as rows and points from the first geometry to the second;
        with elliptic cones the constraint forces are the components along those rows.
        """
        if data.ncon == 0:
            return self.nothing
        contact = data.contact
        address, geom, frame, point = contact.efc_address, contact.geom, contact.frame, contact.pos
        if address.min() < 0:
            active = address >= 0
            address, geom, frame, point = address[active], geom[active], frame[active], point[active]
        pairing = self._pairing(geom)
        local = data.efc_force[address[:, None] + _COMPONENTS]
        world = pairing.sign * np.matmul(local[:, None, :], frame.reshape(-1, 3, 3))[:, 0, :]
        forces = world[pairing.on_feet]
        return ContactReading(pairing.belongs @ forces, point[pairing.on_feet], forces, pairing.touched, pairing.others)

    def _pairing(self, geom: NDArray[np.int32]) -> _Pairing:
        key = geom.tobytes()
        found = self._pairings.get(key)
        if found is None:
            if len(self._pairings) >= _REMEMBERED:
                self._pairings.clear()
            found = self._pairings[key] = self._pair(geom)
        return found

    def _pair(self, geom: NDArray[np.int32]) -> _Pairing:
        second_is_robot = self._is_robot[geom[:, 1]]
        robot = np.where(second_is_robot, geom[:, 1], geom[:, 0])
        foot = self._foot[robot]
        on_feet = np.flatnonzero(foot != _NOT_A_FOOT)
        belongs = (foot[on_feet] == np.arange(self._n_feet)[:, None]).astype(float)
        others = tuple(self._names[i].removeprefix("hull:") for i in robot[foot == _NOT_A_FOOT].tolist())
        sign = np.where(second_is_robot, 1.0, -1.0)[:, None]
        return _Pairing(sign, on_feet, belongs, belongs.any(axis=1), others)
