"""Decides without any solver whether constraints can be kept together, in small steps and with a certificate.

The point nearest to the origin that keeps A x = b and G x ≥ h is found through non-negative least squares (C. Lawson,
R. Hanson, *Solving Least Squares Problems*, 1974, §23.2–23.4): with E = [Aᵀ Gᵀ; bᵀ hᵀ] and f = (0, …, 0, 1) minimise
‖E u − f‖, u ≥ 0 where it belongs to an inequality.  The residual's length is 1/√(1 + ‖x‖²) for that point x, and zero where
there is none: then u proves the contradiction (Farkas).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from wbc_control.qp.problem import Array, QpProblem

Verdict = Generator[None, None, bool]

_UNIT = 100.0
"""Length that counts as one: accelerations and forces of legged robots are of this order."""
_TOLERANCE = 1e-10
_MOST_STEPS = 3
"""Steps allowed, in multiples of the number of columns; theory needs a finite number, practice less than one multiple."""


def can_be_kept(problem: QpProblem, reach: float = 1e5) -> Verdict:
    """Generator that yields after every step, a fraction of a millisecond, and returns whether all constraints can be kept.

    Args:
        problem: Its H and g do not matter.
        reach: Norm of the largest point that counts as an answer.
    """
    columns, free = _columns(problem)
    aim = np.zeros(len(columns))
    aim[-1] = 1.0
    passive, u = list(range(free)), np.zeros(columns.shape[1])
    least = 1.0 / np.hypot(1.0, reach / _UNIT)
    for _ in range(_MOST_STEPS * columns.shape[1] + 1):
        passive = _settle(columns, aim, passive, free, u)
        residual = aim - columns[:, passive] @ u[passive]
        yield
        if np.linalg.norm(residual) <= least:
            return False
        pull = residual @ columns
        pull[passive] = 0.0
        if pull.max(initial=0.0) <= _TOLERANCE:
            return True
        strongest = int(np.argmax(pull))
        passive.append(strongest)
    return True


def _columns(p: QpProblem) -> tuple[Array, int]:
    """E with columns of length one, in units of :data:`_UNIT`, and how many of them belong to equalities, the first."""
    sides = []
    for rows, lower, upper in ((p.C, p.l, p.u), (np.eye(p.variables), p.lower, p.upper)):
        low, high = np.isfinite(lower), np.isfinite(upper)
        sides += [
            np.column_stack([rows[low], lower[low] / _UNIT]),
            np.column_stack([-rows[high], -upper[high] / _UNIT]),
        ]
    stacked = np.vstack([np.column_stack([p.A, p.b / _UNIT]), *sides])
    lengths = np.linalg.norm(stacked, axis=1)
    kept = lengths > 1e-12
    columns: Array = (stacked[kept] / lengths[kept, None]).T
    return columns, int(kept[: p.equalities].sum())


def _settle(columns: Array, aim: Array, passive: list[int], free: int, u: Array) -> list[int]:
    """Least squares over the passive columns; those whose multiplier would turn negative leave (the method's inner loop)."""
    while passive:
        wanted = np.linalg.lstsq(columns[:, passive], aim, rcond=1e-13)[0]
        bad = [i for i, column in enumerate(passive) if column >= free and wanted[i] <= 0.0]
        if not bad:
            u[:] = 0.0
            u[passive] = wanted
            return passive
        now = u[passive]
        share = min(float(now[i] / (now[i] - wanted[i])) if now[i] > wanted[i] else 0.0 for i in bad)
        moved = now + share * (wanted - now)
        u[passive] = moved
        gone = {passive[i] for i in bad if moved[i] <= 1e-14}
        gone = gone or {passive[bad[0]]}
        u[list(gone)] = 0.0
        passive = [column for column in passive if column not in gone]
    return passive
