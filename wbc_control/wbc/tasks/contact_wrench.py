"""Wishes for the force and moment of one contact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.model import Kinodynamics
from wbc_control.state import PlanSample
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.mixed_task import MixedTask
from wbc_control.wbc.task import Array


class ContactWrenchTask(MixedTask):
    """Chosen components of a foot's wrench, contact frame, about its origin: a pushing force, a moment, or all six.

    Args:
        foot: Index of the foot.
        name: Its name.
        weight: Weight, 1/N².
        mask: Which of f_x, f_y, f_z, m_x, m_y, m_z; a point foot has the first three.

    Attributes:
        target: (rows,) N and N·m.
    """

    def __init__(self, foot: int, name: str, weight: float, mask: Sequence[bool] = (True,) * 6) -> None:
        self._foot, self._kept = foot, np.flatnonzero(mask)
        super().__init__(f"contact wrench {name}", len(self._kept), weight)
        self.target = np.zeros(self.rows)

    def applies(self, modes: tuple[int, ...]) -> bool:
        """While the foot is in contact."""
        return bool(modes[self._foot])

    def write(self, layout: Layout, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`MixedTask`."""
        slot = layout.contact_slot(self._foot)
        if slot is not None:
            A[:, layout.force_slices[slot]] = layout.contacts[slot][1].wrench_map[self._kept]
            b[:] = self.target


class CentreOfPressureTask(MixedTask):
    """Centre of pressure of a sole at a point of it: m_x = y f_z and m_y = −x f_z, in the sole frame.

    Attributes:
        point: (2,) x and y in the sole frame, m.
    """

    def __init__(self, foot: int, name: str, weight: float, point: Sequence[float] = (0.0, 0.0)) -> None:
        super().__init__(f"centre of pressure {name}", 2, weight)
        self._foot, self.point = foot, np.array(point, dtype=float)

    def applies(self, modes: tuple[int, ...]) -> bool:
        """While the foot is in contact."""
        return bool(modes[self._foot])

    def write(self, layout: Layout, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`MixedTask`."""
        slot = layout.contact_slot(self._foot)
        if slot is not None:
            wrench, columns = layout.contacts[slot][1].wrench_map, layout.force_slices[slot]
            A[0, columns] = wrench[3] - self.point[1] * wrench[2]
            A[1, columns] = wrench[4] + self.point[0] * wrench[2]
