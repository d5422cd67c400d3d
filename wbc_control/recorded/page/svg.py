"""Plots as inline SVG: lines over time, or over each other, with ticks a person can read."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#7f7f7f")
"""Told apart by most eyes (Okabe & Ito, Color Universal Design)."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 10.0, 8.0, 22.0
_BUCKETS = 600


@dataclass(frozen=True)
class Line:
    """One line of a plot.

    Attributes:
        label: What the legend calls it; empty leaves it out.
        x: (T,) numbers.
        y: (T,) numbers; the line breaks where one is not finite.
        colour: Any CSS colour.
        dashed: Whether it is dashed: planned, or a limit.
    """

    label: str
    x: Array
    y: Array
    colour: str = COLOURS[0]
    dashed: bool = False


@dataclass
class Plot:
    """One pair of axes.

    Attributes:
        label: What the vertical axis shows, with its unit.
        lines: What is drawn.
        marks: (x, text) vertical marks.
        width, height: Size in CSS pixels.
        equal: Whether both axes have the same scale: a view from above.
        x_label: What the horizontal axis shows.
        x_range: Range of the horizontal axis; that of the lines without one.
        y_range: Range that the vertical axis holds at least.
    """

    label: str
    lines: Sequence[Line]
    marks: Sequence[tuple[float, str]] = ()
    width: float = 940.0
    height: float = 190.0
    equal: bool = False
    x_label: str = ""
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    _box: tuple[float, float, float, float] = field(default=(0.0, 1.0, 0.0, 1.0), init=False)

    def svg(self) -> str:
        """The plot with its legend, as HTML."""
        self._box = self._ranges()
        inside = [*self._grid(), *self._marks(), *(self._line(line) for line in self.lines)]
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        where = "" if self.equal else f' data-x="{self._box[0]:.6g},{self._box[1]:.6g},{_LEFT:g},{self._right:g}"'
        picture = f'<svg {size}{where} role="img" aria-label="{html.escape(self.label)}">{"".join(inside)}</svg>'
        return f"<figure>{self._legend()}{picture}</figure>"

    @property
    def _right(self) -> float:
        return self.width - _RIGHT

    def _ranges(self) -> tuple[float, float, float, float]:
        x_low, x_high = self.x_range or _extent([line.x for line in self.lines], None)
        y_low, y_high = _extent([line.y for line in self.lines], self.y_range)
        pad = 0.05 * (y_high - y_low)
        y_low, y_high = y_low - pad, y_high + pad
        if self.equal:
            scale = max((x_high - x_low) / (self._right - _LEFT), (y_high - y_low) / (self.height - _TOP - _BOTTOM))
            x_low, x_high = _about(x_low, x_high, scale * (self._right - _LEFT))
            y_low, y_high = _about(y_low, y_high, scale * (self.height - _TOP - _BOTTOM))
        return x_low, x_high, y_low, y_high

    def _at_x(self, x: Array | float) -> Array | float:
        low, high = self._box[:2]
        return _LEFT + (x - low) / (high - low) * (self._right - _LEFT)

    def _at_y(self, y: Array | float) -> Array | float:
        low, high = self._box[2:]
        return self.height - _BOTTOM - (y - low) / (high - low) * (self.height - _TOP - _BOTTOM)

    def _grid(self) -> list[str]:
        found, bottom = [], self.height - _BOTTOM
        for tick in ticks(*self._box[2:], max(2, round(self.height / 45.0))):
            y = self._at_y(tick)
            found.append(f'<path class="grid" d="M{_LEFT:g} {y:.1f}H{self._right:g}"/>')
            found.append(f'<text x="{_LEFT - 5:g}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>')
        for tick in ticks(*self._box[:2], max(2, round(self.width / 110.0))):
            x = self._at_x(tick)
            found.append(f'<path class="grid" d="M{x:.1f} {_TOP:g}V{bottom:g}"/>')
            found.append(f'<text x="{x:.1f}" y="{self.height - 7:g}" text-anchor="middle">{_number(tick)}</text>')
        if self.x_label:
            found.append(f'<text x="{self._right:g}" y="{bottom - 4:g}" text-anchor="end">{self.x_label}</text>')
        return found

    def _marks(self) -> list[str]:
        found = []
        for x, text in self.marks:
            if self._box[0] <= x <= self._box[1]:
                title = f"<title>{html.escape(text)}</title>"
                found.append(
                    f'<path class="mark" d="M{self._at_x(x):.1f} {_TOP:g}V{self.height - _BOTTOM:g}">{title}</path>'
                )
        return found

    def _line(self, line: Line) -> str:
        x, y = (line.x, line.y) if self.equal else thinned(line.x, line.y)
        style = ' stroke-dasharray="5 3"' if line.dashed else ""
        title = f"<title>{html.escape(line.label)}</title>" if line.label else ""
        path = _path(np.asarray(self._at_x(x)), np.asarray(self._at_y(y)))
        return f'<path class="line" stroke="{line.colour}"{style} d="{path}">{title}</path>'

    def _legend(self) -> str:
        entries = {line.label: line for line in self.lines if line.label}
        shown = "".join(
            f'<span><i style="border-top:2px {"dashed" if line.dashed else "solid"} {line.colour}"></i>'
            f"{html.escape(label)}</span>"
            for label, line in entries.items()
        )
        return f"<figcaption><b>{html.escape(self.label)}</b>{shown}</figcaption>"


def thinned(x: Array, y: Array) -> tuple[Array, Array]:
    """At most two points a bucket of the line: its least and its greatest, so that no peak is lost."""
    if len(x) <= 2 * _BUCKETS:
        return x, y
    edges = np.linspace(0, len(x), _BUCKETS + 1).astype(int)
    keep = []
    for first, last in pairwise(edges):
        part = y[first:last]
        finite = np.isfinite(part)
        if not finite.all():
            keep.append(first + int(np.argmin(finite)))
        if finite.any():
            keep += [first + int(np.nanargmin(part)), first + int(np.nanargmax(part))]
    chosen = np.unique(keep)
    return x[chosen], y[chosen]


def ticks(low: float, high: float, count: int) -> list[float]:
    """About ``count`` round numbers (1, 2 or 5 times a power of ten) between two bounds."""
    raw = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= raw * (1.0 - 1e-9))
    return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _extent(arrays: Sequence[Array], least: tuple[float, float] | None) -> tuple[float, float]:
    finite = np.concatenate([a[np.isfinite(a)] for a in arrays] or [np.zeros(0)])
    ends = [*(least or ()), *((float(finite.min()), float(finite.max())) if len(finite) else ())]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = max(1e-9, 1e-6 * max(abs(low), abs(high)))
    return (
        (low, high) if high - low > room else (low - 0.5 * max(room * 10.0, 1e-3), high + 0.5 * max(room * 10.0, 1e-3))
    )


def _about(low: float, high: float, width: float) -> tuple[float, float]:
    middle = 0.5 * (low + high)
    return middle - 0.5 * width, middle + 0.5 * width


def _number(value: float) -> str:
    return f"{value:.6g}" if abs(value) > 1e-12 else "0"


def _path(x: Array, y: Array) -> str:
    """Moves and lines; a gap where a number is not finite."""
    words, pen_down = [], False
    for px, py in zip(x.tolist(), y.tolist()):
        if math.isfinite(px) and math.isfinite(py):
            words.append(f"{'L' if pen_down else 'M'}{px:.1f} {py:.1f}")
            pen_down = True
        else:
            pen_down = False
    return "".join(words)
