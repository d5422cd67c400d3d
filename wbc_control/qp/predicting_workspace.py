"""Most ticks the constraints that were active stay so: then the solution is one linear system away, and checks itself."""

from __future__ import annotations

import numpy as np

from wbc_control.qp.factored_cost import FactoredCost
from wbc_control.qp.problem import Array, QpProblem, StackedConstraints
from wbc_control.qp.softness import Softness
from wbc_control.qp.solution import QpSolution, QpStatus
from wbc_control.qp.workspace import QpWorkspace
from wbc_control.state import unchecked

_MOST_ACTIVE = 8
"""Active inequalities up to which a prediction is tried."""
_PUSHING = 1e-9
"""Multiplier, relative to the largest, from which on a constraint counts as active, or as pulling the wrong way."""


class PredictingWorkspace(QpWorkspace):
    """Tries the active set of the solve before; where that fails, or where it changed lately, the solver behind decides.

    With d, R, r, w the factors of the cost (:class:`FactoredCost`), B the equalities and active constraints as rows B x = β
    and S = [B; W^½ R] D^(−½), the optimality conditions are

        (S Sᵀ + diag(0, I)) λ = S D^(−½) c + (β; W^½ r),     x = D^(−½) (Sᵀ λ − D^(−½) c),

    of the size of the rows, not of the variables (Nocedal and Wright, *Numerical Optimization*, 2006, §16.2, with the
    weighted rows as constraints of compliance one).  The point counts only if it keeps every constraint to the solver's
    tolerance and all multipliers of active inequalities push the right way: then it is the minimiser, whoever found it.

    Args:
        solver: The solver behind.
    """

    def __init__(self, solver: QpWorkspace) -> None:
        super().__init__(solver.tolerance, solver.max_iterations, solver.time_budget)
        self._solver = solver
        self._active, self._sides = np.zeros(0, dtype=np.intp), np.zeros(0)
        self._rows, self._values, self._inside = np.zeros((0, 0)), np.zeros(0), np.zeros(0)
        self._none: dict[int, Array] = {}
        self.forget()

    def forget(self) -> None:
        """Make the next solve a cold one."""
        self._size, self._is_steady = (-1, -1, -1), False
        self._solver.forget()

    def solve(self, problem: QpProblem) -> QpSolution:
        """See :class:`QpWorkspace`; a solution whose active set was predicted took no iterations."""
        size = (problem.variables, problem.equalities, problem.inequalities)
        if self._is_steady and size == self._size and problem.cost is not None:
            found = self._predicted(problem, problem.cost)
            if found is not None:
                return found
        solution = self._asked().solve(problem)
        self._remember(problem, size, solution)
        return solution

    def _solve_elastic(self, problem: QpProblem, softness: Softness) -> QpSolution:
        """See :class:`QpWorkspace`."""
        return self._asked()._solve_elastic(problem, softness)

    def _asked(self) -> QpWorkspace:
        """The solver behind, with this workspace's settings."""
        solver = self._solver
        solver.tolerance, solver.max_iterations = self.tolerance, self.max_iterations
        solver.time_budget = self.time_budget
        return solver

    def _remember(self, problem: QpProblem, size: tuple[int, int, int], solution: QpSolution) -> None:
        """The active set; steady when two solves in a row agree on it, for in a fast motion predictions are wasted."""
        if not solution.solved:
            self._is_steady = False
            return
        multipliers = np.concatenate([solution.w, np.zeros(problem.equalities), solution.z])
        least = _PUSHING * max(1.0, float(np.abs(multipliers).max(initial=0.0)))
        active = np.flatnonzero(np.abs(multipliers) > least)
        sides = np.sign(multipliers[active])
        same = size == self._size and np.array_equal(active, self._active) and np.array_equal(sides, self._sides)
        self._is_steady = same and len(active) <= _MOST_ACTIVE
        self._size, self._active, self._sides = size, active, sides

    def _predicted(self, problem: QpProblem, cost: FactoredCost) -> QpSolution | None:
        stack, n, m = problem.stacked(), problem.variables, problem.equalities
        start = m + len(cost.targets)
        rows, values = self._system(problem, cost, stack)
        inner, total = rows.dot(rows.T), len(rows)
        diagonal = inner.reshape(-1)[m * (total + 1) : start * (total + 1) : total + 1]
        diagonal += 1.0
        pull = cost.gradient * cost.inverse_root
        values += rows.dot(pull)
        try:
            multipliers = np.linalg.solve(inner, values)
        except np.linalg.LinAlgError:
            return None
        x = multipliers.dot(rows)
        x -= pull
        x *= cost.inverse_root
        values -= inner.dot(multipliers)
        # With NaN anywhere every one of these is false.
        settled = values.dot(values) <= self.tolerance * self.tolerance
        if not (settled and self._is_kept(x, stack) and self._push(multipliers[start:])):
            return None
        return self._solution(problem, x, -multipliers[:m], -multipliers[start:], n, m)

    def _system(self, problem: QpProblem, cost: FactoredCost, stack: StackedConstraints) -> tuple[Array, Array]:
        """S, a buffer, and (β; W^½ r): equalities, weighted rows, active constraints."""
        n, m = problem.variables, problem.equalities
        tasks, columns = cost.rows.shape
        total = m + tasks + len(self._active)
        if self._rows.shape != (m + tasks + _MOST_ACTIVE, n):
            self._rows = np.zeros((m + tasks + _MOST_ACTIVE, n))
        rows, scale = self._rows[:total], cost.inverse_root
        np.multiply(problem.A, scale, out=rows[:m])
        np.multiply(cost.rows, cost.scale, out=rows[m : m + tasks, :columns])
        rows[m : m + tasks, columns:] = 0.0
        parts = [problem.b, cost.root_weights * cost.targets]
        if len(self._active):
            self._add_active(rows[m + tasks :], stack, scale, n)
            parts.append(np.where(self._sides > 0.0, stack.upper[self._active], stack.lower[self._active]))
        return rows, np.concatenate(parts)

    def _add_active(self, rows: Array, stack: StackedConstraints, scale: Array, n: int) -> None:
        for row, index in zip(rows, self._active.tolist()):
            if index < n:
                row[:] = 0.0
                row[index] = scale[index]
            else:
                np.multiply(stack.rows[index - n], scale, out=row)

    def _is_kept(self, x: Array, stack: StackedConstraints) -> bool:
        """Whether all violations together stay below the tolerance."""
        n, size = len(x), len(stack.lower)
        if len(self._values) != size:
            self._values, self._inside = np.zeros(size), np.zeros(size)
        values, inside = self._values, self._inside
        values[:n] = x
        np.dot(stack.rows, x, out=values[n:])
        np.minimum(np.maximum(values, stack.lower, out=inside), stack.upper, out=inside)
        inside -= values
        return bool(inside.dot(inside) <= self.tolerance * self.tolerance)

    def _push(self, multipliers: Array) -> bool:
        """Whether the active inequalities' multipliers, with the system's sign, push inwards."""
        if not len(multipliers):
            return True
        outwards: Array = multipliers * self._sides
        return bool(outwards.max() <= _PUSHING * max(1.0, float(np.abs(multipliers).max())))

    def _solution(self, problem: QpProblem, x: Array, y: Array, active: Array, n: int, m: int) -> QpSolution:
        k = problem.inequalities
        if not len(active):
            return unchecked(QpSolution, x, y, self._zeros(k), self._zeros(n), QpStatus.SOLVED, 0)
        multipliers = np.zeros(n + m + k)
        multipliers[self._active] = active
        return QpSolution(x, y, multipliers[n + m :], multipliers[:n], QpStatus.SOLVED, 0)

    def _zeros(self, size: int) -> Array:
        """Zeros that nobody may change, kept for the next time."""
        found = self._none.get(size)
        if found is None:
            found = self._none[size] = np.zeros(size)
            found.flags.writeable = False
        return found
