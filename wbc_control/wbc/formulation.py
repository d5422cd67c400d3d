"""Composes tasks, contacts and limits into the QP of one tick; knows none of their kinds."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.qp import QpProblem
from wbc_control.state import PlanSample
from wbc_control.wbc.contacts import Contact
from wbc_control.wbc.explicit import explicit_problem
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.limits import AccelerationLimit, TorqueLimit
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
    ) -> None:
        self._model, self._tasks, self._separable = model, tuple(tasks), separable
        self._contacts = tuple(contacts)
        self._acceleration_limits, self._torque_limits = tuple(acceleration_limits), tuple(torque_limits)
        self._force_weight = force_weight
        self._base = model.nv - model.n
        self._layouts: dict[tuple[bool, ...], Layout] = {}
        self._target = np.zeros(model.nv)
        self._bounds = np.zeros((4, model.n))

    def layout(self, in_contact: tuple[bool, ...]) -> Layout:
        """The buffers for one contact set, built at its first use."""
        found = self._layouts.get(in_contact)
        if found is None:
            contacts = [(i, c) for i, c in enumerate(self._contacts) if in_contact[i]]
            tasks = [task for task in self._tasks if task.applies(in_contact)]
            found = Layout(self._model.joint_names, self._base, contacts, tasks, self._force_weight)
            self._layouts[in_contact] = found
        return found

    def write(
        self, terms: Kinodynamics, reference: PlanSample, in_contact: tuple[bool, ...], force_min: Array, force_max: Array
    ) -> Layout:
        """Fill the QP of this tick.

        Args:
            terms: This tick's dynamics.
            reference: What is wanted.
            in_contact: Feet that carry load.
            force_min: (n_feet,) least normal force, N.
            force_max: (n_feet,) largest normal force, N.
        """
        layout = self.layout(in_contact)
        self._write_cost(layout, terms, reference)
        self._write_contacts(layout, terms, force_min, force_max)
        self._write_dynamics(layout, terms)
        self._write_limits(layout, terms)
        return layout

    def _write_cost(self, layout: Layout, terms: Kinodynamics, reference: PlanSample) -> None:
        nv, problem = layout.nv, layout.problem
        for task, A, b in layout.task_blocks:
            task.write(terms, reference, A, b)
        np.multiply(layout.task_A, layout.weight_column, out=layout.weighted_A)
        np.dot(layout.weighted_A.T, layout.task_A, out=layout.hessian)
        problem.H[:nv, :nv] = layout.hessian
        weights = self._separable.weights
        layout.diagonal += weights
        self._separable.write(terms, reference, self._target)
        gradient = layout.task_b @ layout.weighted_A
        gradient += weights * self._target
        np.negative(gradient, out=problem.g[:nv])
        for (foot, contact), columns in zip(layout.contacts, layout.force_slices):
            normal = columns.start + contact.normal
            problem.g[normal] = -problem.H[normal, normal] * reference.normal_force[foot]

    def _write_contacts(self, layout: Layout, terms: Kinodynamics, force_min: Array, force_max: Array) -> None:
        problem = layout.problem
        for slot, (foot, contact) in enumerate(layout.contacts):
            rows = layout.motion_rows[slot]
            contact.write(terms, layout.jacobian[layout.jacobian_slices[slot]], problem.b[rows])
            normal = layout.force_slices[slot].start + contact.normal
            problem.lower[normal], problem.upper[normal] = force_min[foot], force_max[foot]
        problem.A[self._base :, : layout.nv] = layout.jacobian

    def _write_dynamics(self, layout: Layout, terms: Kinodynamics) -> None:
        """Base rows as equalities, actuated rows as torque rows of C: both are M q̈ − Jᵀ f."""
        problem, base, nv = layout.problem, self._base, layout.nv
        problem.A[:base, :nv] = terms.M[:base]
        problem.b[:base] = -terms.h[:base]
        problem.C[: layout.n, :nv] = terms.M[base:]
        if layout.forces:
            negative = -layout.jacobian.T
            problem.A[:base, nv:] = negative[:base]
            problem.C[: layout.n, nv:] = negative[base:]

    def _write_limits(self, layout: Layout, terms: Kinodynamics) -> None:
        problem, base, n = layout.problem, self._base, layout.n
        lower, upper, torque_lower, torque_upper = self._open_bounds()
        for limit in self._acceleration_limits:
            limit.narrow(terms, lower, upper)
        for torque_limit in self._torque_limits:
            torque_limit.narrow(terms, torque_lower, torque_upper)
        problem.lower[base : base + n], problem.upper[base : base + n] = lower, upper
        np.subtract(torque_lower, terms.h[base:], out=problem.l[:n])
        np.subtract(torque_upper, terms.h[base:], out=problem.u[:n])

    def _open_bounds(self) -> Array:
        self._bounds[0::2], self._bounds[1::2] = -np.inf, np.inf
        return self._bounds

    def explicit(self, layout: Layout, terms: Kinodynamics) -> QpProblem:
        """A copy of this tick's QP with each limit as rows of its own (see :func:`explicit_problem`)."""
        return explicit_problem(layout, terms, self._torque_limits)

    def torque(self, layout: Layout, terms: Kinodynamics, x: Array) -> Array:
        """(n,) joint torques of a solution: τ = M_a q̈ + h_a − J_aᵀ f, N·m."""
        torque: Array = layout.problem.C[: layout.n] @ x + terms.h[self._base :]
        return torque
