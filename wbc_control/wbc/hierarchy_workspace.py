"""The strict hierarchy as a QP solver of one layout: same buffers, same controller, other meaning of the weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from wbc_control.qp import QpProblem, QpSolution, QpStatus, QpWorkspace
from wbc_control.wbc.hierarchy import HierarchySolver, Level
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.task import Array

RAMP_PRIORITY = -1
"""The motion of a foot that comes or goes stands above every task."""


class HierarchyWorkspace(QpWorkspace):
    """Splits the layout's tasks by priority; posture, regularisation and force references share the last level.

    A level takes its directions for good: one that asks for zero angular momentum would forbid what brings the posture
    back, so such tasks belong into the last level, where weights decide.

    Args:
        layout: Whose problem this workspace solves.
        new_workspace: Makes the QP solver of one level.
        last_priority: Tasks of this priority and below are weighed against each other in the last level.
    """

    def __init__(self, layout: Layout, new_workspace: Callable[[], QpWorkspace], last_priority: int) -> None:
        sample = new_workspace()
        super().__init__(sample.tolerance, sample.max_iterations, sample.time_budget)
        self._layout, self._solver = layout, HierarchySolver(new_workspace)
        dense, mixed = _rows_by_priority(layout)
        self._dense = {priority: rows for priority, rows in dense.items() if priority < last_priority}
        self._mixed = {priority: rows for priority, rows in mixed.items() if priority < last_priority}
        self._priorities = sorted({*self._dense, *self._mixed})
        self._upper = _joined(self._dense.values())
        self._wide = {k: np.zeros((len(rows), layout.problem.variables)) for k, rows in self._dense.items()}
        self._low = _joined(rows for priority, rows in dense.items() if priority >= last_priority)
        self._low_mixed = _joined(rows for priority, rows in mixed.items() if priority >= last_priority)

    def solve(self, problem: QpProblem) -> QpSolution:
        """Solve all levels; ``problem`` is the layout's own."""
        if not problem.is_finite():
            return QpSolution.without_point(problem, QpStatus.NOT_FINITE)
        levels = [self._level(priority) for priority in self._priorities]
        return self._solver.solve([level for level in levels if len(level.b)], problem, self._rest(problem))

    def forget(self) -> None:
        """Make the next solve a cold one."""
        self._solver.forget()

    def _level(self, priority: int) -> Level:
        layout = self._layout
        dense, mixed = self._dense.get(priority, _NO_ROWS), self._mixed.get(priority, _NO_ROWS)
        A, b, weights = self._wide.get(priority), layout.task_b[dense], layout.weight_column[dense, 0]
        if A is not None:
            A[:, : layout.nv] = layout.task_A[dense]
        if len(mixed):
            A = layout.mixed_A[mixed] if A is None else np.concatenate([A, layout.mixed_A[mixed]])
            b = np.concatenate([b, layout.mixed_b[mixed]])
            weights = np.concatenate([weights, layout.mixed_weights[mixed]])
        assert A is not None
        wanted = weights > 0.0
        return Level(A, b, weights) if wanted.all() else Level(A[wanted], b[wanted], weights[wanted])

    def _rest(self, problem: QpProblem) -> tuple[Array, Array]:
        """The last level's cost: all that the weighted cost holds besides the upper levels."""
        layout, nv = self._layout, self._layout.nv
        weighted = layout.weight_column * layout.task_A
        # What is separable has a diagonal Hessian: taken as such, not as a difference of large matrices.
        alone = problem.H.reshape(-1)[: nv * (len(problem.g) + 1) : len(problem.g) + 1].copy()
        alone -= np.einsum("ij,ij->j", weighted, layout.task_A)
        gradient = problem.g.copy()
        gradient[:nv] += layout.task_b[self._upper] @ weighted[self._upper]
        mixed = layout.mixed_weights[:, None] * layout.mixed_A if layout.mixed_blocks else None
        if mixed is not None:
            alone -= np.einsum("ij,ij->j", mixed[:, :nv], layout.mixed_A[:, :nv])
        H = np.zeros_like(problem.H)
        if layout.forces:
            H[nv:] = layout.force_hessian
        H.reshape(-1)[: nv * (len(H) + 1) : len(H) + 1] = np.maximum(alone, 1e-9)
        H[:nv, :nv] += weighted[self._low].T @ layout.task_A[self._low]
        if mixed is not None:
            self._add_mixed(H, gradient, mixed)
        return H, gradient

    def _add_mixed(self, H: Array, gradient: Array, mixed: Array) -> None:
        """Tasks on accelerations and forces together: those of the last level in, those of levels above out."""
        layout = self._layout
        H += mixed[self._low_mixed].T @ layout.mixed_A[self._low_mixed]
        for rows in self._mixed.values():
            gradient += layout.mixed_b[rows] @ mixed[rows]


_NO_ROWS = np.zeros(0, dtype=np.intp)


def _rows_by_priority(layout: Layout) -> tuple[dict[int, Array], dict[int, Array]]:
    dense: dict[int, list[int]] = {}
    start = 0
    for task, _, b in layout.task_blocks:
        dense.setdefault(task.priority, []).extend(range(start, start + len(b)))
        start += len(b)
    for _, rows in layout.ramping:
        dense.setdefault(RAMP_PRIORITY, []).extend(range(rows.start, rows.stop))
    mixed: dict[int, list[int]] = {}
    start = 0
    for mixed_task, _, b in layout.mixed_blocks:
        mixed.setdefault(mixed_task.priority, []).extend(range(start, start + len(b)))
        start += len(b)
    return _as_arrays(dense), _as_arrays(mixed)


def _joined(rows: Iterable[Array]) -> Array:
    return np.concatenate([_NO_ROWS, *rows])


def _as_arrays(rows: dict[int, list[int]]) -> dict[int, Array]:
    return {priority: np.array(indices, dtype=np.intp) for priority, indices in rows.items()}
