"""Feasible wrenches of any contact configuration: support function, membership, margin about an operating point.

The set is G(K_1 × … × K_n), with each normal force between 0 and a limit.  For a fixed contact mode it is convex; a
limit of infinity makes it a cone.  Round friction cones in the support function and the margin; linearised (inscribed)
ones in the membership programme, so that what it accepts is feasible.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array
from wbc_control.contact_mechanics.closure import positive_span
from wbc_control.contact_mechanics.double_description import cone_half_spaces
from wbc_control.contact_mechanics.grasp import Grasp
from wbc_control.contact_mechanics.inscribed_ball import InscribedBall, inscribed_ball
from wbc_control.contact_mechanics.linear_program import LpStatus, solve_linear_program
from wbc_control.errors import DomainError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Membership:
    """Answer of the membership programme.

    Attributes:
        inside: Whether the wrench is feasible.
        loads: (n,) normal forces, N, of a force distribution that makes it; zeros if infeasible.
        residual: Largest error of the wrench those forces make, N (moments over the grasp's length).
    """

    inside: bool
    loads: Array
    residual: float


class WrenchSet:
    """Feasible wrenches of a grasp, in N, with moments over ``grasp.length``.

    Args:
        grasp: The contacts.
        force_limit: Largest normal force of each contact, N; one number or (n,); infinity for a cone.

    Raises:
        DomainError: A limit that is negative or NaN.
    """

    def __init__(self, grasp: Grasp, force_limit: float | Array = np.inf) -> None:
        self.grasp = grasp
        self.limit = np.broadcast_to(np.asarray(force_limit, dtype=np.float64), (grasp.contacts,))
        if not (self.limit >= 0.0).all():
            raise DomainError("must not be negative", where="force limit", value=self.limit.tolist(), bound=0.0)

    @property
    def bounded(self) -> bool:
        """Whether every contact's force is limited."""
        return bool(np.isfinite(self.limit).all())

    def wrench(self, force: Array, moment: Array) -> Array:
        """(6,) in the set's units of a force, N, and a moment about the grasp's origin, N·m."""
        return np.concatenate([force, np.asarray(moment) / self.grasp.length])

    def support(self, direction: Array) -> float:
        """max of direction·w over the set, N; infinite along a direction in which a cone is open."""
        values = self.grasp.support_points(direction) @ direction
        gains = np.where(values > 0.0, values, 0.0)
        with np.errstate(invalid="ignore"):
            terms = np.where(gains > 0.0, gains * self.limit, 0.0)
        return float(terms.sum())

    def support_point(self, direction: Array) -> Array:
        """The wrench (6,) at which :meth:`support` is reached; :class:`DomainError` if the set is not bounded."""
        if not self.bounded:
            raise DomainError("the set has no farthest point", where="force limit", value=np.inf, bound="finite")
        points = self.grasp.support_points(direction)
        used = points @ direction > 0.0
        return np.asarray((points[used] * self.limit[used, None]).sum(axis=0))

    def contains(self, wrench: Array, facets: int = 8) -> Membership:
        """Whether forces within the limits, in the inscribed m-facet cones, make ``wrench`` (6,)."""
        target = finite_array("wrench", wrench, (6,))
        generators = self.grasp.generators(facets)
        owner = np.repeat(np.eye(self.grasp.contacts), facets, axis=1)
        limited = np.isfinite(self.limit)
        slack = np.eye(self.grasp.contacts)[limited]
        matrix = np.vstack(
            [
                np.hstack([generators.T, np.zeros((6, len(slack)))]),
                np.hstack([owner[limited], np.eye(len(slack))]),
            ]
        )
        right = np.concatenate([target, self.limit[limited]])
        # Among all distributions the one of least total load.
        cost = np.concatenate([np.ones(len(generators)), np.zeros(len(slack))])
        found = solve_linear_program(cost, matrix, right)
        weights = found.x[: len(generators)]
        residual = float(np.abs(generators.T @ weights - target).max(initial=0.0))
        return Membership(found.status is LpStatus.OPTIMAL, owner @ weights, residual)

    def reach(self, start: Array, along: Array, facets: int = 8) -> float | None:
        """Largest t ≥ 0 for which ``start`` + t ``along``, both (6,), is feasible in the inscribed m-facet cones.

        A linear programme of about 1 ms.  Infinite where the set is open along that way, None where ``start`` itself
        is not feasible.
        """
        base, way = finite_array("start", start, (6,)), finite_array("along", along, (6,))
        generators = self.grasp.generators(facets)
        owner = np.repeat(np.eye(self.grasp.contacts), facets, axis=1)
        limited = np.isfinite(self.limit)
        slack = np.eye(self.grasp.contacts)[limited]
        matrix = np.vstack(
            [
                np.hstack([generators.T, np.zeros((6, len(slack))), -way[:, None]]),
                np.hstack([owner[limited], np.eye(len(slack)), np.zeros((len(slack), 1))]),
            ]
        )
        cost = np.zeros(matrix.shape[1])
        cost[-1] = -1.0
        found = solve_linear_program(cost, matrix, np.concatenate([base, self.limit[limited]]))
        if found.status is LpStatus.UNBOUNDED:
            return float("inf")
        return -found.value if found.status is LpStatus.OPTIMAL else None

    def margin(self, wrench: Array, relative: float = 0.01, max_points: int = 100) -> InscribedBall:
        """Residual wrench margin: the largest ball of extra wrenches about ``wrench`` (6,) still feasible, N.

        Bounded sets: by the support function.  Cones: by half-spaces (:meth:`half_spaces`, 8 facets, inscribed), where
        contacts with a limit count for nothing; infinite if the rest has force closure.
        """
        centre = finite_array("wrench", wrench, (6,))
        if self.bounded:
            return inscribed_ball(self.support_point, centre, relative=relative, max_points=max_points)
        if positive_span(self._unlimited_generators(8)).closed:
            return InscribedBall(np.inf, np.inf, np.eye(6)[0], True, 0)
        rows = self.half_spaces()
        slack = -(rows @ centre)
        nearest = int(np.argmin(slack))
        radius = max(float(slack[nearest]), 0.0)
        return InscribedBall(radius, radius, rows[nearest], True, len(rows))

    def half_spaces(self, facets: int = 8) -> Array:
        """Unit rows A (k, 6) with A w ≤ 0 for the cone of unlimited contacts; contacts with a limit are left out."""
        return cone_half_spaces(self._unlimited_generators(facets))

    def _unlimited_generators(self, facets: int) -> Array:
        return np.asarray(self.grasp.generators(facets)[np.repeat(~np.isfinite(self.limit), facets)])
