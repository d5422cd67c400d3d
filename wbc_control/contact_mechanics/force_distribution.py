"""Forces at the corners of the soles from a wanted wrench: quadratic programme with friction, and the pseudo-inverse.

Single support too is redundant: 12 force components against 6 equations.  The programme takes the least forces, with a
weight on their change since the last tick (smoothness), inside inscribed friction cones; its CoP, hence its ZMP, is in
the support polygon because every normal force is ≥ f_min ≥ 0.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, friction_coefficients, in_range
from wbc_control.contact_mechanics.polyhedral_cone import polyhedral_cone
from wbc_control.contact_mechanics.quadratic_program import solve_quadratic_program
from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.errors import ShapeError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ForceDistribution:
    """Forces and how well they do.

    Attributes:
        forces: (n, 3), N, in the corners' contact frames, inside the cones.
        status: CONVERGED when the wrench is made exactly; INFEASIBLE when the cones do not allow it, and then the
            forces are the best compromise; ITERATION_LIMIT if neither could be settled.
        wrench_error: (6,) wanted minus made, N and N·m.
    """

    forces: Array
    status: SolverStatus
    wrench_error: Array


class ForceDistributor:
    """Constant data of a distribution over n corners.

    Args:
        friction: μ, one number or (n,).
        corners: n.
        facets: m of the inscribed friction cones.
        minimum_force: f_min ≥ 0, N, of every corner.
        smoothness: Weight ≥ 0 on the change since the previous forces, relative to the weight 1 on the forces.

    Raises:
        ShapeError, DomainError: Sizes or values that cannot be.
    """

    def __init__(
        self,
        friction: float | Array,
        corners: int,
        *,
        facets: int = 4,
        minimum_force: float = 0.0,
        smoothness: float = 0.0,
    ) -> None:
        self.corners = corners
        self.smoothness = in_range("smoothness", smoothness, 0.0)
        floor = in_range("minimum force", minimum_force, 0.0)
        normal = np.array([[0.0, 0.0, 1.0]])
        cones = [
            polyhedral_cone(float(mu), facets, rotation=np.pi / facets).half_spaces
            for mu in friction_coefficients(friction, corners)
        ]
        rows = [np.vstack([-cone, normal]) for cone in cones]
        self._rows = np.zeros((corners * (facets + 1), 3 * corners))
        for i, block in enumerate(rows):
            self._rows[i * (facets + 1) : (i + 1) * (facets + 1), 3 * i : 3 * i + 3] = block
        self._bounds = np.tile(np.append(np.zeros(facets), floor), corners)

    def distribute(self, grasp_matrix: Array, wrench: Array, previous: Array | None = None) -> ForceDistribution:
        """Minimise ‖f‖² + s ‖f − f_previous‖² subject to G f = w, cones and f_min.

        Args:
            grasp_matrix: G (6, 3n) on contact-frame forces.
            wrench: w (6,), N and N·m, about G's origin.
            previous: (n, 3) forces of the last tick, N.

        Raises:
            ShapeError, DomainError: Wrong shapes, or values that are not finite.
        """
        matrix = finite_array("grasp matrix", grasp_matrix, (6, 3 * self.corners))
        target = finite_array("wrench", wrench, (6,))
        size = 3 * self.corners
        last = np.zeros(size) if previous is None else finite_array("previous", previous, (self.corners, 3)).ravel()
        hessian = (1.0 + self.smoothness) * np.eye(size)
        gradient = -self.smoothness * last
        exact = solve_quadratic_program(hessian, gradient, matrix, target, self._rows, self._bounds, tolerance=1e-7)
        if exact.status.ok:
            return ForceDistribution(exact.x.reshape(-1, 3), exact.status, target - matrix @ exact.x)
        return self._compromise(matrix, target, hessian, gradient)

    def _compromise(self, matrix: Array, target: Array, hessian: Array, gradient: Array) -> ForceDistribution:
        """Cones and f_min hard, the wrench as near as possible (weight 10⁴ over the forces')."""
        weight = 1e4
        found = solve_quadratic_program(
            hessian + weight * matrix.T @ matrix,
            gradient - weight * matrix.T @ target,
            np.zeros((0, len(gradient))),
            np.zeros(0),
            self._rows,
            self._bounds,
            tolerance=1e-7,
        )
        status = SolverStatus.INFEASIBLE if found.status.ok else found.status
        return ForceDistribution(found.x.reshape(-1, 3), status, target - matrix @ found.x)


def pseudo_inverse_distribution(
    grasp_matrix: Array, wrench: Array, internal: Array | None = None
) -> tuple[Array, Array]:
    """f = G⁺ w + (I − G⁺G) f₀: least forces plus the part of f₀ that makes no wrench; ignores the cones.

    Args:
        grasp_matrix: G (6, k): 3n columns, or n for frictionless normals.
        wrench: w (6,).
        internal: f₀ (k,), N; zeros by default.

    Returns:
        f (k,) and the wrench left over w − G f (6,): not zero where G lacks rank, as for the horizontal part of a
        frictionless flat foot.

    Raises:
        ShapeError: Sizes disagree.
        DomainError: A value is not finite.
    """
    matrix = finite_array("grasp matrix", grasp_matrix, (6, -1))
    target = finite_array("wrench", wrench, (6,))
    start = np.zeros(matrix.shape[1]) if internal is None else finite_array("internal", internal, (-1,))
    if len(start) != matrix.shape[1]:
        raise ShapeError("disagrees with G", where="internal", value=len(start), bound=matrix.shape[1])
    forces = start + np.linalg.pinv(matrix, rcond=1e-10) @ (target - matrix @ start)
    return forces, target - matrix @ forces
