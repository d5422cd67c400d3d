"""Balance: centre of mass and ZMP over time and from above, margins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbc_control.recorded.page.run import Run, missing
from wbc_control.recorded.page.svg import COLOURS, Line, Plot, thinned
from wbc_control.recorded.recording import Series
from wbc_control.spatial import quaternion_to_matrix

Array = NDArray[np.float64]

_LIGHT = "#9aa4ae"


def balance_section(run: Run) -> list[str]:
    """Centre of mass and ZMP, then margins."""
    parts = [*_over_time(run), *_from_above(run), *_margins(run)]
    return parts or [missing("centroidal/com", "planner/reference", "wbc/margins")]


def _points(run: Run) -> list[tuple[str, Array, Array, str, bool]]:
    """Label, time, (T, 3) points in the estimator's world, colour, dashed."""
    recording, found = run.recording, []
    for label, series, colour in (
        ("CoM estimated", recording.find("centroidal/com"), COLOURS[0]),
        ("ZMP of the command", recording.find("centroidal/zmp"), COLOURS[1]),
    ):
        if series is not None:
            found.append((label, run.time(series), series.fields["point"], colour, False))
    for label, series, colour in (
        ("CoM true", recording.truth("com"), COLOURS[5]),
        ("ZMP true", recording.truth("zmp"), COLOURS[4]),
    ):
        if series is not None:
            found.append((label, run.time(series), run.in_odometry(series.fields["point"]), colour, False))
    plan = recording.find("planner/reference")
    for label, name, colour in (("CoM planned", "com", COLOURS[2]), ("ZMP planned", "zmp", COLOURS[3])):
        column = None if plan is None else plan.column(name)
        if plan is not None and column is not None:
            found.append((label, run.time(plan), column, colour, True))
    return found


def _over_time(run: Run) -> list[str]:
    points = _points(run)
    return [
        run.plot(f"{'xy'[axis]}, m", [Line(label, t, p[:, axis], c, d) for label, t, p, c, d in points])
        for axis in (0, 1)
        if points
    ]


def _from_above(run: Run) -> list[str]:
    """Ways of centre of mass and ZMP over the feet's places while they carry."""
    plan, points = run.recording.find("planner/reference"), _points(run)
    if plan is None or not points:
        return []
    lines = [Line("foot carrying", *outline, _LIGHT) for foot in run.feet for outline in _stances(run, plan, foot)]
    for label, _, point, colour, dashed in points:
        thin = thinned(np.arange(len(point), dtype=float), point[:, 0])[0].astype(int)
        lines.append(Line(label, point[thin, 0], point[thin, 1], colour, dashed))
    return [Plot("from above: y, m over x, m", lines, equal=True, height=330.0, x_label="x, m").svg()]


def _stances(run: Run, plan: Series, foot: str) -> list[tuple[Array, Array]]:
    """Outlines of the sole, or a cross without one, where the foot was planned to carry: one a stance."""
    place, force = plan.column(foot), plan.column(foot, "force")
    if place is None or force is None:
        return []
    carries = force[:, 2] > 0.0
    starts = np.flatnonzero(carries & ~np.concatenate([[False], carries[:-1]]))
    turn = plan.column(foot, "orientation")
    assert turn is not None
    return [_outline(run, foot, place[k], turn[k]) for k in starts]


def _outline(run: Run, foot: str, place: Array, xyzw: Array) -> tuple[Array, Array]:
    corners = np.array(run.about.get("sole_corners", {}).get(foot, []), dtype=float).reshape(-1, 3)
    if len(corners) < 3:
        size = 0.01
        corners = np.array([[-size, 0, 0], [size, 0, 0], [np.nan] * 3, [0, -size, 0], [0, size, 0]])
    else:
        corners = np.vstack([corners, corners[:1]])
    world = corners @ quaternion_to_matrix(xyzw).T + place
    return world[:, 0], world[:, 1]


def _margins(run: Run) -> list[str]:
    lines: list[Line] = []
    distances: list[Line] = []
    for series, word in ((run.recording.truth("margins"), "true "), (run.recording.find("wbc/margins"), "")):
        for name in series.names if series is not None else ():
            column = series.column(name) if series is not None else None
            if series is None or column is None:
                continue
            target = distances if name.endswith("_m") else lines
            target.append(Line(f"{word}{name}", run.time(series), column, COLOURS[len(target) % len(COLOURS)]))
    parts = [run.plot("margins and shares of limits, 1", lines, y_range=(0.0, 1.0))] if lines else []
    return parts + ([run.plot("distance to the border of support, m", distances)] if distances else [])
