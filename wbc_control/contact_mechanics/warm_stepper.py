"""Semi-implicit Euler for many small steps in a row: warm-started fixed work first, a precise solver only if that fails.

The scheme of :mod:`semi_implicit_step` with joint damping taken at the end of the step, M (v⁺ − v) = h (f − D v⁺) + Jᵀλ,
that is (M + h D)(v⁺ − v) = h (f − D v) + Jᵀλ: stable for any D ≥ 0.  Each contact's impulse is remembered by its label.
One factorisation of the metric serves the free motion and the Delassus matrix.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.contact_solver import solve
from wbc_control.contact_mechanics.contact_step import position_correction
from wbc_control.contact_mechanics.delassus import DenseDelassus
from wbc_control.contact_mechanics.mechanism import ContactSet, Mechanism, Step, StepSettings, contact_bias
from wbc_control.contact_mechanics.real_time_solver import RealTimeContactSolver
from wbc_control.contact_mechanics.solver_status import SolverStatus

Array = NDArray[np.float64]

_NEWTON_STEPS = 15
_NOTHING = np.zeros(3)


class WarmStepper:
    """Advances one mechanism.

    Args:
        settings: Contact treatment; ``method`` is that of the precise solver.

    Attributes:
        precise_solves: Steps in which the fixed work did not reach the tolerance.
        unsolved: Steps in which the precise solver did not either; the better answer was taken.
    """

    def __init__(self, settings: StepSettings | None = None) -> None:
        self.settings = settings or StepSettings()
        self._solvers: dict[int, RealTimeContactSolver] = {}
        self.reset()

    def reset(self) -> None:
        """Forget the last step."""
        self._impulses: dict[int, Array] = {}
        self.precise_solves = self.unsolved = 0

    def step(self, mechanism: Mechanism, q: Array, v: Array, duration: float, damping: Array | None = None) -> Step:
        """Advance by ``duration`` h > 0, s.

        Args:
            mechanism: The mechanism.
            q: (nq,) configuration.
            v: (nv,) velocity.
            duration: h, s.
            damping: (nv,) D ≥ 0, N·m·s/rad or N·s/m; none by default.

        Raises:
            DomainError: h ≤ 0, or the mechanism returned values that are not finite.
        """
        h = in_range("duration", duration, 0.0, open_low=True)
        mass, force = mechanism.mass_matrix(q), mechanism.force(q, v)
        contacts = mechanism.contacts(q)
        metric = mass
        if damping is not None:
            metric, force = mass + np.diag(h * damping), force - damping * v
        solved = np.asarray(
            np.linalg.solve(metric, np.column_stack([h * force, contacts.jacobian.T])), dtype=np.float64
        )
        free, spread = v + solved[:, 0], solved[:, 1:]
        solution = self._contact(contacts, free, spread, contact_bias(contacts, v, h, self.settings))
        velocity = free + spread @ solution.impulse.ravel()
        correction = position_correction(metric, contacts, h, self.settings)
        return Step(mechanism.integrate(q, h * velocity + correction), velocity, contacts, solution, 1, 0.0)

    def _contact(self, contacts: ContactSet, free: Array, spread: Array, bias: Array) -> ContactSolution:
        """Impulses of all contacts, zero for those whose bias takes them out."""
        count = len(bias)
        used = np.flatnonzero(np.isfinite(bias))
        impulse = np.zeros((count, 3))
        if not len(used):
            points = (contacts.jacobian @ free).reshape(-1, 3)
            return ContactSolution(impulse, points, SolverStatus.CONVERGED, 0.0, 0, "none")
        rows = (3 * used[:, None] + np.arange(3)).ravel()
        matrix = contacts.jacobian[rows] @ spread[:, rows]
        target = contacts.jacobian[rows] @ free
        target[2::3] += bias[used]
        labels = (np.arange(count) if contacts.labels is None else contacts.labels)[used].tolist()
        found = self._impulse(0.5 * (matrix + matrix.T), target, contacts.friction[used], labels)
        impulse[used] = found.impulse
        points = (contacts.jacobian @ (free + spread @ impulse.ravel())).reshape(-1, 3)
        return ContactSolution(impulse, points, found.status, found.residual, found.iterations, found.method)

    def _impulse(self, matrix: Array, target: Array, friction: Array, labels: list[int]) -> ContactSolution:
        """Fixed work from the last step's impulses; the precise solver where its residual is not good enough."""
        tolerance, count = self.settings.tolerance, len(labels)
        fast = self._solvers.get(count)
        if fast is None:
            fast = RealTimeContactSolver(
                count, newton_steps=_NEWTON_STEPS, sweeps=0, tolerance=tolerance, monotone=False
            )
            self._solvers[count] = fast
        fast.reset(np.array([self._impulses.get(label, _NOTHING) for label in labels]))
        quick = fast.solve(matrix, target, friction.tolist())
        if quick.ok:
            velocity = (matrix @ quick.impulse.ravel() + target).reshape(-1, 3)
            found = ContactSolution(
                quick.impulse, velocity, SolverStatus.CONVERGED, quick.residual, _NEWTON_STEPS, "real time"
            )
        else:
            found = self._precise(matrix, target, friction, quick.impulse)
        self._impulses = dict(zip(labels, found.impulse))
        return found

    def _precise(self, matrix: Array, target: Array, friction: Array, guess: Array) -> ContactSolution:
        settings = self.settings
        self.precise_solves += 1
        problem = ContactProblem(
            DenseDelassus(matrix, settings.regularisation), target.reshape(-1, 3), friction, settings.coulomb
        )
        found = solve(problem, settings.method, guess=guess, tolerance=settings.tolerance)
        if not found.status.ok:
            self.unsolved += 1
            if problem.residual(guess) < found.residual:
                return problem.solution(guess, found.iterations, settings.tolerance, found.method)
        return found
