"""What a task is: rows of acceleration it would like, or a wish for single accelerations."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import Kinodynamics
from wbc_control.parameters.controller import TaskParameters
from wbc_control.state import PlanSample

Array = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def feedback_gains(parameters: TaskParameters) -> tuple[float, float]:
    """(kp, kd) of the error dynamics ë + 2ζω ė + ω² e = 0, 1/s² and 1/s."""
    omega = parameters.bandwidth
    return omega * omega, 2.0 * parameters.damping_ratio * omega


class Task(ABC):
    """A wish ``A q̈ ≈ b`` in ``rows`` rows; cost Σ weight · (A q̈ − b)².

    Attributes:
        name: In the user's words.
        rows: Number of rows.
        weights: (rows,) weights.
        priority: Level in a strict hierarchy, 0 first.
    """

    def __init__(self, name: str, rows: int, weight: float, priority: int = 1) -> None:
        self.name, self.rows = name, rows
        self.weights = np.full(rows, weight)
        self.priority = priority

    def applies(self, modes: tuple[int, ...]) -> bool:
        """Whether the task takes part in this contact set (modes of :mod:`wbc_control.wbc.contacts.contact`)."""
        return True

    def share(self, modes: tuple[int, ...], contact_weight: Array) -> float | None:
        """Factor on the weights this tick, 0..1; None where it is always 1 in this contact set."""
        return None

    @abstractmethod
    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """Write this tick's ``A`` (rows, nv) and ``b`` (rows,)."""


class SeparableTask(ABC):
    """A wish for each acceleration by itself: cost Σ weight_i (q̈_i − target_i)², over all nv of them.

    Attributes:
        name: In the user's words.
        weights: (nv,) weights, zero where it wishes nothing.
    """

    def __init__(self, name: str, weights: Array) -> None:
        self.name, self.weights = name, weights

    @abstractmethod
    def write(self, terms: Kinodynamics, reference: PlanSample, target: Array) -> None:
        """Write this tick's ``target`` (nv,)."""
