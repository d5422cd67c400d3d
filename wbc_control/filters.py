"""First-order filters on vectors: allocation-light, exact for any sample period."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def smoothing_factor(cutoff_hz: float, period_s: float) -> float:
    """Share of a new sample in a first-order low-pass, 0..1: 1 − exp(−2π·cutoff·period) (step-invariant)."""
    return -math.expm1(-2.0 * math.pi * cutoff_hz * max(period_s, 0.0))


class LowPass:
    """First-order low-pass of a vector; the first sample passes unchanged.

    Args:
        size: Number of elements.

    Attributes:
        value: (size,) filtered vector; updated in place.
        change: (size,) last change of ``value``: over the period it is the filtered derivative.
    """

    def __init__(self, size: int) -> None:
        self.value: Array = np.zeros(size)
        self.change: Array = np.zeros(size)
        self._started = False

    def reset(self) -> None:
        """Forget everything; the next sample passes unchanged."""
        self._started = False
        self.value[:], self.change[:] = 0.0, 0.0

    def update(self, sample: Array, cutoff_hz: float, period_s: float) -> Array:
        """Filtered vector after ``sample``, taken ``period_s`` after the one before; the array is reused."""
        if not self._started:
            self._started = True
            self.value[:] = sample
            return self.value
        np.subtract(sample, self.value, out=self.change)
        self.change *= smoothing_factor(cutoff_hz, period_s)
        self.value += self.change
        return self.value
