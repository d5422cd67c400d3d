"""Convex centroidal model-predictive control: contact forces over a second, in cones, with angular momentum.

State: CoM c, velocity ċ, angular momentum L about the CoM.  Inputs: the force of each standing foot at its support
centre and, for flat feet, the two horizontal moments that move its centre of pressure.

    c̈ = Σ f / m + g,      L̇ = Σ (p − c_ref) × f + τ.

The lever arms use the reference CoM, which makes the problem a convex QP in the inputs (Di Carlo, Wensing, Katz,
Bledt, Kim, *Dynamic locomotion in the MIT Cheetah 3 through convex model-predictive control*, IROS 2018, section
III).  Knots grow from
30 ms to 200 ms over a horizon of 1 s.  Cost: the divergent component of motion against its footstep reference, height,
angular momentum, effort.  Use it where forces matter (slopes, low friction, uneven load); the DCM layer alone is
cheaper.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wbc_control.contact_mechanics.polyhedral_cone import polyhedral_cone
from wbc_control.planning.body import PlanningBody
from wbc_control.qp import QpProblem, QpWorkspace
from wbc_control.spatial import GRAVITY_M_S2, Array, skew

KNOTS_S = np.array([0.03, 0.04, 0.05, 0.06, 0.08, 0.10, 0.12, 0.14, 0.18, 0.20])
"""Lengths of the intervals, s; together the horizon, 1 s."""

_DCM_WEIGHT = 200.0
_TERMINAL_SHARE = 10.0
_HEIGHT_WEIGHT = 50.0
_MOMENTUM_WEIGHT = 0.05
_EFFORT_WEIGHT = 1e-2
_LOADED = 0.1
"""Mean contact weight over an interval from which a foot may push."""


@dataclass(frozen=True, eq=False)
class MpcReference:
    """What the optimisation follows, one row an interval (k of them).

    Attributes:
        com: (k, 3) CoM at the middle of each interval, for the lever arms and the height, m.
        dcm: (k, 2) at the end of each interval, m.
        weight: (k, n_feet) mean contact weight.
        centre: (k, n_feet, 3) support centres, world, m.
        yaw: (n_feet,) of the soles, rad.
    """

    com: Array
    dcm: Array
    weight: Array
    centre: Array
    yaw: Array


@dataclass(frozen=True, eq=False)
class MpcResult:
    """Optimal motion and forces.

    Attributes:
        acceleration: (k, 3) CoM, m/s², constant over each interval.
        force: (k, n_feet, 3) N, world.
        cop: (k, 2) common centre of pressure, m.
        angular_momentum: (k, 3) at the end of each interval, kg·m²/s.
    """

    acceleration: Array
    force: Array
    cop: Array
    angular_momentum: Array


class CentroidalMpc:
    """Builds and solves the QP; one solver workspace a problem size.

    Args:
        body: The robot.
        friction: Usable Coulomb coefficient.
        make_workspace: Gives an empty solver workspace.
    """

    def __init__(self, body: PlanningBody, friction: float, make_workspace: Callable[[], QpWorkspace]) -> None:
        self._body, self._make = body, make_workspace
        # Inscribed in Coulomb's cone, facets along the foot's own axes.
        self._pyramid = polyhedral_cone(friction, 4, rotation=0.25 * np.pi).half_spaces
        self._workspaces: dict[tuple[int, int], QpWorkspace] = {}
        end = np.cumsum(KNOTS_S)
        earlier = np.tril(np.ones((len(end), len(end))))
        self._to_velocity = earlier * KNOTS_S
        self._to_position = earlier * KNOTS_S * (end[:, None] - (end - 0.5 * KNOTS_S)[None, :])
        self._end = end
        corners = [np.abs(c - c.mean(axis=0)).max(axis=0) for c in body.corners]
        self._half_sole = np.array([0.9 * c[:2] for c in corners])

    def solve(
        self, com: Array, velocity: Array, momentum: Array, omega: float, reference: MpcReference
    ) -> MpcResult | None:
        """The optimum from CoM (3,), velocity (3,), angular momentum (3,), all world; None when the QP is not
        solved."""
        columns = self._columns(reference)
        if not columns:
            return None
        push, twist = self._maps(reference, columns)
        problem = self._cost(com, velocity, momentum, omega, reference, push, twist, columns)
        key = (problem.g.shape[0], problem.l.shape[0])
        solution = self._workspaces.setdefault(key, self._make()).solve(problem)
        if not solution.solved or not np.isfinite(solution.x).all():
            return None
        return self._result(solution.x, momentum, reference, push, twist, columns)

    def _columns(self, reference: MpcReference) -> list[tuple[int, int, int]]:
        """(interval, foot, first variable) of every loaded foot."""
        columns, first = [], 0
        for knot, foot in np.argwhere(reference.weight > _LOADED).tolist():
            columns.append((knot, foot, first))
            first += self._size(foot)
        return columns

    def _size(self, foot: int) -> int:
        return 3 if self._body.is_point[foot] else 5

    def _maps(self, reference: MpcReference, columns: list[tuple[int, int, int]]) -> tuple[Array, Array]:
        """(3k, n) inputs → CoM acceleration without gravity, and → rate of angular momentum."""
        knots, n = len(KNOTS_S), columns[-1][2] + self._size(columns[-1][1])
        push, twist = np.zeros((3 * knots, n)), np.zeros((3 * knots, n))
        for knot, foot, first in columns:
            rows = slice(3 * knot, 3 * knot + 3)
            push[rows, first : first + 3] = np.eye(3) / self._body.mass
            twist[rows, first : first + 3] = skew(reference.centre[knot, foot] - reference.com[knot])
            if not self._body.is_point[foot]:
                twist[3 * knot, first + 3] = twist[3 * knot + 1, first + 4] = 1.0
        return push, twist

    def _cost(
        self,
        com: Array,
        velocity: Array,
        momentum: Array,
        omega: float,
        reference: MpcReference,
        push: Array,
        twist: Array,
        columns: list[tuple[int, int, int]],
    ) -> QpProblem:
        """The QP: tracking, momentum and effort; cones and soles as constraints."""
        knots, gravity = len(KNOTS_S), np.array([0.0, 0.0, -GRAVITY_M_S2])
        speed = velocity + np.outer(self._to_velocity.sum(axis=1), gravity)
        place = com + np.outer(self._end, velocity) + np.outer(self._to_position.sum(axis=1), gravity)
        axes = push.reshape(knots, 3, -1)
        position = np.einsum("ij,jan->ian", self._to_position, axes)
        diverging = position[:, :2] + np.einsum("ij,jan->ian", self._to_velocity, axes[:, :2]) / omega
        spin = np.einsum("ij,jan->ian", self._to_velocity, twist.reshape(knots, 3, -1))
        weight = np.full(knots, _DCM_WEIGHT)
        weight[-1] *= _TERMINAL_SHARE
        height_weight = np.full(knots, _HEIGHT_WEIGHT)
        terms = [
            (diverging[:, 0], reference.dcm[:, 0] - (place + speed / omega)[:, 0], weight),
            (diverging[:, 1], reference.dcm[:, 1] - (place + speed / omega)[:, 1], weight),
            (position[:, 2], reference.com[:, 2] - place[:, 2], height_weight),
        ]
        terms += [(spin[:, a], -np.full(knots, momentum[a]), np.full(knots, _MOMENTUM_WEIGHT)) for a in range(3)]
        n = push.shape[1]
        scale = self._body.mass * GRAVITY_M_S2
        hessian, gradient = np.zeros((n, n)), np.zeros(n)
        for rows, wanted, w in terms:
            hessian += rows.T @ (w[:, None] * rows)
            gradient -= rows.T @ (w * wanted)
        hessian[np.diag_indices(n)] += _EFFORT_WEIGHT / scale**2 * 100.0
        share = reference.weight / np.maximum(reference.weight.sum(axis=1, keepdims=True), 1e-9)
        for knot, foot, first in columns:
            gradient[first + 2] -= _EFFORT_WEIGHT / scale**2 * 100.0 * scale * share[knot, foot]
        return self._constrained(hessian * scale**2, gradient * scale, reference, columns, scale)

    def _constrained(
        self,
        hessian: Array,
        gradient: Array,
        reference: MpcReference,
        columns: list[tuple[int, int, int]],
        scale: float,
    ) -> QpProblem:
        """Cones (inscribed pyramid), soles and load limits on the inputs in units of the robot's weight."""
        n, blocks, tops = len(gradient), [], np.full(len(gradient), np.inf)
        bottoms = np.full(n, -np.inf)
        for knot, foot, first in columns:
            bottoms[first + 2], tops[first + 2] = 0.0, 2.5 * reference.weight[knot, foot]
            blocks.append((first, self._cone(foot, float(reference.yaw[foot]))))
        rows = np.zeros((sum(len(block) for _, block in blocks), n))
        at = 0
        for first, block in blocks:
            rows[at : at + len(block), first : first + block.shape[1]] = block
            at += len(block)
        return QpProblem(
            H=hessian,
            g=gradient,
            A=np.zeros((0, n)),
            b=np.zeros(0),
            C=rows,
            l=np.full(at, -np.inf),
            u=np.zeros(at),
            lower=bottoms,
            upper=tops,
        )

    def _cone(self, foot: int, yaw: float) -> Array:
        """Rows · u ≤ 0 of one foot: |f_x|, |f_y| ≤ μ/√2 f_z and, for a sole, |m_y| ≤ a f_z, |m_x| ≤ b f_z in its own
        axes."""
        c, s = np.cos(yaw), np.sin(yaw)
        size = self._size(foot)
        rows = np.zeros((4 if size == 3 else 8, size))
        rows[:4, :3] = self._pyramid @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        if size == 5:
            for index, axis in enumerate(((c, s), (-c, -s), (-s, c), (s, -c))):
                rows[4 + index, 3:] = axis
                rows[4 + index, 2] = -self._half_sole[foot, 1 if index < 2 else 0]
        return rows

    def _result(
        self,
        x: Array,
        momentum: Array,
        reference: MpcReference,
        push: Array,
        twist: Array,
        columns: list[tuple[int, int, int]],
    ) -> MpcResult:
        x = x * self._body.mass * GRAVITY_M_S2
        knots = len(KNOTS_S)
        acceleration = (push @ x).reshape(knots, 3) - np.array([0.0, 0.0, GRAVITY_M_S2])
        spin = momentum + self._to_velocity @ (twist @ x).reshape(knots, 3)
        force = np.zeros((knots, self._body.n_feet, 3))
        moment = np.zeros((knots, 2))
        for knot, foot, first in columns:
            force[knot, foot] = x[first : first + 3]
            moment[knot] += force[knot, foot, 2] * reference.centre[knot, foot, :2]
            if not self._body.is_point[foot]:
                moment[knot] += np.array([-x[first + 4], x[first + 3]])
        total = np.maximum(force[:, :, 2].sum(axis=1), 1.0)
        return MpcResult(acceleration, force, moment / total[:, None], spin)
