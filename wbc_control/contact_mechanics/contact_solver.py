"""One door to the contact solvers: ``solve(problem)`` chooses by size and budget, and says what it reached.

The guide: few contacts, pivot or Newton (precise, O(n³)); hundreds, a dense splitting or sweeps; more, matrix-free
gradient steps, linear memory; a time budget, a fixed number of sweeps.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.accelerated_gradient import solve_accelerated_gradient
from wbc_control.contact_mechanics.admm import solve_admm
from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.cone_gauss_seidel import solve_cone_gauss_seidel, solve_split_gauss_seidel
from wbc_control.contact_mechanics.contact_newton import solve_newton
from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.interior_point import solve_interior_point
from wbc_control.contact_mechanics.normal_tangential import solve_normal_tangential
from wbc_control.errors import DomainError

Array = NDArray[np.float64]

DENSE_LIMIT = 128
"""Contacts up to which O(n³) methods are tried first."""

SECONDS_A_VISIT = 6e-6
"""Measured time of one visit of one contact in a sweep: turns a time budget into a number of sweeps."""

_METHODS: dict[str, tuple[Callable[..., ContactSolution], str | None]] = {
    "newton": (solve_newton, "max_iterations"),
    "admm": (solve_admm, "max_iterations"),
    "interior_point": (solve_interior_point, None),
    "cone_gauss_seidel": (solve_cone_gauss_seidel, "max_sweeps"),
    "split_gauss_seidel": (solve_split_gauss_seidel, "max_sweeps"),
    "normal_tangential": (solve_normal_tangential, "max_alternations"),
    "accelerated_gradient": (solve_accelerated_gradient, "max_iterations"),
}
METHODS = ("auto", *_METHODS)


def solve(
    problem: ContactProblem,
    method: str = "auto",
    *,
    guess: Array | None = None,
    tolerance: float = 1e-8,
    max_iterations: int | None = None,
    budget_s: float | None = None,
) -> ContactSolution:
    """Solve a contact problem.

    Args:
        problem: The contact problem.
        method: One of :data:`METHODS`.  ``"auto"`` tries the methods of :func:`candidates` in turn, each from the best
            answer so far, and returns the first that converges, else the best.
        guess: (n, 3) warm start, N·s; the interior point ignores it.
        tolerance: Natural-map residual for CONVERGED, m/s; > 0.
        max_iterations: Limit of the method's own iterations (its default otherwise).
        budget_s: Only with ``"auto"``: do a fixed number of sweeps that fits, whatever the residual.

    Raises:
        DomainError: Unknown method, tolerance or budget ≤ 0, a guess that is not finite, or a method that cannot treat
            the problem (exact friction only).
        ShapeError: The guess has another shape.
    """
    in_range("tolerance", tolerance, 0.0, open_low=True)
    if method not in METHODS:
        raise DomainError("unknown", where="method", value=method, bound=METHODS)
    if method != "auto":
        return _run(problem, method, guess, tolerance, max_iterations)
    if budget_s is not None:
        visits = in_range("budget", budget_s, 0.0, open_low=True) / SECONDS_A_VISIT
        sweeps = max(1, int(visits / max(problem.contacts, 1)))
        return _run(problem, _sweeping(problem), guess, tolerance, sweeps)
    first, *others = candidates(problem)
    best = _run(problem, first, guess, tolerance, max_iterations)
    for name in others:
        if best.status.ok:
            break
        found = _run(problem, name, best.impulse, tolerance, max_iterations)
        best = found if found.residual < best.residual else best
    return best


def candidates(problem: ContactProblem) -> tuple[str, ...]:
    """The methods ``"auto"`` tries, in order."""
    if problem.contacts > DENSE_LIMIT:
        return ("accelerated_gradient", _sweeping(problem))
    if problem.coulomb:
        return ("newton", "admm", "accelerated_gradient", "interior_point")
    return ("newton", "interior_point", "admm")


def _sweeping(problem: ContactProblem) -> str:
    return "split_gauss_seidel" if problem.coulomb else "cone_gauss_seidel"


def _run(
    problem: ContactProblem, name: str, guess: Array | None, tolerance: float, limit: int | None
) -> ContactSolution:
    function, limit_name = _METHODS[name]
    options: dict[str, Any] = {"tolerance": tolerance}
    if name != "interior_point":
        options["guess"] = guess
    if limit is not None and limit_name is not None:
        options[limit_name] = limit
    return function(problem, **options)
