"""A progress bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_PATIENCE_S, _REFRESH_S, _WIDTH = 2.0, 0.2, 30


class Progress:
    """Draws ``label [#####.....] 50 %  12 s left`` on one line of a terminal, once the work has lasted two seconds.

    Args:
        label: What is going on.
        total: Amount of work, in any unit.
        stream: Where to draw; silent unless it is a terminal.
    """

    def __init__(self, label: str, total: float, stream: TextIO | None = None) -> None:
        self._label, self._total = label, max(total, 1e-12)
        self._stream = stream or sys.stderr
        self._enabled = self._stream.isatty()
        self._start = time.monotonic()
        self._drawn_at = self._start + _PATIENCE_S - _REFRESH_S
        self._drawn = False

    def update(self, done: float) -> None:
        """Say that ``done`` of the total is finished."""
        if not self._enabled:
            return
        now = time.monotonic()
        if now - self._drawn_at >= _REFRESH_S:
            self._drawn_at, self._drawn = now, True
            self._stream.write("\r" + self._line(done, now - self._start) + "\x1b[K")
            self._stream.flush()

    def _line(self, done: float, elapsed_s: float) -> str:
        share = min(max(done / self._total, 0.0), 1.0)
        bar = "#" * round(share * _WIDTH)
        left = f"  {elapsed_s * (1.0 - share) / share:.0f} s left" if share > 0.0 else ""
        return f"{self._label} [{bar:.<{_WIDTH}}] {100.0 * share:3.0f} %{left}"

    def close(self) -> None:
        """Wipe the line."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
