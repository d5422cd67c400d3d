"""The frictional contact problem of one time step, its residual, and what a solver returns.

With v = A λ + b the law is, per contact,

* exact Coulomb friction (NCP): λ ∈ K ⊥ v + [0, 0, μ‖v_t‖] ∈ K* (De Saxcé and Feng, 1998), or
* its convex relaxation (CCP): λ ∈ K ⊥ v ∈ K*, in which a sliding contact separates with v_n = μ‖v_t‖ (Anitescu 2006).

Impulses λ (n, 3) in N·s, velocities (n, 3) in m/s, contact frames with z normal.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, friction_coefficients
from wbc_control.contact_mechanics.delassus import Delassus
from wbc_control.contact_mechanics.friction_cone import project_cone
from wbc_control.contact_mechanics.solver_status import SolverStatus
from wbc_control.errors import ShapeError

Array = NDArray[np.float64]


ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class ContactProblem:
    """Find λ.

    Attributes:
        delassus: A, for n contacts.
        free_velocity: b (n, 3), m/s: velocity at the contacts without impulses, plus stabilisation and restitution.
        friction: μ (n,) ≥ 0; one number serves all.
        coulomb: True for exact Coulomb friction, False for the convex relaxation.

    Raises:
        ShapeError: Sizes disagree.
        DomainError: A value is not finite, or a μ is negative.
    """

    delassus: Delassus
    free_velocity: Array
    friction: Array
    coulomb: bool = True

    def __post_init__(self) -> None:
        count = self.delassus.contacts
        velocity = finite_array("free velocity", self.free_velocity, (-1, 3))
        if len(velocity) != count:
            raise ShapeError("disagrees with A", where="free velocity", value=len(velocity), bound=count)
        object.__setattr__(self, "free_velocity", velocity)
        object.__setattr__(self, "friction", friction_coefficients(self.friction, count))

    @property
    def contacts(self) -> int:
        """n."""
        return self.delassus.contacts

    def velocity(self, impulse: Array) -> Array:
        """v = A λ + b; (n, 3)."""
        return self.delassus.apply(impulse) + self.free_velocity

    def shifted(self, velocity: Array) -> Array:
        """v, with De Saxcé's μ‖v_t‖ added to v_n if friction is exact: what must lie in K*."""
        if not self.coulomb:
            return velocity
        moved = velocity.copy()
        moved[:, 2] += self.friction * np.hypot(velocity[:, 0], velocity[:, 1])
        return moved

    def steps(self) -> Array:
        """(n,) 1/(largest eigenvalue of A_ii), kg: the scale between velocity and impulse; 0 where A_ii = 0."""
        largest = np.linalg.eigvalsh(self.delassus.blocks)[:, 2] if self.contacts else np.zeros(0)
        return np.where(largest > 0.0, 1.0 / np.where(largest > 0.0, largest, 1.0), 0.0)

    def residual(self, impulse: Array, steps: Array | None = None) -> float:
        """Natural map max_i ‖λ_i − Π_K(λ_i − r_i ṽ_i)‖ / r_i, m/s, r_i from :meth:`steps`: 0 exactly at a solution."""
        if not self.contacts:
            return 0.0
        scale = self.steps() if steps is None else steps
        # A contact no impulse can move has no natural scale; 1 kg keeps its violation visible.
        scale = np.where(scale > 0.0, scale, 1.0)[:, None]
        moved = project_cone(impulse - scale * self.shifted(self.velocity(impulse)), self.friction)
        # Never below the rounding of λ itself, in which an enormous impulse would drown any violation.
        error = np.linalg.norm(impulse - moved, axis=1) + ROUNDING * np.linalg.norm(impulse, axis=1)
        return float((error / scale[:, 0]).max())

    def warm_start(self, guess: Array | None) -> Array:
        """A copy of ``guess`` (n, 3) projected on the cones, or zeros; refuses wrong shapes and values not finite."""
        if guess is None:
            return np.zeros((self.contacts, 3))
        return project_cone(finite_array("guess", guess, (self.contacts, 3)), self.friction)

    def solution(self, impulse: Array, iterations: int, tolerance: float, method: str) -> ContactSolution:
        """Wrap λ with its residual, measured here; CONVERGED iff that is within ``tolerance``, m/s."""
        residual = self.residual(impulse)
        if not np.isfinite(residual):
            empty = np.zeros((self.contacts, 3))
            residual = self.residual(empty)
            return ContactSolution(empty, self.free_velocity, SolverStatus.FAILED, residual, iterations, method)
        status = SolverStatus.CONVERGED if residual <= tolerance else SolverStatus.ITERATION_LIMIT
        return ContactSolution(impulse, self.velocity(impulse), status, residual, iterations, method)


@dataclass(frozen=True, eq=False)
class ContactSolution:
    """What a solver found, and how good it is.

    Attributes:
        impulse: λ (n, 3), N·s, inside the cones (zeros when FAILED).
        velocity: v = A λ + b (n, 3), m/s.
        status: CONVERGED iff ``residual`` is within the tolerance asked for.
        residual: Natural-map residual on the original problem, m/s.
        iterations: Sweeps, Newton steps or gradient steps done.
        method: Name of the algorithm.
    """

    impulse: Array
    velocity: Array
    status: SolverStatus
    residual: float
    iterations: int
    method: str

    @property
    def dissipation(self) -> float:
        """−Σ λ·v, J (for velocities after the step): never negative for a passive contact law."""
        return -float((self.impulse * self.velocity).sum())
