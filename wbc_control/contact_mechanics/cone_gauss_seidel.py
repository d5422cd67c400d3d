"""Projected Gauss–Seidel for contacts, matrix-free: cone projection (NCP or CCP) and normal-then-tangent (NCP).

Sources: Jourdan, Alart and Jean (1998); Le Lidec et al., *Contact models in robotics* (2024), §III for the variants.
Cost of a sweep: O(n²) with a dense operator, O(n) with a factored one; memory likewise.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.contact_sweeps import cone_rule, run_sweeps, split_rule
from wbc_control.errors import DomainError

Array = NDArray[np.float64]


def solve_cone_gauss_seidel(
    problem: ContactProblem,
    *,
    omega: float = 1.0,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_sweeps: int = 2000,
) -> ContactSolution:
    """Project each contact on its cone in turn, with De Saxcé's correction iff ``problem.coulomb``.

    Args:
        problem: The contact problem.
        omega: Relaxation in (0, 2).
        guess: (n, 3) warm start, N·s.
        tolerance: Natural-map residual for CONVERGED, m/s.
        max_sweeps: Then ITERATION_LIMIT.

    Raises:
        DomainError: ω outside (0, 2), or a guess that is not finite.
    """
    rule = cone_rule(problem, _relaxation(omega))
    return run_sweeps(
        problem, rule, "cone_gauss_seidel", guess=guess, tolerance=tolerance, max_sweeps=max_sweeps
    )


def solve_split_gauss_seidel(
    problem: ContactProblem,
    *,
    omega: float = 1.0,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_sweeps: int = 2000,
) -> ContactSolution:
    """Normal, then tangential impulse of each contact in turn; exact Coulomb friction only.  Arguments as above.

    Raises:
        DomainError: The problem asks for the convex relaxation, or as above.
    """
    if not problem.coulomb:
        raise DomainError("solves exact Coulomb friction only", where="method", value="split_gauss_seidel", bound=True)
    rule = split_rule(problem, _relaxation(omega))
    return run_sweeps(
        problem, rule, "split_gauss_seidel", guess=guess, tolerance=tolerance, max_sweeps=max_sweeps
    )


def _relaxation(omega: float) -> float:
    return in_range("omega", omega, 0.0, float(np.nextafter(2.0, 0.0)), open_low=True)
