"""How much each stance foot counts as a fixed point: contact-dependent noise and rejection of slip."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters

if TYPE_CHECKING:
    from wbc_control.estimation.base_observer import BaseObserver

_UNMEASURED = 1e9
_FIRM_LOAD = 0.15
"""Share of weight from which a foot rests firmly."""
_LEVER_M = 0.1
"""How far from a flat sole's origin it may tip."""
_TIPPING_TIME_S = 0.05
_LIGHTEST = 0.1


class StanceWeights:
    """Variances of the stance measurements of one tick.

    Attributes:
        any_stance: Whether any foot measures.
        standing: (N, 1) 1 where the foot measures, 0 elsewhere.
        velocity_error: (3,) precision-weighted velocity of the resting feet in world, m/s (zero in truth).
        velocity_variance: Of that mean, m²/s².
        position_variance: (N, 1) of each foot's position, m².
        drift: (N,) random walk of each anchor, m²/s.
    """

    def __init__(self, model: RobotModel) -> None:
        n_feet = len(model.feet)
        self._weight = model.weight
        self._tips = [0.0 if foot.is_point else _LEVER_M for foot in model.feet]
        self.any_stance = False
        self.standing, self.position_variance = np.zeros((n_feet, 1)), np.full((n_feet, 1), _UNMEASURED)
        self.velocity_error, self.velocity_variance = np.zeros(3), _UNMEASURED
        self.drift = np.zeros(n_feet)

    def weigh(self, stance: list[bool], force: list[float], base: BaseObserver, parameters: EstimatorParameters) -> None:
        """Judge all feet: lightly loaded, tipping and out-of-gate feet count less."""
        noise, settings = base.filter, parameters.base
        expected = float(noise.covariance[0, 0] + noise.covariance[1, 1] + noise.covariance[2, 2]) / 3.0
        spins, velocities = base.foot_spin.tolist(), base.foot_velocity
        precision, self.any_stance = 0.0, False
        self.velocity_error[:] = 0.0
        for k, rests in enumerate(stance):
            if not rests:
                self.standing[k], self.position_variance[k], self.drift[k] = 0.0, _UNMEASURED, 0.0
                continue
            self.any_stance = True
            x, y, z = spins[k]
            tipping = self._tips[k] ** 2 * (x * x + y * y + z * z)
            light = max(min(force[k] / (_FIRM_LOAD * self._weight), 1.0), _LIGHTEST) ** -2
            velocity = velocities[k]
            variance = settings.foot_velocity_noise**2 * light + tipping
            excess = float(velocity.dot(velocity)) / (3.0 * settings.slip_gate**2 * (variance + expected))
            doubt = max(excess, 1.0) ** 2
            variance *= doubt
            self.velocity_error += velocity / variance
            precision += 1.0 / variance
            self.standing[k] = 1.0
            self.position_variance[k] = settings.foot_position_noise**2 * light
            self.drift[k] = settings.foot_drift**2 * light * doubt + tipping * _TIPPING_TIME_S
        self.velocity_variance = 1.0 / precision if precision else _UNMEASURED
        self.velocity_error *= self.velocity_variance if precision else 0.0
