"""The divergent component of motion ξ = c + ċ/ω of the linear inverted pendulum: reference, forecast, feedback.

ξ̇ = ω(ξ − p) diverges from the ZMP p; the CoM converges to ξ: ċ = ω(ξ − c).  Takenaka et al. (2009); Englsberger, Ott,
Albu-Schäffer, *Three-dimensional bipedal walking control based on divergent component of motion* (2015).
"""
from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from wbc_control.spatial import Array


def backward_dcm(zmp: Array, terminal: Array, omega: float, dt: float) -> Array:
    """DCM (k, m) that ends at ``terminal`` (m,) while the ZMP moves piecewise linearly through ``zmp`` (k, m).

    Exact: ξ_k = e ξ_{k+1} + ∫₀^Δ ω e^{−ωs} p(s) ds with e = exp(−ωΔ).  Linear in the ZMP, hence any linear
    functional of it (the share of load on a foot) may ride along as another column.
    """
    from_zmp, from_terminal = _backward_operator(len(zmp), omega * dt)
    return np.asarray(from_zmp @ zmp + from_terminal[:, None] * terminal)


@lru_cache(maxsize=16)
def _backward_operator(count: int, step: float) -> tuple[Array, Array]:
    """The recursion as matrices: (count, count) on the ZMP and (count,) on the terminal DCM; ``step`` is ω Δ."""
    decay = math.exp(-step)
    ramp = (1.0 - decay * (1.0 + step)) / step
    index = np.arange(count)
    lead = index[None, :] - index[:, None]
    power = np.where(lead >= 0, decay ** np.maximum(lead, 0), 0.0)
    drive = np.zeros((count, count))
    drive[index[:-1], index[:-1]], drive[index[:-1], index[1:]] = 1.0 - decay - ramp, ramp
    return power @ drive, power[:, -1].copy()


def pendulum_step(com: float, velocity: float, zmp: float, omega: float, dt: float) -> tuple[float, float]:
    """CoM position and velocity, one axis, after ``dt`` s with the ZMP held still (closed form)."""
    ch, sh = math.cosh(omega * dt), math.sinh(omega * dt)
    offset = com - zmp
    return zmp + ch * offset + sh / omega * velocity, omega * sh * offset + ch * velocity
