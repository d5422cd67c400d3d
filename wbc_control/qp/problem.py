"""A quadratic program in buffers that are written in place, tick after tick."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import ProblemError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StackedConstraints:
    """Constraints in one stack: bounds of the variables first, then the rows of C, then those of A.

    Attributes:
        rows: (k + m, n) C above A.
        lower, upper: (n + k + m,); in the last m entries only ``upper`` holds the right-hand side b.
    """

    rows: Array
    lower: Array
    upper: Array


@dataclass(frozen=True, eq=False)
class QpProblem:
    """min ½ xᵀHx + gᵀx  subject to  A x = b,  l ≤ C x ≤ u,  lower ≤ x ≤ upper.

    Attributes:
        H: (n, n) symmetric positive definite.
        g: (n,).
        A: (m, n); b: (m,).
        C: (k, n); l, u: (k,), infinite where open.
        lower, upper: (n,), infinite where open.
        equality_names: Name of each row of A, in the user's words.
        inequality_names: Name of each row of C.
        bound_names: Name of each variable's bound.
        stack: Where the constraint arrays are views of one stack, that stack.
    """

    H: Array
    g: Array
    A: Array
    b: Array
    C: Array
    l: Array  # noqa: E741 - the field's usual letter
    u: Array
    lower: Array
    upper: Array
    equality_names: tuple[str, ...] = ()
    inequality_names: tuple[str, ...] = ()
    bound_names: tuple[str, ...] = ()
    stack: StackedConstraints | None = None

    @classmethod
    def zeros(
        cls, equality_names: tuple[str, ...], inequality_names: tuple[str, ...], bound_names: tuple[str, ...]
    ) -> QpProblem:
        """An unconstrained-in-effect problem of the sizes the names give: zeros, open bounds.

        Its arrays are views of one stack (bounds, then C, then A), so that a solver that wants them stacked copies nothing.
        """
        n, m, k = len(bound_names), len(equality_names), len(inequality_names)
        stack = StackedConstraints(np.zeros((k + m, n)), np.full(n + k + m, -np.inf), np.full(n + k + m, np.inf))
        stack.upper[n + k :] = 0.0
        rows = (stack.rows[k:], stack.upper[n + k :], stack.rows[:k], stack.lower[n : n + k], stack.upper[n : n + k])
        names = (equality_names, inequality_names, bound_names)
        return cls(np.zeros((n, n)), np.zeros(n), *rows, stack.lower[:n], stack.upper[:n], *names, stack)

    def __post_init__(self) -> None:
        n, m, k = self.g.shape[0], self.b.shape[0], self.l.shape[0]
        shapes = {"H": (n, n), "A": (m, n), "C": (k, n), "u": (k,), "lower": (n,), "upper": (n,)}
        for name, shape in shapes.items():
            found = getattr(self, name).shape
            if found != shape:
                raise ProblemError(
                    f"has shape {found}, wanted {shape}", where=f"QpProblem.{name}", value=found, bound=shape
                )

    @property
    def variables(self) -> int:
        """Number of variables n."""
        return self.g.shape[0]

    @property
    def equalities(self) -> int:
        """Number of equality rows m."""
        return self.b.shape[0]

    @property
    def inequalities(self) -> int:
        """Number of inequality rows k."""
        return self.l.shape[0]

    def is_finite(self) -> bool:
        """Whether every number but the bounds is finite and no bound is NaN: one non-finite entry poisons a sum."""
        stack = self.stacked()
        # A product of an array with itself is one BLAS call, and NaN or infinity anywhere shows in it.
        total = (
            np.vdot(self.H, self.H)
            + np.vdot(self.g, self.g)
            + np.vdot(stack.rows, stack.rows)
            + np.vdot(self.b, self.b)
        )
        # Bounds may be infinite to their own side only, so their sums are NaN exactly when an entry is.
        total_lower, total_upper = np.add.reduce(stack.lower), np.add.reduce(stack.upper)
        return math.isfinite(total) and not math.isnan(total_lower) and not math.isnan(total_upper)

    def stacked(self) -> StackedConstraints:
        """All constraints in one stack, b in both bounds; copies only what is not stacked yet."""
        start = self.variables + self.inequalities
        if self.stack is not None:
            self.stack.lower[start:] = self.b
            return self.stack
        rows = np.vstack([self.C, self.A])
        return StackedConstraints(
            rows, np.concatenate([self.lower, self.l, self.b]), np.concatenate([self.upper, self.u, self.b])
        )

    def copy(self) -> QpProblem:
        """An independent copy, for recording."""
        h, g, a, b, c = self.H.copy(), self.g.copy(), self.A.copy(), self.b.copy(), self.C.copy()
        bounds = (self.l.copy(), self.u.copy(), self.lower.copy(), self.upper.copy())
        return QpProblem(h, g, a, b, c, *bounds, self.equality_names, self.inequality_names, self.bound_names)
