"""Targets for drives that close their own loop, τ = effort + kp (position − q) + kd (velocity − q̇) ("MIT mode").

The drive evaluates the law many times between two of our messages, and for ever after the last one.  So the targets are
made such that at the state they were computed for the drive asks for exactly the effort that the bridge would have sent,
saturated and rate-limited, and that neither gain alone asks for more than the joint's effort limit there.  While the
bridge damps, kp is 0 and the drive goes on damping whatever becomes of us.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbc_control.joint_control.pd_bridge import PdLaw

Array = NDArray[np.float64]


class DriveTargets(NamedTuple):
    """One command for all drives, each (n,) in the model's joint order.

    Attributes:
        position: rad (m).
        velocity: rad/s.
        effort: Feed-forward, N·m.
        stiffness: kp, N·m/rad.
        damping: kd, N·m·s/rad.
    """

    position: Array
    velocity: Array
    effort: Array
    stiffness: Array
    damping: Array


def drive_targets(law: PdLaw, effort: Array, limit: Array) -> DriveTargets:
    """Targets that are worth ``effort`` at the measured state.

    Args:
        law: Of the bridge's last update.
        effort: (n,) what that update returned, N·m.
        limit: (n,) effort limits, N·m; infinite where there is none.
    """
    position, stiff = _pulled(law.position, law.measured_position, law.stiffness, limit)
    velocity, damp = _pulled(law.velocity, law.measured_velocity, law.damping, limit)
    return DriveTargets(position, velocity, effort - stiff - damp, law.stiffness, law.damping)


def _pulled(target: Array, measured: Array, gain: Array, limit: Array) -> tuple[Array, Array]:
    """The target moved towards the measurement until its gain asks for at most the limit, and what it asks for."""
    reach = np.divide(limit, gain, out=np.full_like(gain, np.inf), where=gain > 0.0)
    step = np.clip(target - measured, -reach, reach)
    return measured + step, gain * step
