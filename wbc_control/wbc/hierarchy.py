"""Strict priorities of any depth: one QP a level, each on the null space of the levels above, all constraints at each.

Level k minimises its own squared error among the optima of the levels before it (Kanoun, Lamiraux, Wieber, IEEE T-RO 2011;
Escande, Mansard, Wieber, IJRR 2014).  Every constraint is kept at each level; an optimum is handed down as x* and a basis Z
of the directions that leave all errors above unchanged, so that what a lower level adds, Z z, cannot disturb them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.qp import QpProblem, QpSolution, QpStatus, QpWorkspace
from wbc_control.qp.problem import StackedConstraints
from wbc_control.wbc.null_basis import null_basis, particular
from wbc_control.wbc.reduced_constraints import ReducedConstraints
from wbc_control.wbc.task import Array

_REGULARISATION = 1e-8
"""Relative curvature along directions a level does not care about; they are left to the levels below."""
_PRESSURE = 1e-6
"""Multiplier, relative to the largest and to the size of the step, from which on a constraint counts as holding a level
back."""
_FEASIBLE = 1e-5
"""Largest violation of any constraint by the point handed out."""


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
        x, Z = particular(constraints.A, constraints.b)
        if x is None:
            return _point(np.zeros(constraints.variables), constraints, QpStatus.INFEASIBLE, 0)
        rooms, iterations = ReducedConstraints(constraints, x, Z), 0
        for k in range(len(levels) + (last is not None)):
            if not Z.shape[1]:
                break
            level = levels[k] if k < len(levels) else None
            errors = None if level is None else np.sqrt(level.weights)[:, None] * (level.A @ Z)
            H, g = _rest(last, x, Z) if level is None else _square(level, errors, x)
            C, lower, upper = rooms.rows(k > 0)
            solution = self._workspace(k).solve(_small_problem(H, g, C, lower, upper))
            iterations += solution.iterations
            if not solution.solved:
                return _point(x, constraints, solution.status, iterations)
            x = x + Z @ solution.x
            rooms.move(solution.x)
            if errors is not None:
                pressing = _pressing(solution)
                basis = null_basis(np.concatenate([errors, C[pressing]]) if pressing.any() else errors)
                Z = Z @ basis
                rooms.narrow(basis)
        feasible = max(rooms.violation(), _equality_error(x, constraints)) < _FEASIBLE
        return _point(x, constraints, QpStatus.SOLVED if feasible else QpStatus.INFEASIBLE, iterations)

    def forget(self) -> None:
        """Make the next solve a cold one."""
        for workspace in self._workspaces:
            workspace.forget()

    def _workspace(self, level: int) -> QpWorkspace:
        while len(self._workspaces) <= level:
            self._workspaces.append(self._new_workspace())
        return self._workspaces[level]


def _square(level: Level, errors: Array | None, x: Array) -> tuple[Array, Array]:
    """Hessian and gradient in z of a level's squared error; ``errors`` = √W A Z."""
    assert errors is not None
    missed = np.sqrt(level.weights) * (level.A @ x - level.b)
    return errors.T @ errors, missed @ errors


def _rest(last: tuple[Array, Array] | None, x: Array, Z: Array) -> tuple[Array, Array]:
    assert last is not None
    H, g = last
    HZ = H @ Z
    return Z.T @ HZ, x @ HZ + g @ Z


def _small_problem(H: Array, g: Array, C: Array, lower: Array, upper: Array) -> QpProblem:
    """Level's QP in z, x = x* + Z z, its cost scaled to a curvature of one."""
    size = len(g)
    diagonal = H.reshape(-1)[:: size + 1]
    scale = max(float(diagonal.max()), 1e-12)
    H /= scale
    diagonal += _REGULARISATION
    open_bound = np.full(size, np.inf)
    stack = StackedConstraints(C, np.concatenate([-open_bound, lower]), np.concatenate([open_bound, upper]))
    low, high = stack.lower, stack.upper
    none = np.zeros((0, size))
    return QpProblem(H, g / scale, none, none[:, 0], C, low[size:], high[size:], low[:size], high[:size], stack=stack)


def _pressing(solution: QpSolution) -> NDArray[np.bool_]:
    """Which rows of C hold the level back: with a positive multiplier they stay active for all levels below.

    At the optimum 0 = gradient + Cᵀz; in the null space of the errors the gradient vanishes, so Σ z_i c_i = 0 there, and as
    no c_i may give way the wrong side, all of them vanish (Escande et al. 2014, §3.3): equalities, which would leave a QP
    of inequalities no interior.
    """
    # The regularisation presses too, a hundred times less than what counts here.
    pressure = np.abs(solution.z)
    largest = max(float(pressure.max(initial=0.0)), float(np.abs(solution.x).max(initial=0.0)), 1.0)
    pressing: NDArray[np.bool_] = pressure > _PRESSURE * largest
    return pressing


def _equality_error(x: Array, constraints: QpProblem) -> float:
    return float(np.abs(constraints.A @ x - constraints.b).max(initial=0.0))


def _point(x: Array, constraints: QpProblem, status: QpStatus, iterations: int) -> QpSolution:
    m, k = constraints.equalities, constraints.inequalities
    return QpSolution(x, np.zeros(m), np.zeros(k), np.zeros(len(x)), status, iterations)
