"""When stance feet correct the base, and which of the heavy work shares that tick: never two parts in one."""

from __future__ import annotations

_PERIOD_S = 0.0025
"""How often stance feet correct the mean, just under three ticks at 1 kHz; at once when a contact changes."""
_LONGEST_GAIN_S = 0.008
_TURNS, _OTHERS, _ORIENTATION = 4, 1, 3
"""Corrections in turn: gains in the even ones, the IMU's orientation in one of the odd, others' work in the other."""
_SETTLING_TICKS = 25
"""After the start and after a gap the gains fall so fast that each tick needs its own."""


class CorrectionTurns:
    """Clock of the corrections.

    Attributes:
        settles: Whether the filter has just started, or was blind: then all is done in every tick.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start anew."""
        self._since_gain_s = self._since_correction_s = 0.0
        self._turn = self._corrections = 0
        self.settle()

    def settle(self) -> None:
        """The filter was blind for a while."""
        self._settling = _SETTLING_TICKS

    @property
    def settles(self) -> bool:
        """See the class."""
        return self._settling > 0

    def pass_time(self, dt: float) -> None:
        """A tick of ``dt`` s."""
        self._since_gain_s += dt
        self._since_correction_s += dt

    def due(self, dt: float = 0.0) -> bool:
        """Whether the mean is to be corrected within the next ``dt`` s."""
        return self._settling > 0 or self._since_correction_s + dt >= _PERIOD_S

    def others_due(self, dt: float) -> bool:
        """Whether others may do heavy work in the next ``dt`` s: a correction without gains and orientation, one in four."""
        return self._turn == _OTHERS and self.due(dt)

    @property
    def gains_due(self) -> bool:
        """Whether this correction computes covariance and gains."""
        return self._settling > 0 or self._turn % 2 == 0 or self._since_gain_s >= _LONGEST_GAIN_S

    @property
    def orientation_due(self) -> bool:
        """Whether this correction uses the IMU's own orientation."""
        return self._settling > 0 or self._turn == _ORIENTATION

    def begin(self) -> float:
        """Time since the last correction, s; a new one begins."""
        elapsed, self._since_correction_s = self._since_correction_s, 0.0
        self._corrections += 1
        return elapsed

    def take_gains(self) -> tuple[float, int]:
        """Time, s, and corrections since the last gains; new ones are computed now."""
        found = self._since_gain_s, self._corrections
        self._since_gain_s, self._corrections = 0.0, 0
        return found

    def end(self) -> None:
        """The correction is done."""
        self._turn = (self._turn + 1) % _TURNS
        if self._settling > 0:
            self._settling -= 1
