"""Fixed-work contact solver for the 1 kHz loop: the same number of steps every tick, warm-started from the last one.

Each tick does ``newton_steps`` semismooth Newton steps (the best iterate is kept) and then ``sweeps``
Gauss–Seidel sweeps, normal then tangent (see :mod:`contact_sweeps`), unless a Newton step has already met the
tolerance.  Exact Coulomb friction.  Nothing raises: a matrix or a velocity that is not finite gives zero impulses and
``ok = False``.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RealTimeSolution:
    """One tick's answer.

    Attributes:
        impulse: (n, 3), N·s, ‖λ_t‖ ≤ μ λ_n exactly; a copy.
        residual: Largest Alart–Curnier residual over the contacts, m/s; infinite when the input was not finite.
        ok: Whether the residual is within the solver's tolerance.
    """

    impulse: Array
    residual: float
    ok: bool


class RealTimeContactSolver:
    """Workspace for n contacts.

    Args:
        contacts: n.
        newton_steps: Newton steps a tick, each one linear solve of size 3n.
        sweeps: Gauss–Seidel sweeps a tick.
        tolerance: Residual, m/s, for ``ok``.
        monotone: Whether a Newton step that raises the residual is the last one.  With many steps allowed, going on
            through such steps finds the active set of statically indeterminate contacts far more often; the best
            iterate is kept either way.
    """

    def __init__(
        self,
        contacts: int,
        *,
        newton_steps: int = 1,
        sweeps: int = 2,
        tolerance: float = 1e-4,
        monotone: bool = True,
    ) -> None:
        self.contacts = contacts
        self.newton_steps = newton_steps
        self.sweeps = sweeps
        self.tolerance = tolerance
        self.monotone = monotone
        self._work = np.zeros(3 * contacts)
        self._three = np.zeros(3)
        self._diagonal = np.arange(3 * contacts)
        self._impulse = [0.0] * (3 * contacts)

    def reset(self, impulse: Array | None = None) -> None:
        """Forget the warm start, or set it to ``impulse`` (n, 3), N·s."""
        self._impulse = [0.0] * (3 * self.contacts) if impulse is None else impulse.ravel().tolist()

    def solve(self, matrix: Array, free_velocity: Array, friction: list[float]) -> RealTimeSolution:
        """Do the tick's work.

        Args:
            matrix: Delassus matrix (3n, 3n), symmetric, C-contiguous, 1/kg.
            free_velocity: b (3n,), m/s, contact frames.
            friction: n coefficients.
        """
        diagonal = matrix.diagonal().tolist()
        constants = self._constants(matrix, diagonal, friction)
        if not math.isfinite(float(matrix.sum() + free_velocity.sum())):
            return self._refuse()
        current = self._impulse
        velocity = (matrix @ current + free_velocity).tolist()
        residual = self._residual(current, velocity, constants)
        best = (residual, current, velocity)
        for _ in range(self.newton_steps):
            if residual <= self.tolerance:
                break
            current = self._newton(matrix, current, velocity, constants)
            velocity = (matrix @ current + free_velocity).tolist()
            residual = self._residual(current, velocity, constants)
            if residual < best[0]:
                best = (residual, current, velocity)
            elif self.monotone:
                break
        residual, current, velocity = best
        if residual > self.tolerance and self.sweeps:
            velocity = self._sweep(matrix, current, free_velocity, constants)
            residual = self._residual(current, velocity, constants)
        return self._finish(current, residual, friction)

    def _constants(self, matrix: Array, diagonal: list[float], friction: list[float]) -> list[tuple[float, ...]]:
        """Per contact: normal and tangential step (kg), couplings n→x and n→y (1/kg), μ."""
        normal_x = matrix.diagonal(2)[::3].tolist()
        normal_y = matrix.diagonal(1)[1::3].tolist()
        cross = matrix.diagonal(1)[::3].tolist()
        result: list[tuple[float, ...]] = []
        for i, mu in enumerate(friction):
            xx, yy, zz = diagonal[3 * i : 3 * i + 3]
            largest = 0.5 * (xx + yy) + math.hypot(0.5 * (xx - yy), cross[i])
            normal_step = 1.0 / zz if zz > 0.0 else 0.0
            tangent_step = 1.0 / largest if largest > 0.0 else 0.0
            result.append((normal_step, tangent_step, normal_x[i], normal_y[i], mu))
        return result

    def _residual(self, impulse: list[float], velocity: list[float], constants: list[tuple[float, ...]]) -> float:
        """max_i |λ − Π(λ − r v)|/r over normals and tangents, m/s."""
        worst = 0.0
        at = 0
        for normal_step, tangent_step, _, _, mu in constants:
            x, y, z = impulse[at : at + 3]
            vx, vy, vz = velocity[at : at + 3]
            moved = z - normal_step * vz
            limit = mu * moved if moved > 0.0 else 0.0
            if normal_step > 0.0:
                worst = max(worst, abs(z - (moved if moved > 0.0 else 0.0)) / normal_step)
            tx, ty = x - tangent_step * vx, y - tangent_step * vy
            length = math.hypot(tx, ty)
            if length > limit:
                tx, ty = tx * limit / length, ty * limit / length
            if tangent_step > 0.0:
                worst = max(worst, math.hypot(x - tx, y - ty) / tangent_step)
            at += 3
        return worst

    def _newton(
        self, matrix: Array, impulse: list[float], velocity: list[float], constants: list[tuple[float, ...]]
    ) -> list[float]:
        """λ − J⁻¹F, clamped to the cones; see :mod:`contact_newton`.  λ itself if J is singular."""
        flat: list[float] = []
        equation: list[float] = []
        steps: list[float] = []
        at = 0
        for normal_step, tangent_step, _, _, mu in constants:
            x, y, z = impulse[at : at + 3]
            vx, vy, vz = velocity[at : at + 3]
            moved = z - normal_step * vz
            tx, ty = x - tangent_step * vx, y - tangent_step * vy
            steps += (tangent_step, tangent_step, normal_step)
            at += 3
            if moved <= 0.0:
                flat += _OPEN
                equation += (x, y, z)
                continue
            limit, length = mu * moved, math.hypot(tx, ty)
            if length <= limit:
                flat += _STICKING
                equation += (x - tx, y - ty, z - moved)
                continue
            ux, uy, ratio = tx / length, ty / length, limit / length
            across = -ratio * ux * uy
            flat += (ratio - ratio * ux * ux, across, mu * ux, across, ratio - ratio * uy * uy, mu * uy, 0.0, 0.0, 1.0)
            equation += (x - ux * limit, y - uy * limit, z - moved)
        slopes = np.array(flat).reshape(-1, 3, 3)
        jacobian = self._jacobian(matrix, slopes, np.array(steps))
        try:
            step = np.linalg.solve(jacobian, equation)
        except np.linalg.LinAlgError:
            return impulse
        return _clamped((np.array(impulse) - step).tolist(), [c[4] for c in constants])

    def _jacobian(self, matrix: Array, slopes: Array, steps: Array) -> Array:
        """I − S (I − r A), slightly regularised."""
        count = 3 * self.contacts
        scaled = (matrix * steps[:, None]).reshape(self.contacts, 3, count)
        scaled.reshape(count, count)[self._diagonal, self._diagonal] -= 1.0
        jacobian = np.matmul(slopes, scaled).reshape(count, count)
        jacobian[self._diagonal, self._diagonal] += 1.0 + 1e-9
        return np.asarray(jacobian)

    def _sweep(
        self, matrix: Array, impulse: list[float], free_velocity: Array, constants: list[tuple[float, ...]]
    ) -> list[float]:
        """All sweeps of a tick, in place on ``impulse``; returns the velocities."""
        now, three = self._work, self._three
        now[:] = impulse
        rows, free = list(matrix.reshape(self.contacts, 3, -1)), free_velocity.tolist()
        for _ in range(self.sweeps):
            at = 0
            for (normal_step, tangent_step, to_x, to_y, mu), row in zip(constants, rows):
                x, y, z = impulse[at : at + 3]
                np.dot(row, now, out=three)
                vx, vy, vz = three.tolist()
                new_z = max(0.0, z - normal_step * (vz + free[at + 2]))
                new_x = x - tangent_step * (vx + free[at] + to_x * (new_z - z))
                new_y = y - tangent_step * (vy + free[at + 1] + to_y * (new_z - z))
                limit, length = mu * new_z, math.hypot(new_x, new_y)
                if length > limit:
                    new_x, new_y = new_x * limit / length, new_y * limit / length
                impulse[at], impulse[at + 1], impulse[at + 2] = new_x, new_y, new_z
                now[at : at + 3] = new_x, new_y, new_z
                at += 3
        return (matrix @ now + free_velocity).tolist()

    def _finish(self, impulse: list[float], residual: float, friction: list[float]) -> RealTimeSolution:
        if not math.isfinite(residual):
            return self._refuse()
        inside = _clamped(impulse, friction)
        self._impulse = inside
        return RealTimeSolution(np.array(inside).reshape(-1, 3), residual, residual <= self.tolerance)

    def _refuse(self) -> RealTimeSolution:
        self.reset()
        return RealTimeSolution(np.zeros((self.contacts, 3)), math.inf, False)


_OPEN = (0.0,) * 9
_STICKING = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def _clamped(impulse: list[float], friction: list[float]) -> list[float]:
    """Normal parts clamped at 0, tangents shortened to μ λ_n."""
    result: list[float] = []
    for i, mu in enumerate(friction):
        x, y, z = impulse[3 * i : 3 * i + 3]
        z = max(z, 0.0)
        limit, length = mu * z, math.hypot(x, y)
        scale = limit / length if length > limit else 1.0
        result += (x * scale, y * scale, z)
    return result
