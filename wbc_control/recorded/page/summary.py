"""The table on top of the page: what a person asks first."""

from __future__ import annotations

import html

import numpy as np

from wbc_control.recorded.names import EVENTS
from wbc_control.recorded.page.estimate import base_errors
from wbc_control.recorded.page.joints import JointUse, joint_uses
from wbc_control.recorded.page.run import Run, tilt
from wbc_control.recorded.recording import Series

Rows = list[tuple[str, str]]


def summary_rows(run: Run) -> Rows:
    """Name → value, as HTML; what was not recorded is left out."""
    rows = [("file", html.escape(run.recording.path.name)), ("duration", f"{run.end_s:.3f} s")]
    rows.append(("robot", f"{len(run.joints)} joints, {len(run.feet)} feet{_mass(run)}"))
    return rows + _verdict(run) + _motion(run) + _limits(run) + _ticks(run) + _estimate(run)


def _mass(run: Run) -> str:
    return f", {run.about['mass_kg']:.2f} kg" if "mass_kg" in run.about else ""


def _verdict(run: Run) -> Rows:
    """A fall is an event; only a simulator can tell."""
    events = run.recording.text(EVENTS)
    falls = [f"{t - run.start_s:.2f} s: {text}" for t, text in events if text.startswith("fall")]
    if falls:
        return [("verdict", f'<span class="bad">fell at {html.escape(falls[0])}</span>')]
    return [("verdict", "did not fall")] if run.about else []


def _motion(run: Run) -> Rows:
    base = run.recording.truth("odom") or run.recording.find("odom")
    if base is None:
        return []
    way = np.diff(base.fields["position"][:, :2], axis=0)
    lean = np.degrees(np.nanmax(tilt(base.fields["orientation"])))
    ahead = float(np.linalg.norm(base.fields["position"][-1, :2] - base.fields["position"][0, :2]))
    height = base.fields["position"][:, 2]
    return [
        ("base", f"height {np.nanmin(height):.3f} to {np.nanmax(height):.3f} m, tilt at most {lean:.2f}°"),
        ("way", f"{ahead:.2f} m from start to end, {np.nansum(np.linalg.norm(way, axis=1)):.2f} m along the path"),
    ]


def _limits(run: Run) -> Rows:
    rows: Rows = []
    uses = joint_uses(run)
    for label, key in (("torque", "effort_use"), ("joint speed", "velocity_use")):
        known = [use for use in uses if np.isfinite(getattr(use, key))]
        if known:
            worst: JointUse = max(known, key=lambda use, key=key: getattr(use, key))  # type: ignore[misc]
            share = f"{100.0 * getattr(worst, key):.0f} % of its limit at most, {html.escape(worst.name)}"
            rows.append((label, share))
    return rows + _margins(run)


def _margins(run: Run) -> Rows:
    rows: Rows = []
    for label, series in (("true", run.recording.truth("margins")), ("", run.recording.find("wbc/margins"))):
        column = None if series is None or "zmp_margin" not in series.names else series.column("zmp_margin")
        if column is not None and np.isfinite(column).any() and not rows:
            words = f"zmp_margin {np.nanmin(column):.3f} least, {np.nanmean(column):.3f} mean"
            rows.append(("balance", f"{words} {label}".strip()))
    series = run.recording.find("wbc/margins")
    column = None if series is None or "friction_use" not in series.names else series.column("friction_use")
    if column is not None and np.isfinite(column).any():
        rows.append(("friction", f"{100.0 * np.nanmax(column):.0f} % of the cone at most"))
    return rows


def _ticks(run: Run) -> Rows:
    series = run.recording.find("wbc/solver")
    if series is None:
        return []
    rows: Rows = []
    tick = _finite(series, "tick_us")
    if len(tick):
        p50, p99, worst = np.percentile(tick, [50.0, 99.0, 100.0])
        rows.append(("tick", f"{p50:.0f} µs median, {p99:.0f} µs p99, {worst:.0f} µs worst"))
    solved = _finite(series, "solved")
    if len(solved):
        rows.append(("solver", f"{int(np.sum(solved < 0.5))} of {len(solved)} ticks not solved"))
    return rows


def _finite(series: Series, name: str) -> np.ndarray:
    column = series.column(name) if name in series.names else None
    return np.zeros(0) if column is None else column[np.isfinite(column)]


def _estimate(run: Run) -> Rows:
    errors = base_errors(run)
    if errors is None:
        return []
    drift = np.linalg.norm(errors.position, axis=1)
    drift = drift[np.isfinite(drift)]
    if not len(drift):
        return []
    velocity = float(np.sqrt(np.nanmean(np.sum(errors.velocity**2, axis=1))))
    lean = float(np.degrees(np.sqrt(np.nanmean(errors.tilt**2))))
    words = f"{1e3 * drift[-1]:.1f} mm off at the end, velocity {velocity:.4f} m/s rms, tilt {lean:.3f}° rms"
    return [("estimate", words)]
