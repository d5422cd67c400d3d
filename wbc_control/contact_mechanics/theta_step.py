"""Implicit θ-scheme with contacts: θ = 1 is implicit Euler, θ = ½ the variational midpoint rule that keeps energy.

    M(q̄) (v⁺ − v) = h f(q̄, v̄) + Jᵀλ,   v̄ = (1 − θ) v + θ v⁺,   q̄ = q ⊕ θ h v̄,   q⁺ = q ⊕ h v̄

θ = 1 damps every oscillation it does not resolve: for stiff forces.  θ = ½ is the discrete Euler–Lagrange equation of
the midpoint Lagrangian where M is constant (Marsden and West, *Discrete mechanics and variational integrators*, 2001,
§2.3): it keeps the kinetic energy of a free rigid body and the energy of any linear system to rounding, and that of
other mechanisms to second order.  Contacts: Newton's impact law on v⁺, so an impulse does the work
λ_n (v_n⁺ + v_n⁻)/2 ≤ 0.

Solved by Newton steps whose Jacobian, by differences of f, is symmetrised for the contact problem; the fixed point is
exact, and ``Step.defect`` tells what is left of the equations.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.contact_step import contact_velocity, position_correction
from wbc_control.contact_mechanics.mechanism import Mechanism, Step, StepSettings, contact_bias

Array = NDArray[np.float64]

IMPLICIT_EULER = 1.0
VARIATIONAL = 0.5
DIFFERENCE = 1e-6
"""Velocity increment of the finite differences, m/s or rad/s."""


def theta_step(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    duration: float,
    theta: float = VARIATIONAL,
    settings: StepSettings | None = None,
    guess: Array | None = None,
    tolerance: float = 1e-10,
    max_iterations: int = 20,
) -> Step:
    """Advance by ``duration`` h > 0, s.

    Args:
        mechanism, q, v, duration, settings, guess: As in :func:`semi_implicit_step`.
        theta: In [½, 1].
        tolerance: Change of v⁺ in one Newton step, m/s or rad/s, at which to stop.
        max_iterations: Newton steps at most; compare ``Step.defect`` with the accuracy you need.

    Raises:
        DomainError: h ≤ 0, θ outside [½, 1], or values that are not finite.
    """
    chosen = settings or StepSettings()
    h = in_range("duration", duration, 0.0, open_low=True)
    scheme = _Scheme(mechanism, q, v, h, in_range("theta", theta, 0.5, 1.0))
    contacts = mechanism.contacts(q)
    bias = contact_bias(contacts, v, h, chosen)
    # One derivative, at the start, serves all iterations: the corrections are small within a step.
    metric = scheme.metric(v)
    velocity, iterations = v, 0
    while True:
        free = velocity + np.linalg.solve(metric, -scheme.imbalance(velocity))
        new, solution = contact_velocity(metric, free, contacts, bias, chosen, guess)
        change = float(np.abs(new - velocity).max())
        velocity, guess = new, solution.impulse
        iterations += 1
        if change <= tolerance or iterations >= max_iterations or not np.isfinite(change):
            break
    impulse = contacts.jacobian.T @ solution.impulse.ravel()
    defect = np.linalg.solve(scheme.mass_matrix(velocity), scheme.imbalance(velocity) - impulse)
    end = mechanism.integrate(q, h * scheme.mean(velocity) + position_correction(metric, contacts, h, chosen))
    return Step(end, velocity, contacts, solution, iterations, float(np.abs(defect).max(initial=0.0)))


class _Scheme:
    """The equations of one step as functions of v⁺."""

    def __init__(self, mechanism: Mechanism, q: Array, v: Array, h: float, theta: float) -> None:
        self.mechanism = mechanism
        self.q, self.v, self.h, self.theta = q, v, h, theta

    def mean(self, velocity: Array) -> Array:
        """v̄."""
        return (1.0 - self.theta) * self.v + self.theta * velocity

    def _midway(self, velocity: Array) -> Array:
        return self.mechanism.integrate(self.q, self.theta * self.h * self.mean(velocity))

    def mass_matrix(self, velocity: Array) -> Array:
        """M(q̄)."""
        return self.mechanism.mass_matrix(self._midway(velocity))

    def imbalance(self, velocity: Array) -> Array:
        """M(q̄)(v⁺ − v) − h f(q̄, v̄): equals Jᵀλ at the solution; (nv,)."""
        midway = self._midway(velocity)
        force = self.mechanism.force(midway, self.mean(velocity))
        return np.asarray(self.mechanism.mass_matrix(midway) @ (velocity - self.v) - self.h * force)

    def metric(self, velocity: Array) -> Array:
        """Symmetrised derivative of the imbalance; M(q̄) alone where that is not positive definite."""
        base = self.imbalance(velocity)
        columns = [
            (self.imbalance(velocity + DIFFERENCE * axis) - base) / DIFFERENCE for axis in np.eye(len(velocity))
        ]
        slope = np.column_stack(columns)
        symmetric = 0.5 * (slope + slope.T)
        try:
            np.linalg.cholesky(symmetric)
        except np.linalg.LinAlgError:
            return self.mass_matrix(velocity)
        return symmetric
