"""How much each stance foot counts as a fixed point: contact-dependent noise and rejection of slip."""

from __future__ import annotations

import numpy as np

from wbc_control.estimation.vectors import Vector
from wbc_control.model import RobotModel
from wbc_control.parameters.estimator import BaseEstimationParameters

UNMEASURED = 1e9
"""Variance of what is not measured at all."""
_FIRM_LOAD = 0.15
"""Share of weight from which a foot rests firmly."""
_LEVER_M = 0.1
"""How far from a flat sole's origin it may tip."""
_TIPPING_TIME_S = 0.05
_STILL_SPIN_SQUARED = 0.01
"""Square of the spin, rad/s, that encoder noise alone may show on a sole at rest."""
_LIGHTEST = 0.1


class StanceWeights:
    """Variances of the stance measurements of one tick.

    Attributes:
        variances: (3 + 3N,) of the mean velocity, m²/s², and of each foot's position, m².
        share: Weight of each foot in the mean velocity; sums to 1, or to 0 without any stance.
        drift: (3N,) random walk of each anchor, m²/s.
        any_stance: Whether any foot measures.
        doubtful: Whether a foot is outside its gate.
    """

    def __init__(self, model: RobotModel) -> None:
        n_feet = len(model.feet)
        self._weight = model.weight
        self._tips = [0.0 if foot.is_point else _LEVER_M**2 for foot in model.feet]
        self.share = [0.0] * n_feet
        self.variances = np.full(3 + 3 * n_feet, UNMEASURED)
        self.drift = np.zeros(3 * n_feet)
        self.any_stance = self.doubtful = False

    def gate(
        self, stance: list[bool], speeds: list[float], expected: float, settings: BaseEstimationParameters
    ) -> bool:
        """Whether any resting foot moves faster, m/s, than ``expected`` (m²/s²) and its own noise allow."""
        limit = 3.0 * settings.slip_gate**2 * (settings.foot_velocity_noise**2 + expected)
        self.doubtful = False
        for rests, speed in zip(stance, speeds, strict=True):
            if rests and speed * speed > limit:
                self.doubtful = True
        return self.doubtful

    def weigh(
        self,
        stance: list[bool],
        force: list[float],
        speeds: list[float],
        spins: list[list[float]],
        expected: float,
        settings: BaseEstimationParameters,
    ) -> None:
        """Judge all feet: lightly loaded, tipping and out-of-gate feet count less.

        Args:
            stance: Whether each foot rests.
            force: Normal force of each, N.
            speeds: Speed of each resting point in world, m/s.
            spins: Angular velocity of each sole in world, rad/s.
            expected: Variance of the estimated velocity, m²/s².
            settings: Noise.
        """
        precision, shares = 0.0, []
        for k, rests in enumerate(stance):
            x, y, z = spins[k]
            tipping = self._tips[k] * max(x * x + y * y + z * z - _STILL_SPIN_SQUARED, 0.0)
            light = max(min(force[k] / (_FIRM_LOAD * self._weight), 1.0), _LIGHTEST) ** -2
            variance = settings.foot_velocity_noise**2 * light + tipping
            doubt = max(speeds[k] ** 2 / (3.0 * settings.slip_gate**2 * (variance + expected)), 1.0) ** 2
            shares.append(1.0 / (variance * doubt) if rests else 0.0)
            precision += shares[-1]
            at = 3 * k
            self.variances[at + 3 : at + 6] = settings.foot_position_noise**2 * light if rests else UNMEASURED
            self.drift[at : at + 3] = (
                (settings.foot_drift**2 * light * doubt + tipping * _TIPPING_TIME_S) if rests else 0.0
            )
        self.any_stance = precision > 0.0
        self.share = [share / precision if precision else 0.0 for share in shares]
        self.variances[:3] = 1.0 / precision if precision else UNMEASURED

    def velocity_error(self, velocities: list[Vector]) -> list[float]:
        """Precision-weighted velocity of the resting feet in world, m/s, three numbers; zero in truth."""
        x = y = z = 0.0
        for share, (u, v, w) in zip(self.share, velocities, strict=True):
            x, y, z = x + share * u, y + share * v, z + share * w
        return [x, y, z]
