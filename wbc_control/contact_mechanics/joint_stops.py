"""Joint limits as frictionless contacts: the stop pushes and never pulls, with the same law as the ground."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
IntArray = NDArray[np.intp]

UNLIMITED = 1e6
"""An end farther than this from zero, rad or m, is no limit."""


class JointStops:
    """Both ends of every limited joint of one position and one velocity.

    Stop 2 j is the lower end of the j-th limited joint, 2 j + 1 its upper end.

    Args:
        model: ``pinocchio.Model``.
        reach: Stops farther away than this are left out, rad or m.
    """

    def __init__(self, model: Any, reach: float = 0.1) -> None:
        self.reach, self._nv = reach, model.nv
        lower, upper = np.asarray(model.lowerPositionLimit), np.asarray(model.upperPositionLimit)
        limited = [
            joint
            for joint in model.joints
            if joint.nq == 1 and joint.nv == 1 and max(-lower[joint.idx_q], upper[joint.idx_q]) < UNLIMITED
        ]
        self._q = np.array([joint.idx_q for joint in limited], dtype=np.intp)
        self._v = np.array([joint.idx_v for joint in limited], dtype=np.intp)
        self._lower, self._upper = lower[self._q], upper[self._q]

    def near(self, q: Array) -> tuple[IntArray, Array, Array]:
        """Which stops, their gaps (k,), rad or m, and Jacobian (3k, nv) with zero tangential rows."""
        position = q[self._q]
        gaps = np.stack([position - self._lower, self._upper - position], axis=1).ravel()
        index = np.flatnonzero(gaps < self.reach)
        jacobian = np.zeros((3 * len(index), self._nv))
        jacobian[3 * np.arange(len(index)) + 2, self._v[index // 2]] = 1.0 - 2.0 * (index % 2)
        return index, gaps[index], jacobian
