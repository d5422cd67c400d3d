"""The Delassus operator A = J M⁻¹ Jᵀ: impulses at the contacts to velocities at the contacts.

Two representations behind one interface.  The dense one stores A: 9 n² numbers.  The factored one stores
H = L⁻¹ Jᵀ with M = L Lᵀ (so A = HᵀH is symmetric positive semidefinite by construction): memory linear in the number
of contacts, and with ``columns`` only the velocities each contact touches.  Impulses and velocities are (n, 3), contact
frames, z normal; A in 1/kg.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, in_range, symmetric_matrix
from wbc_control.errors import DomainError, ShapeError

Array = NDArray[np.float64]
IntArray = NDArray[np.intp]


class Accumulator(Protocol):
    """Contact velocities A λ + b kept up to date while a solver changes one contact's impulse at a time."""

    def velocity(self, contact: int) -> list[float]:
        """[v_x, v_y, v_z] of one contact, m/s."""

    def add(self, contact: int, change: list[float]) -> None:
        """Account for a change of one contact's impulse, N·s."""


class Delassus(Protocol):
    """What a solver may ask of the operator."""

    @property
    def contacts(self) -> int:
        """n."""

    @property
    def blocks(self) -> Array:
        """(n, 3, 3) diagonal blocks."""

    def apply(self, impulse: Array) -> Array:
        """A λ for λ (n, 3): (n, 3)."""

    def dense(self) -> Array:
        """A as a matrix (3n, 3n)."""

    def accumulator(self, free_velocity: Array, impulse: Array) -> Accumulator:
        """Start from b and λ, both (n, 3)."""


class DenseDelassus:
    """A stored as a matrix.

    Args:
        matrix: (3n, 3n), finite, symmetric.
        regularisation: ε ≥ 0 added to the diagonal, 1/kg.

    Raises:
        ShapeError: Not square or not a multiple of 3.
        DomainError: Not finite, not symmetric, a negative diagonal, or ε < 0.
    """

    def __init__(self, matrix: Array, regularisation: float = 0.0) -> None:
        checked = symmetric_matrix("Delassus matrix", matrix)
        if len(checked) % 3:
            raise ShapeError("is not a multiple of 3", where="Delassus matrix", value=len(checked), bound=3)
        if len(checked) and float(np.diag(checked).min()) < 0.0:
            raise DomainError("has a negative diagonal", where="Delassus matrix", value=np.diag(checked).min(), bound=0)
        epsilon = in_range("regularisation", regularisation, 0.0)
        self.matrix = checked + epsilon * np.eye(len(checked)) if epsilon else checked
        self.contacts = len(checked) // 3
        grid = self.matrix.reshape(self.contacts, 3, self.contacts, 3)
        index = np.arange(self.contacts)
        self.blocks = grid[index, :, index, :]

    def apply(self, impulse: Array) -> Array:
        """A λ; (n, 3)."""
        return np.asarray((self.matrix @ impulse.ravel()).reshape(-1, 3))

    def dense(self) -> Array:
        """The matrix itself; not a copy."""
        return self.matrix

    def accumulator(self, free_velocity: Array, impulse: Array) -> Accumulator:
        """See :class:`Delassus`."""
        return _DenseAccumulator(self, free_velocity, impulse)


class _DenseAccumulator:
    def __init__(self, operator: DenseDelassus, free_velocity: Array, impulse: Array) -> None:
        self._velocity = (operator.apply(impulse) + free_velocity).ravel()
        self._rows = list(operator.matrix.reshape(operator.contacts, 3, 3 * operator.contacts))

    def velocity(self, contact: int) -> list[float]:
        return self._velocity[3 * contact : 3 * contact + 3].tolist()  # type: ignore[no-any-return]

    def add(self, contact: int, change: list[float]) -> None:
        self._velocity += change @ self._rows[contact]


class FactoredDelassus:
    """A = HᵀH with one block of H a contact.

    Args:
        factor: (n, k, 3): for each contact, the k rows of L⁻¹Jᵀ that are not zero.
        columns: (n, k) which rows they are, or None when every contact touches all k.
        size: Number of rows in all (nv); k by default.
        regularisation: ε ≥ 0 added to the diagonal, 1/kg.

    Raises:
        ShapeError: Shapes disagree.
        DomainError: Not finite, an index out of range, or ε < 0.
    """

    def __init__(
        self, factor: Array, columns: IntArray | None = None, size: int | None = None, regularisation: float = 0.0
    ) -> None:
        self.factor = finite_array("Delassus factor", factor, (-1, -1, 3))
        self.contacts, touched, _ = self.factor.shape
        self.size = touched if size is None else size
        self.columns = columns
        if columns is not None and columns.shape != self.factor.shape[:2]:
            raise ShapeError("disagrees with the factor", where="columns", value=columns.shape, bound=factor.shape[:2])
        if columns is not None and columns.size:
            _check_columns(columns, self.size)
        self.epsilon = in_range("regularisation", regularisation, 0.0)
        self.blocks = np.einsum("nka,nkb->nab", self.factor, self.factor) + self.epsilon * np.eye(3)

    def half(self, impulse: Array) -> Array:
        """H λ (size,): the impulse seen by the velocities, times L⁻¹."""
        if self.columns is None:
            return np.asarray(np.tensordot(self.factor, impulse, axes=([0, 2], [0, 1])))
        weights = np.matmul(self.factor, impulse[:, :, None]).ravel()
        summed = np.bincount(self.columns.ravel(), weights=weights, minlength=self.size)
        return np.asarray(summed, dtype=np.float64)

    def apply(self, impulse: Array) -> Array:
        """A λ; (n, 3)."""
        state = self.half(impulse)
        if self.columns is None:
            return np.asarray(state @ self.factor + self.epsilon * impulse)
        velocity = np.matmul(state[self.columns][:, None, :], self.factor)[:, 0, :]
        return np.asarray(velocity + self.epsilon * impulse)

    def dense(self) -> Array:
        """A as a matrix (3n, 3n); for tests and small problems."""
        full = np.zeros((self.size, self.contacts, 3))
        for i in range(self.contacts):
            rows = np.arange(self.size) if self.columns is None else self.columns[i]
            full[rows, i] = self.factor[i]
        flat = full.reshape(self.size, -1)
        return np.asarray(flat.T @ flat + self.epsilon * np.eye(flat.shape[1]))

    def accumulator(self, free_velocity: Array, impulse: Array) -> Accumulator:
        """See :class:`Delassus`."""
        return _FactoredAccumulator(self, free_velocity, impulse)


