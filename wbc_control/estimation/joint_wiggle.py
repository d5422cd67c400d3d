"""Is every joint where its name says?  Each is moved a little in turn while the robot hangs, and who answers is read.

A wrong order of the joints, or an encoder with the wrong sign, cannot be seen at rest: every posture looks plausible to
somebody.  A joint that moves when another was told to cannot be explained away.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.spatial import Array

_LEAST_SHARE = 0.2


def wiggle_causes(names: Sequence[str], asked_rad: Sequence[float], answers: Array) -> list[str]:
    """What is wrong with the joints, one sentence each; empty when every joint answers for itself.

    Args:
        names: (n) joints in the robot model's order.
        asked_rad: (n) by how much each joint's target was moved, rad or m; 0 for one that was left alone.
        answers: (n, n) row by row, by how much every joint moved while the row's joint was told to.
    """
    causes = []
    for k, (name, asked) in enumerate(zip(names, asked_rad, strict=True)):
        if asked == 0.0:
            continue
        own, largest = float(answers[k, k]), int(np.argmax(np.abs(answers[k])))
        least = _LEAST_SHARE * abs(asked)
        if own * asked > 0.0 and abs(own) >= least:
            continue  # others may swing along on a soft robot; this one did as told
        if largest != k and abs(float(answers[k, largest])) >= 2.0 * max(least, abs(own)):
            causes.append(f"'{name}' was moved but '{names[largest]}' answered: order of the joints, or their wiring")
        elif abs(own) >= least:
            causes.append(f"'{name}' moved the wrong way: sign of its encoder or of its motor")
        else:
            causes.append(f"'{name}' did not move: motor off, stuck, or gain too small")
    return causes


def wiggle_size(position: float, lower: float, upper: float, size: float) -> float:
    """Which way a joint is moved, ± ``size`` rad, away from the nearer end of its range; 0 where there is no room."""
    if upper - lower < 2.0 * size:
        return 0.0
    return size if upper - position > position - lower else -size
