"""Gauss–Seidel over contacts: visits each contact with the latest velocities, changes its impulse by a local rule.

Plain floats inside: for three numbers they are several times faster than small arrays.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.contact_problem import ContactProblem, ContactSolution
from wbc_control.contact_mechanics.delassus import Accumulator

Array = NDArray[np.float64]
LocalRule: TypeAlias = Callable[[int, list[float], list[float]], list[float]]
"""(contact, its impulse, its velocity) → its new impulse."""


def run_sweeps(
    problem: ContactProblem,
    rule: LocalRule,
    method: str,
    *,
    guess: Array | None,
    tolerance: float,
    max_sweeps: int,
    check_every: int = 5,
) -> ContactSolution:
    """Sweep until the natural-map residual is within ``tolerance``, m/s, or ``max_sweeps`` are done."""
    start = problem.warm_start(guess)
    steps = problem.steps()
    impulses: list[list[float]] = start.tolist()
    accumulator = problem.delassus.accumulator(problem.free_velocity, start)
    done = 0
    while problem.contacts and problem.residual(np.array(impulses), steps) > tolerance and done < max_sweeps:
        for _ in range(min(check_every, max_sweeps - done)):
            sweep(impulses, accumulator, rule)
            done += 1
    return problem.solution(np.array(impulses).reshape(-1, 3), done, tolerance, method)


def sweep(impulses: list[list[float]], accumulator: Accumulator, rule: LocalRule) -> None:
    """One pass over the contacts, in place."""
    for contact, old in enumerate(impulses):
        new = rule(contact, old, accumulator.velocity(contact))
        change = [new[0] - old[0], new[1] - old[1], new[2] - old[2]]
        if change != [0.0, 0.0, 0.0]:
            accumulator.add(contact, change)
            impulses[contact] = new


def cone_rule(problem: ContactProblem, omega: float) -> LocalRule:
    """λ ← Π_K(λ − ω r ṽ), r = 1/λ_max(A_ii), ṽ the velocity with De Saxcé's shift where friction is exact.

    Jourdan, Alart and Jean (1998) for Gauss–Seidel on contacts, with the projection of De Saxcé and Feng (1998).
    """
    steps = (omega * problem.steps()).tolist()
    frictions = problem.friction.tolist()
    shift = 1.0 if problem.coulomb else 0.0

    def rule(contact: int, impulse: list[float], velocity: list[float]) -> list[float]:
        step, mu = steps[contact], frictions[contact]
        vx, vy, vz = velocity
        x = impulse[0] - step * vx
        y = impulse[1] - step * vy
        z = impulse[2] - step * (vz + shift * mu * math.hypot(vx, vy))
        tangent = math.hypot(x, y)
        if tangent <= mu * z:
            return [x, y, z]
        on_axis = (z + mu * tangent) / (1.0 + mu * mu)
        if on_axis <= 0.0:
            return [0.0, 0.0, 0.0]
        scale = mu * on_axis / tangent if tangent > 0.0 else 0.0
        return [x * scale, y * scale, on_axis]

    return rule


def split_rule(problem: ContactProblem, omega: float) -> LocalRule:
    """First the normal impulse, then the tangential one clamped to μ λ_n: exact Coulomb friction at a fixed point.

    The normal step is exact (1/A_nn); the tangential one is scaled by the largest eigenvalue of the 2 × 2 block and
    sees the velocity the normal change has made.
    """
    blocks = problem.delassus.blocks
    half_trace = 0.5 * (blocks[:, 0, 0] + blocks[:, 1, 1])
    largest = half_trace + np.hypot(0.5 * (blocks[:, 0, 0] - blocks[:, 1, 1]), blocks[:, 0, 1])
    normal = blocks[:, 2, 2]
    constants = np.column_stack(
        [
            np.where(normal > 0.0, omega / np.where(normal > 0.0, normal, 1.0), 0.0),
            np.where(largest > 0.0, omega / np.where(largest > 0.0, largest, 1.0), 0.0),
            blocks[:, 0, 2],
            blocks[:, 1, 2],
            problem.friction,
        ]
    ).tolist()

    def rule(contact: int, impulse: list[float], velocity: list[float]) -> list[float]:
        normal_step, tangent_step, coupling_x, coupling_y, mu = constants[contact]
        x, y, z = impulse
        new_z = max(0.0, z - normal_step * velocity[2])
        change = new_z - z
        x -= tangent_step * (velocity[0] + coupling_x * change)
        y -= tangent_step * (velocity[1] + coupling_y * change)
        limit = mu * new_z
        tangent = math.hypot(x, y)
        if tangent > limit:
            x *= limit / tangent
            y *= limit / tangent
        return [x, y, new_z]

    return rule
