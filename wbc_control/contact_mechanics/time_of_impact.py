"""Continuous collision: when within a step a small fast body first touches, so that it cannot tunnel.

Closed form for ballistic motion onto a plane; conservative advancement (Mirtich 1996) for any distance function with a
bound on its rate of change, which never steps past a contact.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from wbc_control.contact_mechanics.checks import in_range


def ballistic_time_of_impact(
    gap: float, normal_speed: float, normal_acceleration: float, duration: float
) -> float | None:
    """First t in [0, duration] with gap + v t + ½ a t² = 0 and closing, s; None if there is none.

    Args:
        gap: Distance at t = 0, m; ≤ 0 while approaching counts as impact at 0.
        normal_speed: v, m/s, negative when approaching.
        normal_acceleration: a, m/s².
        duration: s.
    """
    if gap <= 0.0:
        return 0.0 if normal_speed < 0.0 or (normal_speed == 0.0 and normal_acceleration < 0.0) else None
    discriminant = normal_speed * normal_speed - 2.0 * normal_acceleration * gap
    if discriminant < 0.0:
        return None
    # The smaller positive root as 2 g / (−v + √d), which does not cancel.
    denominator = -normal_speed + math.sqrt(discriminant)
    if denominator <= 0.0:
        return None
    time = 2.0 * gap / denominator
    return time if time <= duration else None


@dataclass(frozen=True)
class ImpactSearch:
    """Result of conservative advancement.

    Attributes:
        time: s, at which the distance is within the tolerance; ``duration`` if it never was.
        distance: m, at that time.
        hit: Whether the tolerance was reached.
        exhausted: Whether the iterations ran out before either; then nothing beyond ``time`` is known.
    """

    time: float
    distance: float
    hit: bool
    exhausted: bool


def conservative_advancement(
    distance: Callable[[float], float],
    speed_bound: float,
    duration: float,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 200,
) -> ImpactSearch:
    """Advance by distance/speed_bound until contact or the end.

    Args:
        distance: Of time, s in [0, duration], to m: how far the bodies are apart; ≤ 0 when they overlap.
        speed_bound: Largest rate at which that distance can fall, m/s: translation plus radius times rotation.
        duration: s.
        tolerance: Distance taken for contact, m.
        max_iterations: Then ``exhausted``.

    Raises:
        DomainError: The bound, the duration or the tolerance is not positive and finite.
    """
    bound = in_range("speed bound", speed_bound, 0.0, open_low=True)
    end = in_range("duration", duration, 0.0, open_low=True)
    near = in_range("tolerance", tolerance, 0.0, open_low=True)
    time, now = 0.0, distance(0.0)
    for _ in range(max_iterations):
        if now <= near:
            return ImpactSearch(time, now, True, False)
        if time >= end:
            return ImpactSearch(end, now, False, False)
        time = min(end, time + now / bound)
        now = distance(time)
    return ImpactSearch(time, now, now <= near, now > near and time < end)
