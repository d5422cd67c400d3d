"""Distances of all pairs of shapes with their nearest points, read at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pinocchio as pin

from wbc_control.wbc.limits.limit import Array

_FIELDS = 9
"""Numbers of a result: normal from the first shape to the second, nearest point of the first, of the second."""


class PairDistances:
    """Measures pairs of a geometry with coal.

    Reading a result through its bindings costs more than measuring two capsules.  The three vectors of a result lie side by
    side in coal's memory, and those of all results at equal steps; where a first measurement proves that to be so, they are
    read from there.

    Args:
        model: The kinematic tree.
        geometry: Shapes and pairs.
        q: (nq,) a configuration to try with.
    """

    def __init__(self, model: pin.Model, geometry: pin.GeometryModel, q: Array) -> None:
        self._model, self._geometry = model, geometry
        self._data = pin.GeometryData(geometry)
        self._results = list(self._data.distanceResults)
        pin.updateGeometryPlacements(model, model.createData(), geometry, self._data, q)
        pin.computeDistances(geometry, self._data)
        self._shared = self._in_memory()

    def place(self, data: pin.Data) -> None:
        """Put the shapes where ``data``'s joints are."""
        pin.updateGeometryPlacements(self._model, data, self._geometry, self._data)

    def measure(self, pairs: Iterable[int] | None = None) -> None:
        """Measure these pairs, or all."""
        if pairs is None:
            pin.computeDistances(self._geometry, self._data)
            return
        for pair in pairs:
            pin.computeDistance(self._geometry, self._data, pair)

    def read(self) -> Array:
        """(pairs, 9) normal, first and second nearest point of every pair's last measurement, world, m."""
        return self._by_bindings() if self._shared is None else self._shared

    def _by_bindings(self) -> Array:
        found = [[*r.normal, *r.getNearestPoint1(), *r.getNearestPoint2()] for r in self._results]
        return np.array(found, dtype=np.float64).reshape(-1, _FIELDS)

    def _in_memory(self) -> Array | None:
        """A view of all results; None where the bindings copy, or where the memory does not hold what they say."""
        first = self._results[0].normal
        if not np.shares_memory(first, self._results[0].normal):
            return None
        addresses = [result.normal.__array_interface__["data"][0] for result in self._results]
        step = addresses[1] - addresses[0] if len(addresses) > 1 else _FIELDS * 8
        if step < _FIELDS * 8 or addresses != [addresses[0] + i * step for i in range(len(addresses))]:
            return None
        view = np.asarray(_Memory(addresses[0], (len(addresses), _FIELDS), step, self._data))
        return view if np.array_equal(view, self._by_bindings()) else None


class _Memory:
    """Rows of doubles at an address, kept alive by their owner."""

    def __init__(self, address: int, shape: tuple[int, int], step: int, owner: object) -> None:
        self.__array_interface__ = {
            "data": (address, True), "shape": shape, "strides": (step, 8), "typestr": "<f8", "version": 3,
        }  # fmt: skip
        self._owner = owner
