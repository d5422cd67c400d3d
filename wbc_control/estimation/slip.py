"""Tells a foot that slides from one that stands."""

from __future__ import annotations

SLIP_CUTOFF_HZ = 60.0
"""Cut-off of the slip speed's low-pass."""
_RELEASE_RATIO = 0.5
_RELEASE_DWELL = 3.0


class SlipDetector:
    """Sliding of one loaded foot: speed threshold with hysteresis and dwell.

    Attributes:
        speed: Filtered horizontal speed of the loaded point, m/s.
        sliding: The decision.
    """

    __slots__ = ("_against_s", "sliding", "speed")

    def __init__(self) -> None:
        self.speed, self.sliding, self._against_s = 0.0, False, 0.0

    def reset(self) -> None:
        """Start standing."""
        self.speed, self.sliding, self._against_s = 0.0, False, 0.0

    def update(self, speed: float, loaded: bool, dt: float, smoothing: float, threshold: float, dwell_s: float) -> None:
        """Take in the speed over ground, m/s; an unloaded foot may move and does not count as sliding."""
        self.speed += smoothing * (speed - self.speed)
        limit = threshold * (_RELEASE_RATIO if self.sliding else 1.0)
        against = (not loaded or self.speed < limit) if self.sliding else (loaded and self.speed > limit)
        self._against_s = self._against_s + dt if against else 0.0
        if against and self._against_s >= dwell_s * (_RELEASE_DWELL if self.sliding else 1.0):
            self.sliding, self._against_s = not self.sliding, 0.0
