"""A limit on combinations of accelerations: a few rows, renewed every tick."""

from __future__ import annotations

from abc import ABC, abstractmethod

from wbc_control.model import Kinodynamics
from wbc_control.wbc.limits.limit import Array


class RowLimit(ABC):
    """lower ≤ C q̈ ≤ upper, in as many rows as this tick needs.

    Attributes:
        key: Kind of the limit, in the parameter ``limits.soft``.
        name: Kind of the limit, in the user's words.
        rows: Largest number of rows.
        row_names: Name of each row written last.
    """

    key: str
    name: str
    rows: int
    row_names: tuple[str, ...]

    @abstractmethod
    def write(self, terms: Kinodynamics, C: Array, lower: Array, upper: Array) -> int:
        """Write this tick's C (rows, nv), lower (rows,) and upper (rows,), the first so many of them, and say how many."""