def _check_columns(columns: IntArray, size: int) -> None:
    """Indices in range, and distinct within a contact; :class:`DomainError` otherwise."""
    if columns.min() < 0 or columns.max() >= size:
        raise DomainError("index out of range", where="columns", value=int(columns.max()), bound=size)
    ordered = np.sort(columns, axis=1)
    if (ordered[:, 1:] == ordered[:, :-1]).any():
        raise DomainError("repeat an index within a contact", where="columns", value=columns.shape, bound="distinct")


class _FactoredAccumulator:
    def __init__(self, operator: FactoredDelassus, free_velocity: Array, impulse: Array) -> None:
        self._state = operator.half(impulse)
        self._factor = list(operator.factor)
        self._columns = None if operator.columns is None else list(operator.columns)
        self._offset = list(free_velocity + operator.epsilon * impulse)
        self._epsilon = operator.epsilon

    def velocity(self, contact: int) -> list[float]:
        state = self._state if self._columns is None else self._state[self._columns[contact]]
        return (state @ self._factor[contact] + self._offset[contact]).tolist()  # type: ignore[no-any-return]

    def add(self, contact: int, change: list[float]) -> None:
        step = self._factor[contact] @ change
        if self._columns is None:
            self._state += step
        else:
            self._state[self._columns[contact]] += step
        if self._epsilon:
            self._offset[contact] = self._offset[contact] + self._epsilon * np.array(change)


def delassus_from_dynamics(
    mass_matrix: Array, jacobian: Array, *, dense: bool | None = None, regularisation: float = 0.0
) -> DenseDelassus | FactoredDelassus:
    """A of any mechanism, through the Cholesky factor of its mass matrix.

    Args:
        mass_matrix: M (nv, nv), symmetric positive definite.
        jacobian: J (3n, nv): contact velocities in the contact frames from generalised velocities.
        dense: Which representation; by default the smaller one (dense while 3n ≤ nv or n ≤ 16).
        regularisation: ε ≥ 0, 1/kg.

    Raises:
        ShapeError: Sizes disagree.
        DomainError: M is not symmetric positive definite, or a value is not finite.
    """
    mass = symmetric_matrix("mass matrix", mass_matrix)
    jac = finite_array("contact Jacobian", jacobian, (-1, len(mass)))
    try:
        lower = np.linalg.cholesky(mass)
    except np.linalg.LinAlgError as error:
        smallest = float(np.linalg.eigvalsh(mass)[0])
        raise DomainError("is not positive definite", where="mass matrix", value=smallest, bound="> 0") from error
    half = np.linalg.solve(lower, jac.T)
    contacts = len(jac) // 3
    if dense if dense is not None else (len(jac) <= len(mass) or contacts <= 16):
        product = half.T @ half
        return DenseDelassus(0.5 * (product + product.T), regularisation)
    blocks = half.T.reshape(contacts, 3, len(mass)).transpose(0, 2, 1)
    return FactoredDelassus(np.ascontiguousarray(blocks), regularisation=regularisation)


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues that tell how hard A is.

    Attributes:
        largest: 1/kg.
        smallest: The least one above rounding, 1/kg; 0 for A = 0.
        rank: How many are above rounding; below 3n the impulses are not unique (statically indeterminate).
        condition: largest/smallest of the non-zero ones; infinite for A = 0.
    """

    largest: float
    smallest: float
    rank: int
    condition: float


def delassus_spectrum(operator: DenseDelassus | FactoredDelassus) -> Spectrum:
    """Condition number and rank; on nv × nv for a factored operator with fewer velocities than impulses."""
    if isinstance(operator, FactoredDelassus) and operator.columns is None and not operator.epsilon:
        flat = operator.factor.transpose(1, 0, 2).reshape(operator.size, -1)
        eigenvalues = np.linalg.eigvalsh(flat @ flat.T if operator.size < flat.shape[1] else flat.T @ flat)
    else:
        eigenvalues = np.linalg.eigvalsh(operator.dense())
    largest = float(eigenvalues[-1]) if len(eigenvalues) else 0.0
    kept = eigenvalues[eigenvalues > 1e-12 * largest]
    if largest <= 0.0 or not len(kept):
        return Spectrum(0.0, 0.0, 0, float("inf"))
    return Spectrum(largest, float(kept[0]), len(kept), largest / float(kept[0]))
