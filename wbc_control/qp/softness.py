"""Which constraints of a problem may give way, and at what price."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.qp.problem import QpProblem

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Softness:
    """Soft constraints; each violation s costs ``penalty`` · s².

    Attributes:
        bounds: (n,) which variables' bounds are soft.
        rows: (k,) which rows of C are soft.
        penalty: Weight of a squared violation.
    """

    bounds: BoolArray
    rows: BoolArray
    penalty: float

    def augmented(self, problem: QpProblem) -> QpProblem:
        """The same problem with one slack variable per soft constraint, for solvers without slacks of their own.

        Variables [x; s]; a soft bound becomes a row ``lower ≤ x_i + s ≤ upper``, a soft row gets ``+ s``.
        """
        problem.complete()
        n, k, m = problem.variables, problem.inequalities, problem.equalities
        bounds, rows = np.flatnonzero(self.bounds), np.flatnonzero(self.rows)
        slacks, extra = len(bounds) + len(rows), len(bounds)
        big = QpProblem.zeros(("",) * m, ("",) * (k + extra), ("",) * (n + slacks))
        big.H[:n, :n], big.g[:n] = problem.H, problem.g
        big.H[np.arange(n, n + slacks), np.arange(n, n + slacks)] = 2.0 * self.penalty
        big.A[:, :n], big.b[:] = problem.A, problem.b
        big.C[:k, :n], big.l[:k], big.u[:k] = problem.C, problem.l, problem.u
        big.C[rows, n + extra + np.arange(len(rows))] = 1.0
        big.C[k + np.arange(extra), bounds] = 1.0
        big.C[k + np.arange(extra), n + np.arange(extra)] = 1.0
        big.l[k:], big.u[k:] = problem.lower[bounds], problem.upper[bounds]
        big.lower[:n] = np.where(self.bounds, -np.inf, problem.lower)
        big.upper[:n] = np.where(self.bounds, np.inf, problem.upper)
        return big
