"""States and references for timing the whole-body controller by itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.state import ContactState, PlanSample

Array = NDArray[np.float64]


def standing_still(model: RobotModel, q: Array, loaded: ArrayLike | None = None) -> PlanSample:
    """Stay where ``q`` is; the feet of the mask ``loaded`` (n_feet,), all without one, share the weight."""
    terms = Kinodynamics(model)
    terms.update(q, np.zeros(model.nv))
    feet, rest = len(model.feet), np.zeros(3)
    contact = np.ones(feet, dtype=bool) if loaded is None else np.asarray(loaded, dtype=bool)
    weight = contact.astype(float)
    com, still = terms.com.copy(), np.zeros((feet, 6))
    places = terms.foot_position.copy(), terms.foot_rotation.copy()
    pose = com, rest, rest, terms.torso_rotation.copy(), rest, *places, still, still
    return PlanSample(0, *pose, contact, weight, weight * model.weight / max(weight.sum(), 1.0), com[:2])


def observed_contact(model: RobotModel, loaded: ArrayLike | None = None) -> ContactState:
    """The feet of the mask ``loaded`` (n_feet,), all without one, on the ground for certain."""
    feet = len(model.feet)
    contact = np.ones(feet, dtype=bool) if loaded is None else np.asarray(loaded, dtype=bool)
    weight, ones, zeros = contact.astype(float), np.ones(feet), np.zeros(feet)
    return ContactState(0, contact, ones, weight * model.weight / max(weight.sum(), 1.0), zeros, ones, ones)
