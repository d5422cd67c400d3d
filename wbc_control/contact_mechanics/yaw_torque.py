"""Bound of the torsional friction of a contact, |m_z| ≤ γ f_z, as rows of its cone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def yaw_torque_rows(gamma: float, wrench_map: Array) -> Array:
    """(2, size) rows of ``rows @ force ≤ 0`` for γ > 0, m; none for γ = 0: then the corners' friction
    bounds it alone."""
    normal, yaw = wrench_map[2], wrench_map[5]
    rows = np.vstack([yaw - gamma * normal, -yaw - gamma * normal])
    return rows if gamma > 0.0 else rows[:0]


def yaw_torque_names(gamma: float, foot: str) -> tuple[str, ...]:
    """Name of each row of :func:`yaw_torque_rows`."""
    return (f"yaw torque {foot}",) * (2 if gamma > 0.0 else 0)
