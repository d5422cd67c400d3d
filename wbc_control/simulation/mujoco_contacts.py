"""Reads MuJoCo's contacts as world forces of the ground on each foot, without a loop over contacts."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from wbc_control.simulation.contact_reading import ContactReading

Array = NDArray[np.float64]

_NOT_A_FOOT = -1
_REMEMBERED = 256


@dataclass(frozen=True)
class _Pairing:
    """What depends on the touching geometries alone, the same from step to step while contacts last.

    Attributes:
        sign: (k, 1) +1 where the robot is the second geometry of the contact, −1 where it is the first.
        on_feet: (k,) active contacts that belong to feet.
        components: (k, 3) places of their force components among the constraint forces.
        rows: The same as a slice where all contacts are such and lie side by side, else None.
        belongs: (n_feet, k) 1 where a contact belongs to a foot.
        touched: (n_feet,) whether a foot has any contact.
        others: Names of the hulls that touch.
    """

    sign: Array
    on_feet: NDArray[np.intp]
    components: NDArray[np.intp]
    rows: slice | None
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
        pairing = self._pairing(contact.geom, contact.efc_address)
        if pairing.rows is None:
            local = data.efc_force[pairing.components]
            frame, point = contact.frame[pairing.on_feet], contact.pos[pairing.on_feet]
        else:
            local, frame, point = data.efc_force[pairing.rows], contact.frame, contact.pos.copy()
        forces = np.matmul(local.reshape(-1, 1, 3), frame.reshape(-1, 3, 3))[:, 0, :] * pairing.sign
        return ContactReading(pairing.belongs @ forces, point, forces, pairing.touched, pairing.others)

    def _pairing(self, geom: NDArray[np.int32], address: NDArray[np.int32]) -> _Pairing:
        key = geom.tobytes() + address.tobytes()
        found = self._pairings.get(key)
        if found is None:
            if len(self._pairings) >= _REMEMBERED:
                self._pairings.clear()
            found = self._pairings[key] = self._pair(geom, address)
        return found

    def _pair(self, geom: NDArray[np.int32], address: NDArray[np.int32]) -> _Pairing:
        second_is_robot = self._is_robot[geom[:, 1]]
        robot = np.where(second_is_robot, geom[:, 1], geom[:, 0])
        foot, active = self._foot[robot], address >= 0
        on_feet = np.flatnonzero(active & (foot != _NOT_A_FOOT))
        belongs = (foot[on_feet] == np.arange(self._n_feet)[:, None]).astype(float)
        components = address[on_feet][:, None] + np.arange(3)
        flat = components.ravel()
        in_one_piece = len(on_feet) == len(geom) and np.array_equal(flat, np.arange(flat[0], flat[0] + len(flat)))
        return _Pairing(
            sign=np.where(second_is_robot, 1.0, -1.0)[on_feet, None],
            on_feet=on_feet,
            components=components,
            rows=slice(int(flat[0]), int(flat[-1]) + 1) if in_one_piece else None,
            belongs=belongs,
            touched=belongs.any(axis=1),
            others=tuple(self._names[i].removeprefix("hull:") for i in robot[active & (foot == _NOT_A_FOOT)].tolist()),
        )
