"""The QP of one set of feet in contact: which rows and variables it has, and where each part is written."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.qp import QpProblem
from wbc_control.wbc.contacts import Contact
from wbc_control.wbc.task import Array, Task


class Layout:
    """Buffers for x = [q̈; f] with one contact set; built once per set, then only written into.

    The torque is not a variable: τ = M_a q̈ + h_a − J_aᵀ f follows from the actuated rows of the equation of motion, so
    eliminating it saves n variables and n equality rows, and its limits become rows of C.

    Attributes:
        problem: The QP's buffers.
        contacts: Contacts that take part, with their index among all feet.
        force_slices: Where each contact's force sits in x.
        motion_rows: Where each contact's motion sits in A.
        jacobian: (forces, nv) stacked contact Jacobians in contact frames.
        tasks: Tasks that take part.
        joint_names: Actuated joints.
        task_blocks: Each task with the views it writes into.
        hessian: (nv, nv) scratch; diagonal: (nv,) view of the Hessian's diagonal.
        task_A: (rows, nv); task_b: (rows,); task_weights: (rows,) stacked tasks.
    """

    def __init__(
        self,
        joint_names: Sequence[str],
        base: int,
        contacts: Sequence[tuple[int, Contact]],
        tasks: Sequence[Task],
        force_weight: float,
    ) -> None:
        self.contacts, self.tasks = tuple(contacts), tuple(tasks)
        self.joint_names = tuple(joint_names)
        self.nv, self.base, self.n = base + len(joint_names), base, len(joint_names)
        self._place_contacts()
        names = self._names(joint_names)
        self.problem = QpProblem.zeros(*names)
        self.jacobian = np.zeros((self.forces, self.nv))
        self._write_constants(force_weight)
        self._stack_tasks()

    def _place_contacts(self) -> None:
        sizes = [contact.size for _, contact in self.contacts]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        self.forces = int(starts[-1])
        blocks = list(zip(starts[:-1], starts[1:]))
        self.jacobian_slices = [slice(a, b) for a, b in blocks]
        self.force_slices = [slice(self.nv + a, self.nv + b) for a, b in blocks]
        self.motion_rows = [slice(self.base + a, self.base + b) for a, b in blocks]

    def _names(self, joint_names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        axes = ("x", "y", "z", "roll", "pitch", "yaw")
        equalities = [f"base dynamics {axis}" for axis in axes[: self.base]]
        inequalities = [f"torque limit {name}" for name in joint_names]
        bounds = [f"base acceleration {axis}" for axis in axes[: self.base]]
        bounds += [f"position or velocity limit {name}" for name in joint_names]
        for _, contact in self.contacts:
            equalities += [f"contact motion {contact.name}"] * contact.size
            inequalities += contact.cone_names
            bounds += [f"normal force range {contact.name}"] * contact.size
        return tuple(equalities), tuple(inequalities), tuple(bounds)

    def _write_constants(self, force_weight: float) -> None:
        """Cones and force weights do not change: in contact frames they are written once."""
        self.hessian = np.zeros((self.nv, self.nv))
        size = self.problem.variables
        self.diagonal = self.problem.H.reshape(-1)[: self.nv * (size + 1) : size + 1]
        row = self.n
        for (_, contact), columns in zip(self.contacts, self.force_slices):
            rows = slice(row, row + len(contact.cone))
            self.problem.C[rows, columns] = contact.cone
            self.problem.u[rows] = 0.0
            self.problem.H[columns, columns] = np.diag(force_weight * contact.force_weights)
            row = rows.stop

    def _stack_tasks(self) -> None:
        rows = sum(task.rows for task in self.tasks)
        self.task_A, self.task_b = np.zeros((rows, self.nv)), np.zeros(rows)
        self.task_weights = np.concatenate([task.weights for task in self.tasks]) if self.tasks else np.zeros(0)
        self.weighted_A = np.zeros_like(self.task_A)
        self.weight_column = np.ascontiguousarray(self.task_weights[:, None])
        self.task_blocks: list[tuple[Task, Array, Array]] = []
        start = 0
        for task in self.tasks:
            rows_of_task = slice(start, start + task.rows)
            self.task_blocks.append((task, self.task_A[rows_of_task], self.task_b[rows_of_task]))
            start += task.rows

    def contact_slot(self, foot: int) -> int | None:
        """Position of a foot among the contacts that take part."""
        return next((slot for slot, (index, _) in enumerate(self.contacts) if index == foot), None)

    def force(self, x: Array, foot: int) -> Array | None:
        """The force variables of a foot, contact frame; None while it takes no part."""
        slot = self.contact_slot(foot)
        return None if slot is None else x[self.force_slices[slot]]
