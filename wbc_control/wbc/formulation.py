"""Composes tasks, contacts and limits into the QP of one tick; knows none of their kinds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.qp import QpProblem
from wbc_control.state import PlanSample
from wbc_control.wbc.contacts import Contact, Modes
from wbc_control.wbc.explicit import explicit_problem
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.limits import AccelerationLimit, RowLimit, TorqueLimit
from wbc_control.wbc.mixed_task import MixedTask
from wbc_control.wbc.task import Array, SeparableTask, Task


class Formulation:
    """min Σ w (A q̈ − b)² + Σ w_f (f − f_ref)²  subject to base dynamics, contact motion, cones, torques, accelerations.

    Args:
        model: The robot.
        tasks: Dense tasks.
        separable: The task on single accelerations; its weights must be positive so that the Hessian is.
        contacts: One contact per foot, in the model's order.
        acceleration_limits: Bounds of joint accelerations.
        torque_limits: Bounds of joint torques.
        force_weight: Weight of the contact forces around their reference, 1/N².
        ramp_weight: Weight of the motion of a contact that comes or goes, at full contact weight.
        row_limits: Limits on combinations of accelerations.
        mixed_tasks: Tasks on accelerations and forces together.
    """

    def __init__(
        self,
        model: RobotModel,
        tasks: Sequence[Task],
        separable: SeparableTask,
        contacts: Sequence[Contact],
        acceleration_limits: Sequence[AccelerationLimit],
        torque_limits: Sequence[TorqueLimit],
        force_weight: float,
        ramp_weight: float = 1e4,
        row_limits: Sequence[RowLimit] = (),
        mixed_tasks: Sequence[MixedTask] = (),
    ) -> None:
        self._model, self._tasks, self._separable = model, tuple(tasks), separable
        self._contacts = tuple(contacts)
        self._acceleration_limits, self._torque_limits = tuple(acceleration_limits), tuple(torque_limits)
        self._force_weight, self._ramp_weight = force_weight, ramp_weight
        self._row_limits, self._mixed_tasks = tuple(row_limits), tuple(mixed_tasks)
        self._base = model.nv - model.n
        self._layouts: dict[Modes, Layout] = {}
        self._target, self._pulling = np.zeros(model.nv), -separable.weights
        self._bounds, self._open = np.zeros((4, model.n)), np.array([[-np.inf], [np.inf], [-np.inf], [np.inf]])
        self._bound_rows = tuple(self._bounds)

    def layout(self, modes: Modes) -> Layout:
        """The buffers for one contact set, built at its first use."""
        found = self._layouts.get(modes)
        if found is None:
            contacts = [(i, c) for i, c in enumerate(self._contacts) if modes[i]]
            tasks = [task for task in self._tasks if task.applies(modes)]
            mixed = [task for task in self._mixed_tasks if task.applies(modes)]
            names, weight = self._model.joint_names, self._force_weight
            own, rows = self._separable.weights, self._row_limits
            found = Layout(names, self._base, contacts, tasks, weight, own, modes, rows, mixed)
            self._layouts[modes] = found
        return found

    def write(
        self, terms: Kinodynamics, reference: PlanSample, modes: Modes, force_min: Array, force_max: Array
    ) -> Layout:
        """Fill the QP of this tick.

        Args:
            terms: This tick's dynamics.
            reference: What is wanted.
            modes: Mode of each foot (:func:`contact_modes`).
            force_min: (n_feet,) least normal force, N.
            force_max: (n_feet,) largest normal force, N.
        """
        layout = self.layout(modes)
        self._write_contacts(layout, terms, force_min, force_max)
        self._write_dynamics(layout, terms)
        self._write_cost(layout, terms, reference)
        if layout.mixed_blocks:
            self._write_mixed(layout, terms, reference)
        self._write_limits(layout, terms)
        return layout

    def _write_cost(self, layout: Layout, terms: Kinodynamics, reference: PlanSample) -> None:
        for task, A, b in layout.task_blocks:
            task.write(terms, reference, A, b)
        cost = layout.cost
        if layout.fading or layout.ramping:
            self._fade(layout, reference)
            cost.reweigh()
        self._separable.write(terms, reference, self._target)
        np.multiply(self._pulling, self._target, out=layout.pull)
        if len(layout.normal_columns):
            cost.gradient[layout.normal_columns] = layout.normal_weights * reference.normal_force[layout.normal_feet]
        for foot, columns, _, weights in layout.normal_sums:
            cost.gradient[columns] = weights * reference.normal_force[foot]
        cost.pending = True

    def _fade(self, layout: Layout, reference: PlanSample) -> None:
        """Swing task and contact motion of a foot that lands or lifts trade places with its contact weight."""
        column, weights = layout.weight_column[:, 0], layout.task_weights
        for task, rows in layout.fading:
            column[rows] = weights[rows] * task.share(layout.modes, reference.contact_weight)
        for foot, rows in layout.ramping:
            column[rows] = self._ramp_weight * reference.contact_weight[foot]

    def _write_mixed(self, layout: Layout, terms: Kinodynamics, reference: PlanSample) -> None:
        """Add tasks that couple accelerations and forces; elsewhere the coupling blocks of H stay zero for good."""
        problem, nv = layout.problem, layout.nv
        layout.cost.write(problem.H, problem.g)
        for task, A, b in layout.mixed_blocks:
            task.write(layout, terms, reference, A, b)
        problem.H[nv:], problem.H[:nv, nv:] = layout.force_hessian, 0.0
        weighted = layout.mixed_A * layout.mixed_weights[:, None]
        problem.H[:] += weighted.T @ layout.mixed_A
        problem.g[:] -= layout.mixed_b @ weighted

    def _write_contacts(self, layout: Layout, terms: Kinodynamics, force_min: Array, force_max: Array) -> None:
        problem = layout.problem
        for contact, jacobian, acceleration in layout.contact_blocks:
            contact.write(terms, jacobian, acceleration)
        if len(layout.normal_columns):
            feet, normals = layout.normal_feet, layout.normal_columns
            problem.lower[normals], problem.upper[normals] = force_min[feet], force_max[feet]
        for foot, _, row, _ in layout.normal_sums:
            problem.l[row], problem.u[row] = force_min[foot], force_max[foot]
        for turning, _, rows in layout.turning:
            turning.write_cone(rows)
        if layout.is_plain:
            layout.motion_block[:] = layout.jacobian
        else:
            self._write_motion(layout)

    def _write_motion(self, layout: Layout) -> None:
        for slot, motion_map, view, _ in layout.motion:
            jacobian = layout.jacobian[layout.jacobian_slices[slot]]
            view[:] = jacobian if motion_map is None else motion_map @ jacobian

    def _write_dynamics(self, layout: Layout, terms: Kinodynamics) -> None:
        """Base rows as equalities, actuated rows as torque rows of C: both are M q̈ − Jᵀ f."""
        base, M = self._base, terms.M
        base_A, base_forces, joint_C, joint_forces, base_b = layout.dynamics_blocks
        base_A[:], joint_C[:] = M[:base], M[base:]
        np.negative(terms.h[:base], out=base_b)
        if layout.forces:
            negative = -layout.jacobian.T
            base_forces[:], joint_forces[:] = negative[:base], negative[base:]

    def _write_limits(self, layout: Layout, terms: Kinodynamics) -> None:
        self._bounds[:] = self._open
        lower, upper, torque_lower, torque_upper = self._bound_rows
        least, largest, torque_least, torque_largest = layout.joint_blocks
        for limit in self._acceleration_limits:
            limit.narrow(terms, lower, upper)
        for torque_limit in self._torque_limits:
            torque_limit.narrow(terms, torque_lower, torque_upper)
        if layout.row_limits:
            self._write_row_limits(layout, terms)
        least[:], largest[:] = lower, upper
        bias = terms.h[self._base :]
        np.subtract(torque_lower, bias, out=torque_least)
        np.subtract(torque_upper, bias, out=torque_largest)

    def _write_row_limits(self, layout: Layout, terms: Kinodynamics) -> None:
        full, nv, used = layout.full, layout.nv, layout.limit_start
        for limit in layout.row_limits:
            rows = slice(used, used + limit.rows)
            used += limit.write(terms, full.C[rows, :nv], full.l[rows], full.u[rows])
        layout.use_rows(used)

    def observe(self, layout: Layout, x: Array) -> None:
        """Tell contacts whose cone turns what forces they ended up with."""
        for contact, columns, _ in layout.turning:
            contact.observe(x[columns])

    def explicit(self, layout: Layout, terms: Kinodynamics, named: bool = False) -> QpProblem:
        """A copy of this tick's QP with torque limits as rows of their own (see :func:`explicit_problem`)."""
        return explicit_problem(layout, terms, self._torque_limits, named)

    def torque(self, layout: Layout, terms: Kinodynamics, x: Array) -> Array:
        """(n,) joint torques of a solution: τ = M_a q̈ + h_a − J_aᵀ f, N·m."""
        torque: Array = layout.torque_rows.dot(x)
        torque += terms.h[self._base :]
        return torque
