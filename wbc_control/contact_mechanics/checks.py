"""Input checks of this package: finite, of the right shape, inside the domain; one sentence each when they are not.

For start-up and offline calls.  Functions called at 1 kHz do not raise: they answer "undefined" instead.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import DomainError, ShapeError

Array = NDArray[np.float64]


def finite_array(where: str, value: Any, shape: tuple[int, ...]) -> Array:
    """``value`` as a float array of ``shape`` (−1 stands for any length).

    Raises:
        ShapeError: Another shape.
        DomainError: An entry is NaN or infinite; ``value`` is its index.
    """
    array = np.asarray(value, dtype=np.float64)
    if array.ndim != len(shape) or any(want not in (-1, has) for want, has in zip(shape, array.shape)):
        raise ShapeError(f"has shape {array.shape}, wanted {shape}", where=where, value=array.shape, bound=shape)
    if not np.isfinite(array).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise DomainError(f"entry {index} is not finite", where=where, value=index, bound="finite")
    return array


def in_range(where: str, value: float, low: float, high: float = math.inf, *, open_low: bool = False) -> float:
    """``value`` as a float if it is finite and in [low, high] (in (low, high] with ``open_low``).

    Raises:
        DomainError: It is not; carries the value and the interval.
    """
    number = float(value)
    below = number <= low if open_low else number < low
    if not math.isfinite(number) or below or number > high:
        bracket = "(" if open_low else "["
        raise DomainError(
            f"{number} is outside {bracket}{low}, {high}]", where=where, value=number, bound=(low, high)
        )
    return number


def friction_coefficient(value: float) -> float:
    """A friction coefficient: finite and not negative, or :class:`DomainError`."""
    return in_range("friction coefficient", value, 0.0)


def friction_coefficients(values: Any, count: int) -> Array:
    """``count`` friction coefficients from one number or one per contact; shape (count,).

    Raises:
        ShapeError: Neither one number nor ``count`` of them.
        DomainError: One is negative or not finite.
    """
    array = np.asarray(values, dtype=np.float64)
    array = finite_array("friction coefficients", np.full(count, array) if array.ndim == 0 else array, (count,))
    if (array < 0.0).any():
        raise DomainError("must not be negative", where="friction coefficients", value=float(array.min()), bound=0.0)
    return array


def facet_count(value: int) -> int:
    """The number of facets of a polyhedral cone: an integer ≥ 3, or :class:`DomainError`."""
    if int(value) != value or value < 3:
        raise DomainError("a cone needs at least 3 facets", where="facets", value=value, bound=3)
    return int(value)


def symmetric_matrix(where: str, value: Any, size: int = -1, tolerance: float = 1e-8) -> Array:
    """``value`` as a finite square matrix, symmetric up to ``tolerance`` times its largest entry.

    Raises:
        ShapeError: Not square, or not of ``size``.
        DomainError: Not finite, or not symmetric; carries the largest asymmetry and the bound.
    """
    matrix = finite_array(where, value, (size, size))
    if matrix.shape[0] != matrix.shape[1]:
        raise ShapeError("is not square", where=where, value=matrix.shape, bound="(n, n)")
    asymmetry = float(np.abs(matrix - matrix.T).max(initial=0.0))
    bound = tolerance * max(1.0, float(np.abs(matrix).max(initial=0.0)))
    if asymmetry > bound:
        raise DomainError(f"is not symmetric: differs by {asymmetry}", where=where, value=asymmetry, bound=bound)
    return matrix
