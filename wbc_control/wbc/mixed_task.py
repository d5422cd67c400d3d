"""A wish that concerns accelerations and contact forces together, or forces alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from wbc_control.model import Kinodynamics
from wbc_control.state import PlanSample
from wbc_control.wbc.task import Array

if TYPE_CHECKING:
    from wbc_control.wbc.layout import Layout


class MixedTask(ABC):
    """A wish ``A x ≈ b`` over the whole x = [q̈; f]; cost Σ weight · (A x − b)².

    Attributes:
        name: In the user's words.
        rows: Number of rows.
        weights: (rows,) weights.
        priority: Level in a strict hierarchy, 0 first.
    """

    priority = 4

    def __init__(self, name: str, rows: int, weight: float) -> None:
        self.name, self.rows = name, rows
        self.weights = np.full(rows, weight)

    def applies(self, modes: tuple[int, ...]) -> bool:
        """Whether the task takes part in this contact set."""
        return True

    @abstractmethod
    def write(self, layout: Layout, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """Write this tick's ``A`` (rows, variables) and ``b`` (rows,); the layout's dynamics are already written."""
