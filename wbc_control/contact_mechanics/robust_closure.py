"""Force closure under uncertainty: friction in an interval, contact points in balls, normals in cones.

Coulomb's cone grows with μ, so the smallest μ decides.  Moving a point by at most ε or turning a normal by at most α
moves each unit-load wrench by a bounded amount; the L1 margin must exceed it (sufficient: the support function drops by
no more).  If it does not, random perturbations look for a counterexample.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from wbc_control.contact_mechanics.checks import in_range
from wbc_control.contact_mechanics.closure import force_closure
from wbc_control.contact_mechanics.grasp import Grasp
from wbc_control.contact_mechanics.grasp_margin import ferrari_canny_l1
from wbc_control.errors import DomainError
from wbc_control.spatial import exp_so3

Array = NDArray[np.float64]


class Robustness(Enum):
    """Answer about all grasps in the uncertainty set."""

    PROVEN = "proven"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, eq=False)
class RobustClosure:
    """Result of :func:`robust_force_closure`.

    Attributes:
        verdict: Proven by the margin, refuted by a counterexample, or neither.
        margin: L1 margin of the nominal grasp at the smallest friction, N (its proven bound).
        loss: Largest loss of margin the uncertainty can cause, N.
        counterexample: A grasp of the set without force closure, or None.
    """

    verdict: Robustness
    margin: float
    loss: float
    counterexample: Grasp | None = None


def robust_force_closure(
    grasp: Grasp,
    friction_range: tuple[float, float],
    *,
    position_error: float = 0.0,
    normal_error: float = 0.0,
    samples: int = 100,
    seed: int = 0,
) -> RobustClosure:
    """Judge force closure for every μ in the range and every perturbation of the contacts.

    Args:
        grasp: Nominal contacts; its own friction is ignored.
        friction_range: (μ_min, μ_max).
        position_error: ε ≥ 0, m, for each point.
        normal_error: α in [0, π/2], rad, for each normal.
        samples: Random perturbations tried when the margin does not suffice.
        seed: Of those.

    Raises:
        DomainError: A negative error, or a range that is empty or negative.
    """
    low, high = friction_range
    in_range("μ_min", low, 0.0)
    if not high >= low:
        raise DomainError("is empty", where="friction range", value=friction_range, bound="μ_min ≤ μ_max")
    in_range("position error", position_error, 0.0)
    in_range("normal error", normal_error, 0.0, math.pi / 2)
    worst = Grasp(grasp.points, grasp.normals, np.asarray(low), grasp.origin, grasp.length)
    margin = ferrari_canny_l1(worst).lower
    loss = wrench_uncertainty(worst, position_error, normal_error)
    if margin > loss:
        return RobustClosure(Robustness.PROVEN, margin, loss)
    rng = np.random.default_rng(seed)
    for trial in range(samples):
        candidate = worst if trial == 0 else _perturbed(worst, position_error, normal_error, rng)
        if force_closure(candidate).closed is False:
            return RobustClosure(Robustness.REFUTED, margin, loss, candidate)
    return RobustClosure(Robustness.UNDECIDED, margin, loss)


def wrench_uncertainty(grasp: Grasp, position_error: float, normal_error: float) -> float:
    """Largest change of a unit-load wrench over all contacts, N.

    The force, of size √(1 + μ²), turns by α: chord 2 sin(α/2); its lever arm moves by ε.
    """
    size = np.sqrt(1.0 + grasp.friction**2)
    turn = 2.0 * math.sin(0.5 * normal_error) * size
    arm = np.linalg.norm(grasp.points - grasp.origin, axis=1)
    moment = (turn * (arm + position_error) + position_error * size) / grasp.length
    return float(np.hypot(turn, moment).max(initial=0.0))


def _perturbed(grasp: Grasp, position_error: float, normal_error: float, rng: np.random.Generator) -> Grasp:
    """A grasp on the boundary of the uncertainty set."""
    shift = rng.normal(size=grasp.points.shape)
    shift *= position_error / np.linalg.norm(shift, axis=1, keepdims=True)
    normals = []
    for normal in grasp.normals:
        axis = np.cross(normal, rng.normal(size=3))
        normals.append(exp_so3(axis * (normal_error / max(float(np.linalg.norm(axis)), 1e-12))) @ normal)
    return Grasp(grasp.points + shift, np.array(normals), grasp.friction, grasp.origin, grasp.length)
