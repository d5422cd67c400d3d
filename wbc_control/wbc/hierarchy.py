"""Strict priorities of any depth: one QP a level, each on the null space of the levels above, all constraints at each.

Level k minimises its own squared error among the optima of the levels before it (Kanoun, Lamiraux, Wieber,
IEEE T-RO 2011;
Escande, Mansard, Wieber, IJRR 2014).  Every constraint is kept at each level; an optimum is handed down as
x* and a basis Z of
the directions that leave all errors above unchanged, so that what a lower level adds, Z z, cannot disturb them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.qp import QpProblem, QpSolution, QpStatus, QpWorkspace
from wbc_control.wbc.task import Array

_RANK_TOLERANCE = 1e-9
"""Singular values, relative to the largest, below which a direction counts as free."""
_REGULARISATION = 1e-8
"""Relative curvature along directions a level does not care about; they are left to the levels below."""
_PRESSURE = 1e-6
"""Multiplier, relative to the largest and to the size of the step, from which on a constraint counts as
holding a level back."""
_ROUNDING = 1e-8
"""Distance by which every level may overstep a constraint that the level before reached."""


@dataclass(frozen=True, eq=False)
class Level:
    """One level: Σ weight · (A x − b)².

    Attributes:
        A: (rows, n); b: (rows,); weights: (rows,) positive.
    """

    A: Array
    b: Array
    weights: Array


class HierarchySolver:
    """Solves levels one after the other; a last level may be a strictly convex cost that decides what is left.

    Args:
        new_workspace: Makes a QP solver; one is kept for each level.
    """

    def __init__(self, new_workspace: Callable[[], QpWorkspace]) -> None:
        self._new_workspace = new_workspace
        self._workspaces: list[QpWorkspace] = []

    def solve(
        self, levels: Sequence[Level], constraints: QpProblem, last: tuple[Array, Array] | None = None
    ) -> QpSolution:
        """Solve all levels.

        Args:
            levels: The most important first.
            constraints: Whose A, b, C, l, u, lower and upper every level keeps; H and g do not matter.
            last: (H, g) of a final cost ½ xᵀHx + gᵀx.

        Returns:
            The point, with the status of the first level that failed; multipliers are zero.
        """
        x, Z = _particular(constraints)
        if x is None:
            return _point(np.zeros(constraints.variables), constraints, QpStatus.INFEASIBLE, 0)
        iterations = 0
        costs = [*(_square(level) for level in levels), *([last] if last is not None else [])]
        for k, (H, g) in enumerate(costs):
            if not Z.shape[1]:
                break
            problem = _reduced(k, H, g, x, Z, constraints)
            solution = self._workspace(k).solve(problem)
            iterations += solution.iterations
            if not solution.solved:
                return _point(x, constraints, solution.status, iterations)
            x = x + Z @ solution.x
            if k < len(levels):
                error_rows = np.sqrt(levels[k].weights)[:, None] * (levels[k].A @ Z)
                Z = Z @ _null_space(np.vstack([error_rows, problem.C[_pressing(problem, solution)]]))
        status = QpStatus.SOLVED if _violation(x, constraints) < 1e-5 else QpStatus.INFEASIBLE
        return _point(x, constraints, status, iterations)

    def forget(self) -> None:
        """Make the next solve a cold one."""
        for workspace in self._workspaces:
            workspace.forget()

    def _workspace(self, level: int) -> QpWorkspace:
        while len(self._workspaces) <= level:
            self._workspaces.append(self._new_workspace())
        return self._workspaces[level]


def _square(level: Level) -> tuple[Array, Array]:
    weighted = level.weights[:, None] * level.A
    return level.A.T @ weighted, -(level.b @ weighted)


def _particular(constraints: QpProblem) -> tuple[Array | None, Array]:
    """A point that satisfies the equalities, and a basis of the directions that keep them."""
    A, b, n = constraints.A, constraints.b, constraints.variables
    if not len(b):
        return np.zeros(n), np.eye(n)
    left, sizes, right = np.linalg.svd(A)
    rank = int((sizes > _RANK_TOLERANCE * sizes[0]).sum())
    x = right[:rank].T @ ((left[:, :rank].T @ b) / sizes[:rank])
    consistent = np.abs(A @ x - b).max() <= 1e-6 * max(1.0, float(np.abs(b).max()))
    return (x if consistent else None), right[rank:].T


def _pressing(problem: QpProblem, solution: QpSolution) -> NDArray[np.bool_]:
    """Which rows of C hold the level back: with a positive multiplier they stay active for all levels below.

    At the optimum 0 = gradient + Cᵀz; in the null space of the errors the gradient vanishes, so Σ z_i c_i
    = 0 there, and as no
    c_i may give way the wrong side, all of them vanish (Escande et al. 2014, §3.3): equalities, which
    would leave a QP of
    inequalities no interior.
    """
    # The regularisation presses too, a hundred times less than what counts here.
    largest = max(float(np.abs(solution.z).max(initial=0.0)), float(np.abs(solution.x).max(initial=0.0)), 1.0)
    pressing: NDArray[np.bool_] = np.abs(solution.z) > _PRESSURE * largest
    return pressing


def _null_space(matrix: Array) -> Array:
    """Orthonormal basis (n, k) of the null space."""
    _, sizes, right = np.linalg.svd(matrix)
    rank = int((sizes > _RANK_TOLERANCE * max(float(sizes[0]), 1e-12)).sum()) if sizes.size else 0
    basis: Array = right[rank:].T
    return basis


def _reduced(k: int, H: Array, g: Array, x: Array, Z: Array, constraints: QpProblem) -> QpProblem:
    """Level k's QP in z, x = x* + Z z; from level 1 on z = 0 is feasible, up to the rounding of the level before."""
    rows = np.vstack([constraints.C, np.eye(constraints.variables)])
    at = rows @ x
    lower = np.concatenate([constraints.l, constraints.lower]) - at
    upper = np.concatenate([constraints.u, constraints.upper]) - at
    inside = rows @ Z
    matters = np.isfinite(lower) | np.isfinite(upper)
    matters &= np.abs(inside).max(axis=1, initial=0.0) > _RANK_TOLERANCE if k else True
    small = QpProblem.zeros((), ("",) * int(matters.sum()), ("",) * Z.shape[1])
    small.H[:] = Z.T @ H @ Z
    small.g[:] = Z.T @ (H @ x + g)
    scale = max(float(np.abs(np.diag(small.H)).max(initial=0.0)), 1e-12)
    small.H[:] /= scale
    small.g[:] /= scale
    small.H[np.diag_indices(Z.shape[1])] += _REGULARISATION
    small.C[:] = inside[matters]
    small.l[:], small.u[:] = lower[matters], upper[matters]
    if k:
        # A level that ended in a corner of its constraints leaves the next one no room but rounding: give it that much.
        np.minimum(small.l, -_ROUNDING, out=small.l)
        np.maximum(small.u, _ROUNDING, out=small.u)
    return small


def _violation(x: Array, constraints: QpProblem) -> float:
    zeros = np.zeros
    point = QpSolution(
        x, zeros(constraints.equalities), zeros(constraints.inequalities), zeros(len(x)), QpStatus.SOLVED, 0
    )
    return point.primal_residual(constraints)


def _point(x: Array, constraints: QpProblem, status: QpStatus, iterations: int) -> QpSolution:
    zeros = np.zeros
    return QpSolution(
        x, zeros(constraints.equalities), zeros(constraints.inequalities), zeros(len(x)), status, iterations
    )
