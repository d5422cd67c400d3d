"""What the time-stepping schemes need to know of a mechanism, and what a step returns.  No physics engine in sight."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import finite_array, friction_coefficients, in_range
from wbc_control.contact_mechanics.contact_problem import ContactSolution
from wbc_control.errors import DomainError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactSet:
    """Potential contacts of one configuration; those far apart may be left out.

    Attributes:
        jacobian: (3n, nv) velocities of the contact points in their contact frames, z normal.
        gap: (n,) signed distance, m; negative in penetration.
        friction: (n,) μ.
        restitution: (n,) Newton's e in [0, 1].
        labels: (n,) which contact each one is, the same from step to step, for warm starts; the place by default.
    """

    jacobian: Array
    gap: Array
    friction: Array
    restitution: Array
    labels: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        count = len(finite_array("gap", self.gap, (-1,)))
        finite_array("contact Jacobian", self.jacobian, (3 * count, -1))
        object.__setattr__(self, "friction", friction_coefficients(self.friction, count))
        restitution = np.broadcast_to(np.asarray(self.restitution, dtype=np.float64), (count,))
        if not ((restitution >= 0.0) & (restitution <= 1.0)).all():
            raise DomainError("must be in [0, 1]", where="restitution", value=restitution.tolist(), bound=(0.0, 1.0))
        object.__setattr__(self, "restitution", restitution)


class Mechanism(Protocol):
    """A mechanism with configuration q (nq,) and velocity v (nv,), nq ≥ nv."""

    def mass_matrix(self, q: Array) -> Array:
        """M (nv, nv), symmetric positive definite."""

    def force(self, q: Array, v: Array) -> Array:
        """All generalised forces but contact (nv,): gravity, Coriolis and gyroscopic terms, actuators, springs."""

    def integrate(self, q: Array, displacement: Array) -> Array:
        """q ⊕ displacement (nv,), on the manifold."""

    def contacts(self, q: Array) -> ContactSet:
        """Potential contacts at q."""


@dataclass(frozen=True)
class StepSettings:
    """How contacts are treated in a step.

    Attributes:
        erp: Share of the penetration beyond ``slop`` to remove in one step, in [0, 1].
        slop: Penetration left alone, m.
        max_correction_speed: Bound on the correction, m/s, so that deep penetration does not explode.
        baumgarte: True mixes the correction into the velocity (Baumgarte 1972): one problem a step, but the body
            leaves the contact with the correction's speed.  False moves the configuration alone, by a second, small
            problem in the normals of the penetrating contacts: no kinetic energy comes of it.
        restitution_speed: Approach speed below which an impact does not bounce, m/s.
        method: Contact solver, see :func:`contact_solver.solve`.
        tolerance: Its residual, m/s.
        coulomb: Exact Coulomb friction (True) or the convex relaxation.
        regularisation: Added to the Delassus matrix, 1/kg.

    Raises:
        DomainError: A value outside its range.
    """

    erp: float = 0.2
    slop: float = 1e-5
    max_correction_speed: float = 1.0
    baumgarte: bool = False
    restitution_speed: float = 0.01
    method: str = "auto"
    tolerance: float = 1e-8
    coulomb: bool = True
    regularisation: float = 0.0

    def __post_init__(self) -> None:
        in_range("erp", self.erp, 0.0, 1.0)
        for name in ("slop", "max_correction_speed", "restitution_speed", "regularisation"):
            in_range(name, getattr(self, name), 0.0)


@dataclass(frozen=True, eq=False)
class Step:
    """Outcome of one time step.

    Attributes:
        q: (nq,) configuration at the end.
        v: (nv,) velocity at the end.
        contacts: The contacts considered.
        solution: Impulses λ (n, 3), N·s, in the contact frames, with status and residual.
        iterations: Of the implicit scheme; 1 for an explicit one.
        defect: What is left of the implicit equations, as a velocity, m/s or rad/s; 0 for an explicit scheme.
    """

    q: Array
    v: Array
    contacts: ContactSet
    solution: ContactSolution
    iterations: int
    defect: float


def contact_bias(contacts: ContactSet, velocity: Array, duration: float, settings: StepSettings) -> Array:
    """Normal velocities (n,), m/s, added to J v⁺ so that complementarity at 0 gives stabilisation and restitution.

    * gap > 0: gap/h, so the point may come as far as the surface and no further (Stewart and Trinkle 1996);
    * penetration: erp (gap + slop)/h, negative, which asks for separation, if ``settings.baumgarte``;
    * impact at gap ≤ 0 faster than ``restitution_speed``: e v_n⁻, which asks for v_n⁺ ≥ −e v_n⁻ (Newton).  A bouncing
      contact is left free until it is reached: stopping it at the surface would take its speed away.
    """
    approach = (contacts.jacobian @ velocity)[2::3]
    gap = contacts.gap
    bias = np.where(gap > 0.0, gap / duration, 0.0)
    if settings.baumgarte:
        bias = np.where(gap > 0.0, bias, -correction_speed(gap, duration, settings))
    bouncing = (contacts.restitution > 0.0) & (approach < -settings.restitution_speed)
    rebound = contacts.restitution * approach
    bias = np.where(bouncing & (gap <= 0.0), np.minimum(bias, rebound), bias)
    return np.where(bouncing & (gap > 0.0), np.inf, bias)


def correction_speed(gap: Array, duration: float, settings: StepSettings) -> Array:
    """Separation speed (n,) ≥ 0, m/s, that removes the share ``erp`` of the penetration beyond the slop in one step."""
    wanted = -settings.erp * (gap + settings.slop) / duration
    return np.asarray(np.clip(wanted, 0.0, settings.max_correction_speed))
