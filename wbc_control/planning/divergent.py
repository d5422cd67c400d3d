"""The divergent component of motion ξ = c + ċ/ω of the linear inverted pendulum: reference, forecast, feedback.

ξ̇ = ω(ξ − p) diverges from the ZMP p; the CoM converges to ξ: ċ = ω(ξ − c).  Takenaka et al. (2009); Englsberger, Ott,
Albu-Schäffer, *Three-dimensional bipedal walking control based on divergent component of motion* (2015).
"""
from __future__ import annotations

import math

import numpy as np

from wbc_control.spatial import Array


def backward_dcm(zmp: Array, terminal: Array, omega: float, dt: float) -> Array:
    """DCM (k, m) that ends at ``terminal`` (m,) while the ZMP moves piecewise linearly through ``zmp`` (k, m).

    Exact: ξ_k = e ξ_{k+1} + ∫₀^Δ ω e^{−ωs} p(s) ds with e = exp(−ωΔ).  Linear in the ZMP, hence any linear functional of
    it (the share of load on a foot) may ride along as another column.
    """
    decay = math.exp(-omega * dt)
    ramp = (1.0 - decay * (1.0 + omega * dt)) / (omega * dt)
    drive = (1.0 - decay - ramp) * zmp[:-1] + ramp * zmp[1:]
    out = np.empty_like(zmp)
    out[-1] = value = terminal
    for k in range(len(zmp) - 2, -1, -1):
        value = decay * value + drive[k]
        out[k] = value
    return out


def pendulum_step(com: float, velocity: float, zmp: float, omega: float, dt: float) -> tuple[float, float]:
    """CoM position and velocity, one axis, after ``dt`` s with the ZMP held still (closed form)."""
    ch, sh = math.cosh(omega * dt), math.sinh(omega * dt)
    offset = com - zmp
    return zmp + ch * offset + sh / omega * velocity, omega * sh * offset + ch * velocity
