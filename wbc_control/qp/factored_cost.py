"""A quadratic cost by its factors: what it is made of is smaller than its Hessian, and may be all that a solver needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class FactoredCost:
    """½ Σ d x² + cᵀx + ½ Σ w (R x − r)², R with zeros behind its first columns; so H = diag(d) + Rᵀ W R.

    Args:
        diagonal: (n,) d, positive, constant.
        rows: (t, p) R, p ≤ n, a buffer that its owner writes into.
        targets: (t,) r, likewise.
        weights: (t, 1) w ≥ 0; after a change call :meth:`reweigh`.

    Attributes:
        gradient: (n,) c, a buffer.
        pending: Whether H and g of these factors have not been written yet; whoever changes the factors sets it.
        inverse_root: (n,) d^(−½).
        root_weights: (t,) w^½.
        scale: (t, p) w^½ d^(−½).
    """

    def __init__(self, diagonal: Array, rows: Array, targets: Array, weights: Array) -> None:
        self.diagonal, self.rows, self.targets, self.weights = diagonal, rows, targets, weights
        self.gradient, self.pending = np.zeros(len(diagonal)), True
        self.inverse_root: Array = 1.0 / np.sqrt(diagonal)
        self._weighted = np.zeros_like(rows)
        self._hessian = np.zeros((rows.shape[1], rows.shape[1]))
        self.reweigh()

    def reweigh(self) -> None:
        """Take note of new weights."""
        self.root_weights: Array = np.sqrt(self.weights[:, 0])
        self.scale: Array = self.root_weights[:, None] * self.inverse_root[: self.rows.shape[1]]

    def write(self, H: Array, g: Array) -> None:
        """Write the Hessian (n, n), whose entries beyond the first p columns are only its diagonal, and the gradient (n,)."""
        size, n = self.rows.shape[1], len(self.diagonal)
        weighted = np.multiply(self.rows, self.weights, out=self._weighted)
        H[:size, :size] = np.dot(weighted.T, self.rows, out=self._hessian)
        diagonal = H.reshape(-1)[:: n + 1]
        diagonal[:size] += self.diagonal[:size]
        diagonal[size:] = self.diagonal[size:]
        g[:] = self.gradient
        g[:size] -= self.targets.dot(weighted)
        self.pending = False
