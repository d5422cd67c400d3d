"""Semi-implicit (symplectic) Euler with contacts, the work-horse: forces at the start, contacts at the end of the step.

Stewart and Trinkle (1996); Moreau (1988).  M(q) (v⁺ − v) = h f(q, v) + Jᵀλ, q⁺ = q ⊕ h v⁺.  One contact problem a
step.  Stable for oscillators up to h ω < 2; energy oscillates about the truth without drift for conservative forces.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.contact_step import contact_velocity, position_correction
from wbc_control.contact_mechanics.mechanism import Mechanism, Step, StepSettings, contact_bias

Array = NDArray[np.float64]


def semi_implicit_step(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    duration: float,
    settings: StepSettings | None = None,
    guess: Array | None = None,
) -> Step:
    """Advance by ``duration`` h > 0, s.

    Args:
        mechanism: The mechanism.
        q: (nq,) configuration.
        v: (nv,) velocity.
        duration: h, s.
        settings: Contact treatment; defaults if None.
        guess: (n, 3) impulses of the last step, if the contacts are the same.

    Raises:
        DomainError: h ≤ 0, or the mechanism returned values that are not finite.
    """
    chosen = settings or StepSettings()
    h = in_range("duration", duration, 0.0, open_low=True)
    mass = mechanism.mass_matrix(q)
    contacts = mechanism.contacts(q)
    free = v + np.linalg.solve(mass, h * mechanism.force(q, v))
    bias = contact_bias(contacts, v, h, chosen)
    velocity, solution = contact_velocity(mass, free, contacts, bias, chosen, guess)
    end = mechanism.integrate(q, h * velocity + position_correction(mass, contacts, h, chosen))
    return Step(end, velocity, contacts, solution, 1, 0.0)
