"""How strongly each source speaks for or against contact, as log-odds that add up (independent evidence).

Zero says nothing, ±2.2 is 9 : 1.  The scale is laid so that a good force sensor alone crosses :data:`DECISION` just at
the touch threshold and −:data:`DECISION` exactly at the lift threshold.
"""

from __future__ import annotations

import math

DECISION = 2.0
"""Log-odds above which contact, and below minus which lift-off, is pending."""
_STRONGEST_FORCE = 8.0
_GROUND_CLEARANCE_M = 0.04
_SWING_SPEED_M_S = 0.5
_STILL = 0.3
_LARGEST = 700.0


def force_evidence(force: float, variance: float, lift: float, touch: float) -> float:
    """Log-odds of contact from a normal force, N, with its variance, N², and the two thresholds, N."""
    scale = max((touch - lift) / (2.0 * DECISION), math.sqrt(variance) / DECISION, 1e-6)
    value = (force - 0.5 * (touch + lift)) / scale
    return _STRONGEST_FORCE if value > _STRONGEST_FORCE else -_STRONGEST_FORCE if value < -_STRONGEST_FORCE else value


def kinematic_evidence(height: float, speed: float, weight: float) -> float:
    """Log-odds from the sole's height above the ground last stood on, m, and its speed in world, m/s.

    The terrain is not known, so a high or moving sole speaks against contact up to ``weight``, a low and still one
    only a little for it.
    """
    raised = 0.0 if height <= 0.0 else 1.0 if height >= _GROUND_CLEARANCE_M else height / _GROUND_CLEARANCE_M
    against = raised + (speed / _SWING_SPEED_M_S if speed < _SWING_SPEED_M_S else 1.0)
    return weight * (_STILL - against if against < 1.0 + _STILL else -1.0)


def plan_evidence(planned: bool, weight: float, force_known: bool) -> float:
    """Log-odds of the planned schedule: a prior, three times as heavy where no force is known."""
    strength = weight if force_known else 3.0 * weight
    return strength if planned else -strength


def probability(log_odds: float) -> float:
    """Probability of contact, 0..1, of log-odds."""
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -_LARGEST else 0.0


def fuse(first: float, first_variance: float, second: float, second_variance: float) -> tuple[float, float]:
    """Precision-weighted mean of two measurements and its variance; an infinite variance leaves the other alone."""
    if second_variance == math.inf:
        return first, first_variance
    if first_variance == math.inf:
        return second, second_variance
    total = first_variance + second_variance
    return (first * second_variance + second * first_variance) / total, first_variance * second_variance / total
