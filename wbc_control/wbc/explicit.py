"""The tick's QP with every limit as a row of its own: for relaxing what may give way and for naming what conflicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wbc_control.model import Kinodynamics
from wbc_control.parameters.controller import JointLimitParameters, SolverParameters
from wbc_control.qp import QpProblem, QpWorkspace, create_workspace
from wbc_control.qp.softness import Softness
from wbc_control.wbc.layout import Layout
from wbc_control.wbc.limits import TorqueLimit
from wbc_control.wbc.task import Array

MOTION_PENALTY = 1e4
"""Weight of a contact's motion once it is a wish: above every task, below numerical trouble."""
_PATIENCE = 2000
"""Least number of iterations of the relaxed solve: where much gives way, hundreds of constraints become active."""


def explicit_problem(
    layout: Layout, terms: Kinodynamics, torque_limits: tuple[TorqueLimit, ...], named: bool = False
) -> QpProblem:
    """A copy in which torque limits have rows of their own, named after them, behind the layout's other rows.

    The layout intersects all torque limits into one interval a joint.  Here hard ones keep the layout's rows and each soft
    one is appended; with ``named`` each but the first is, so that the conflicting ones can be told from each other.
    """
    problem, n, h = layout.problem.copy(), layout.n, terms.h[layout.base :]
    hard = list(torque_limits[:1]) if named else [limit for limit in torque_limits if limit.hard]
    soft = [limit for limit in torque_limits if limit not in hard]
    problem.l[:n], problem.u[:n] = _interval(hard, terms, n, h)
    if named and layout.row_limits:
        own = tuple(name for limit in layout.row_limits for name in limit.row_names)
        problem = replace(problem, inequality_names=problem.inequality_names[: layout.limit_start] + own)
    if not soft:
        return problem
    intervals = [_interval([limit], terms, n, h) for limit in soft]
    names = tuple(f"{limit.name} {joint}" for limit in soft for joint in layout.joint_names)
    return replace(
        problem,
        C=np.vstack([problem.C] + [problem.C[:n]] * len(soft)),
        l=np.concatenate([problem.l, *(low for low, _ in intervals)]),
        u=np.concatenate([problem.u, *(high for _, high in intervals)]),
        inequality_names=problem.inequality_names + names,
        stack=None,
    )


def _interval(limits: list[TorqueLimit], terms: Kinodynamics, n: int, h: Array) -> tuple[Array, Array]:
    lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
    for limit in limits:
        limit.narrow(terms, lower, upper)
    return lower - h, upper - h


def relaxed_workspace(parameters: SolverParameters) -> QpWorkspace:
    """The solver of relaxed problems: within the time budget it may take more iterations, for only damping is below it."""
    return create_workspace(replace(parameters, max_iterations=max(parameters.max_iterations, _PATIENCE)))


def relaxed_problem(
    layout: Layout, explicit: QpProblem, parameters: JointLimitParameters
) -> tuple[QpProblem, Softness]:
    """The explicit problem with all that may give way made to: still a physical motion.

    Hard stay the equation of motion, friction cones and every limit that ``limits.soft`` does not name; contact motion
    becomes a wish, and the limits it names get slacks.  With hard limits on torques alone there always is a solution: any
    torque within them while the contacts bear nothing.
    """
    base, nv = layout.base, layout.nv
    J, a = explicit.A[base:, :nv], explicit.b[base:]
    H, g = explicit.H.copy(), explicit.g.copy()
    H[:nv, :nv] += MOTION_PENALTY * (J.T @ J)
    g[:nv] -= MOTION_PENALTY * (J.T @ a)
    rows = np.zeros(explicit.inequalities, dtype=bool)
    rows[layout.problem.inequalities :] = True
    rows[layout.relaxable_rows] = "self_collision" in parameters.soft
    rows[[row for row in layout.normal_rows if row is not None]] = "normal_force" in parameters.soft
    bounds = np.isfinite(explicit.lower) & ("position" in parameters.soft)
    # A contact's largest force stays hard, its least force is soft: one bound each way needs a split.
    lower, upper = explicit.lower.copy(), explicit.upper.copy()
    bounds[nv:] = False
    if "normal_force" in parameters.soft:
        lower[nv:] = np.minimum(lower[nv:], 0.0)
    problem = replace(
        explicit, H=H, g=g, A=explicit.A[:base], b=explicit.b[:base], lower=lower, upper=upper,
        equality_names=explicit.equality_names[:base], stack=None, cost=None,
    )  # fmt: skip
    return problem, Softness(bounds, rows, parameters.violation_weight)
