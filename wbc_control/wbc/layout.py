"""The QP of one set of feet in contact: which rows and variables it has, and where each part is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from wbc_control.qp import FactoredCost, QpProblem
from wbc_control.wbc.contacts import FULL, RAMP, Contact, Modes
from wbc_control.wbc.limits import RowLimit
from wbc_control.wbc.mixed_task import MixedTask
from wbc_control.wbc.task import Array, Task


class Layout:
    """Buffers for x = [q̈; f] with one contact set; built once per set, then only written into.

    The torque is not a variable: τ = M_a q̈ + h_a − J_aᵀ f follows from the actuated rows of the equation of motion, so
    eliminating it saves n variables and n equality rows, and its limits become rows of C.

    Attributes:
        problem: This tick's QP; between ticks the number of its last rows may change (:meth:`use_rows`).
        cost: The QP's cost but for tasks on the whole x.
        pull: (nv,) view of the cost's linear term.
        contacts: Contacts that take part, with their index among all feet.
        force_slices: Where each contact's force sits in x.
        motion: (slot, map, view, acceleration) of each contact: where ``map @ jacobian`` and its right-hand side go.
        is_plain: Whether all motion rows are the Jacobian's, in A.
        normal_rows: Row of C of each contact's normal force where that is no variable, else None.
        normal_feet, normal_columns, normal_weights: (k,) foot, variable and minus weight of each normal force that is one.
        normal_sums: (foot, variables, row of C, minus weights) of each normal force that is a sum of variables.
        contact_blocks: Each contact with the views it writes into.
        dynamics_blocks: Views (A of the base, A of its forces, C of the joints, C of their forces, b of the base).
        motion_block: View of A's rows behind the base, accelerations only.
        torque_rows: View of C.
        joint_blocks: Views (lower, upper acceleration; l, u of the torque rows).
        turning: Contacts whose cone turns, with their rows of C.
        row_limits: Limits whose rows stand at the end of C, as many as they need this tick.
        limit_start: First of those rows.
        fading: Tasks whose weight changes from tick to tick, with their rows.
        mixed_blocks: Each task on the whole x with the views it writes into.
        jacobian: (forces, nv) stacked contact Jacobians in contact frames.
        tasks: Tasks that take part.
        joint_names: Actuated joints.
        task_blocks: Each task with the views it writes into.
        task_A: (rows, nv); task_b: (rows,); task_weights: (rows,) stacked tasks.
    """

    def __init__(
        self,
        joint_names: Sequence[str],
        base: int,
        contacts: Sequence[tuple[int, Contact]],
        tasks: Sequence[Task],
        force_weight: float,
        acceleration_weights: Array,
        modes: Modes = (),
        row_limits: Sequence[RowLimit] = (),
        mixed_tasks: Sequence[MixedTask] = (),
    ) -> None:
        self.contacts, self.tasks = tuple(contacts), tuple(tasks)
        self.modes = modes or (FULL,) * (1 + max((foot for foot, _ in contacts), default=0))
        self.row_limits, self._mixed_tasks = tuple(row_limits), tuple(mixed_tasks)
        self.joint_names = tuple(joint_names)
        self.nv, self.base, self.n = base + len(joint_names), base, len(joint_names)
        self._place_contacts()
        names = self._names(joint_names)
        self.problem = QpProblem.zeros(*names)
        self.jacobian = np.zeros((self.forces, self.nv))
        self._write_constants(force_weight)
        self._place_rows()
        self._stack_tasks()
        self._place_motion()
        self._place_normals(force_weight)
        self._view_blocks()
        self._stack_mixed()
        self._factor_cost(acceleration_weights)

    def _place_contacts(self) -> None:
        sizes = [contact.size for _, contact in self.contacts]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        self.forces = int(starts[-1])
        blocks = list(pairwise(starts))
        self.jacobian_slices = [slice(a, b) for a, b in blocks]
        self.force_slices = [slice(self.nv + a, self.nv + b) for a, b in blocks]

    def _names(self, joint_names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        axes = ("x", "y", "z", "roll", "pitch", "yaw")
        equalities = [f"base dynamics {axis}" for axis in axes[: self.base]]
        inequalities = [f"torque limit {name}" for name in joint_names]
        bounds = [f"base acceleration {axis}" for axis in axes[: self.base]]
        bounds += [f"position or velocity limit {name}" for name in joint_names]
        for foot, contact in self.contacts:
            equalities += [f"contact motion {contact.name}"] * (contact.motion_size if self._is_full(foot) else 0)
            inequalities += contact.cone_names
            bounds += [f"normal force range {contact.name}"] * contact.size
        inequalities += [f"normal force range {c.name}" for _, c in self.contacts if c.normal is None]
        inequalities += [f"{limit.name} {i + 1}" for limit in self.row_limits for i in range(limit.rows)]
        return tuple(equalities), tuple(inequalities), tuple(bounds)

    def _is_full(self, foot: int) -> bool:
        return self.modes[foot] != RAMP

    def _write_constants(self, force_weight: float) -> None:
        """Cones and force weights do not change: in contact frames they are written once."""
        self.turning: list[tuple[Contact, slice, Array]] = []
        row = self.n
        for (_, contact), columns in zip(self.contacts, self.force_slices):
            rows = slice(row, row + len(contact.cone))
            self.problem.C[rows, columns] = contact.cone
            self.problem.u[rows] = 0.0
            if contact.turning:
                self.turning.append((contact, columns, self.problem.C[rows, columns]))
            self.problem.H[columns, columns] = np.diag(force_weight * contact.force_weights)
            row = rows.stop

    def _place_rows(self) -> None:
        """Rows of C behind the cones: normal forces that are sums, then limits on combinations of accelerations."""
        row = self.problem.inequalities - sum(limit.rows for limit in self.row_limits)
        row -= sum(contact.normal is None for _, contact in self.contacts)
        self._relaxable_start = row
        self.normal_rows: list[int | None] = []
        for (_, contact), columns in zip(self.contacts, self.force_slices):
            is_sum = contact.normal is None
            self.normal_rows.append(row if is_sum else None)
            if is_sum:
                self.problem.C[row, columns], self.problem.lower[columns] = contact.normal_row, contact.force_lower
                row += 1
        self.limit_start = row

    @property
    def relaxable_rows(self) -> slice:
        """Rows of C that may give way in an emergency: normal forces that are sums, and those of row limits."""
        return slice(self._relaxable_start, self.problem.inequalities)

    def use_rows(self, used: int) -> None:
        """Leave out the rows of C behind the first ``used``."""
        found = self._sized.get(used)
        if found is None:
            found = self._sized[used] = self.full.first_rows(used)
        self.problem = found

    def _factor_cost(self, acceleration_weights: Array) -> None:
        """With tasks on the whole x the factors would not be the whole cost: then the QP does without."""
        diagonal = self.problem.H.diagonal().copy()
        diagonal[: self.nv] = acceleration_weights
        self.cost = FactoredCost(diagonal, self.task_A, self.task_b, self.weight_column)
        self.pull = self.cost.gradient[: self.nv]
        if not self.mixed_blocks:
            self.problem = replace(self.problem, cost=self.cost)
        self.full, self._sized = self.problem, {self.problem.inequalities: self.problem}

    def _place_motion(self) -> None:
        """Motion of full contacts goes to A, that of ramping ones below the tasks."""
        self.motion: list[tuple[int, Array | None, Array, Array]] = []
        self.ramping: list[tuple[int, slice]] = []
        row, soft, problem = self.base, sum(task.rows for task in self.tasks), self.problem
        for slot, (foot, contact) in enumerate(self.contacts):
            size = contact.motion_size
            if self._is_full(foot):
                rows = slice(row, row + size)
                views = problem.A[rows, : self.nv], problem.b[rows]
                row += size
            else:
                rows = slice(soft, soft + size)
                views = self.task_A[rows], self.task_b[rows]
                self.ramping.append((foot, rows))
                soft += size
            self.motion.append((slot, contact.motion_map, *views))
        self.is_plain = not self.ramping and all(contact.motion_map is None for _, contact in self.contacts)

    def _place_normals(self, force_weight: float) -> None:
        """Where normal forces are variables they are addressed all at once; sums go one by one."""
        slots = [slot for slot, (_, contact) in enumerate(self.contacts) if contact.normal is not None]
        places = [(self.contacts[slot][0], self.force_slices[slot].start, self.contacts[slot][1]) for slot in slots]
        self.normal_feet = np.array([foot for foot, _, _ in places], dtype=np.intp)
        self.normal_columns = np.array([start + contact.normal for _, start, contact in places], dtype=np.intp)
        self.normal_weights = -force_weight * np.array([c.force_weights[c.normal] for _, _, c in places])
        self.normal_sums = [
            (foot, self.force_slices[slot], self.normal_rows[slot], -force_weight * c.force_weights * c.normal_share)
            for slot, (foot, c) in enumerate(self.contacts)
            if c.normal is None
        ]
        self.contact_blocks = [
            (contact, self.jacobian[self.jacobian_slices[slot]], self.motion[slot][3])
            for slot, (_, contact) in enumerate(self.contacts)
        ]

    def _stack_mixed(self) -> None:
        rows = sum(task.rows for task in self._mixed_tasks)
        self.mixed_A, self.mixed_b = np.zeros((rows, self.problem.variables)), np.zeros(rows)
        self.mixed_weights = np.concatenate([np.zeros(0), *(task.weights for task in self._mixed_tasks)])
        self.force_hessian = self.problem.H[self.nv :].copy()
        self.mixed_blocks: list[tuple[MixedTask, Array, Array]] = []
        start = 0
        for task in self._mixed_tasks:
            block = slice(start, start + task.rows)
            self.mixed_blocks.append((task, self.mixed_A[block], self.mixed_b[block]))
            start = block.stop

    def _stack_tasks(self) -> None:
        soft = sum(contact.motion_size for foot, contact in self.contacts if not self._is_full(foot))
        rows = sum(task.rows for task in self.tasks) + soft
        self.task_A, self.task_b = np.zeros((rows, self.nv)), np.zeros(rows)
        self.task_weights = np.concatenate([*(task.weights for task in self.tasks), np.zeros(soft)])
        self.weight_column = self.task_weights[:, None].copy()
        self.task_blocks: list[tuple[Task, Array, Array]] = []
        self.fading: list[tuple[Task, slice]] = []
        start = 0
        for task in self.tasks:
            rows_of_task = slice(start, start + task.rows)
            self.task_blocks.append((task, self.task_A[rows_of_task], self.task_b[rows_of_task]))
            if task.share(self.modes, np.zeros(len(self.modes))) is not None:
                self.fading.append((task, rows_of_task))
            start += task.rows

    def _view_blocks(self) -> None:
        problem, base, nv, n = self.problem, self.base, self.nv, self.n
        forces_A, forces_C = problem.A[:base, nv:], problem.C[:n, nv:]
        self.dynamics_blocks = problem.A[:base, :nv], forces_A, problem.C[:n, :nv], forces_C, problem.b[:base]
        self.motion_block, self.torque_rows = problem.A[base:, :nv], problem.C[:n]
        bounds = problem.lower[base : base + n], problem.upper[base : base + n]
        self.joint_blocks = *bounds, problem.l[:n], problem.u[:n]

    def contact_slot(self, foot: int) -> int | None:
        """Position of a foot among the contacts that take part."""
        return next((slot for slot, (index, _) in enumerate(self.contacts) if index == foot), None)

    def force(self, x: Array, foot: int) -> Array | None:
        """The force variables of a foot, contact frame; None while it takes no part."""
        slot = self.contact_slot(foot)
        return None if slot is None else x[self.force_slices[slot]]
