"""A limit on combinations of accelerations: a fixed number of rows, renewed every tick."""

from __future__ import annotations

from abc import ABC, abstractmethod

from wbc_control.model import Kinodynamics
from wbc_control.wbc.limits.limit import Array


class RowLimit(ABC):
    """lower ≤ C q̈ ≤ upper in ``rows`` rows; a row that is not needed this tick is zero with open bounds.

    Attributes:
        key: Kind of the limit, in the parameter ``limits.soft``.
        name: Kind of the limit, in the user's words.
        rows: Number of rows, constant.
        row_names: (rows,) name of each row.
    """

    key: str
    name: str
    rows: int
    row_names: tuple[str, ...]

    @abstractmethod
    def write(self, terms: Kinodynamics, C: Array, lower: Array, upper: Array) -> None:
        """Write this tick's C (rows, nv), lower (rows,) and upper (rows,)."""
