"""A quadratic program in buffers that are written in place, tick after tick."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import ProblemError
from wbc_control.qp.factored_cost import FactoredCost

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StackedConstraints:
    """Constraints in one stack: bounds of the variables first, then the rows of A, then those of C.

    Attributes:
        rows: (m + k, n) A above C.
        lower, upper: (n + m + k,); of the entries of A only ``upper`` holds the right-hand side b.
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
        cost: Where H and g are known by their factors, those; H and g may be due until :meth:`complete`.
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
    cost: FactoredCost | None = None

    @classmethod
    def zeros(
        cls, equality_names: tuple[str, ...], inequality_names: tuple[str, ...], bound_names: tuple[str, ...]
    ) -> QpProblem:
        """An unconstrained-in-effect problem of the sizes the names give: zeros, open bounds.

        Its arrays are views of one stack (bounds, then A, then C), so that a solver that wants them stacked copies nothing.
        """
        n, m, k = len(bound_names), len(equality_names), len(inequality_names)
        stack = StackedConstraints(np.zeros((m + k, n)), np.full(n + m + k, -np.inf), np.full(n + m + k, np.inf))
        stack.upper[n : n + m] = 0.0
        rows = (stack.rows[:m], stack.upper[n : n + m], stack.rows[m:], stack.lower[n + m :], stack.upper[n + m :])
        names = (equality_names, inequality_names, bound_names)
        return cls(np.zeros((n, n)), np.zeros(n), *rows, stack.lower[:n], stack.upper[:n], *names, stack)

    def first_rows(self, k: int) -> QpProblem:
        """The problem without its rows of C behind the first ``k``, in the same buffers."""
        if k == self.inequalities:
            return self
        assert self.stack is not None
        end = self.variables + self.equalities + k
        stack = StackedConstraints(
            self.stack.rows[: self.equalities + k], self.stack.lower[:end], self.stack.upper[:end]
        )
        rows, names = (self.C[:k], self.l[:k], self.u[:k]), self.inequality_names[:k]
        return replace(self, C=rows[0], l=rows[1], u=rows[2], inequality_names=names, stack=stack)

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

    @property
    def constraints(self) -> int:
        """Number of all constraints, bounds of the variables included: n + m + k."""
        return self.variables + self.equalities + self.inequalities

    def complete(self) -> None:
        """Write H and g where only their factors are there yet."""
        if self.cost is not None and self.cost.pending:
            self.cost.write(self.H, self.g)

    def is_finite(self) -> bool:
        """Whether every number but the bounds is finite and no bound is NaN: one non-finite entry poisons a sum.

        Completes H and g.
        """
        self.complete()
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
        n, m = self.variables, self.equalities
        if self.stack is not None:
            self.stack.lower[n : n + m] = self.b
            return self.stack
        rows = np.vstack([self.A, self.C])
        return StackedConstraints(
            rows, np.concatenate([self.lower, self.b, self.l]), np.concatenate([self.upper, self.b, self.u])
        )

    def copy(self) -> QpProblem:
        """An independent copy, for recording, its H and g complete."""
        self.complete()
        h, g, a, b, c = self.H.copy(), self.g.copy(), self.A.copy(), self.b.copy(), self.C.copy()
        bounds = (self.l.copy(), self.u.copy(), self.lower.copy(), self.upper.copy())
        return QpProblem(h, g, a, b, c, *bounds, self.equality_names, self.inequality_names, self.bound_names)
