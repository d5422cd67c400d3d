"""A recording as the page sees it: time from its start, limits by joint, marks of events."""

from __future__ import annotations

import html
import xml.etree.ElementTree as ElementTree
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.recorded.names import DESCRIPTION, EVENTS
from wbc_control.recorded.page.svg import Line, Plot
from wbc_control.recorded.recording import Recording, Series
from wbc_control.spatial import quaternion_to_matrix, yaw_matrix, yaw_of

Array = NDArray[np.float64]


class Run:
    """One recording.

    Attributes:
        recording: The file.
        start_s: Stamp that counts as zero.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording, self.start_s = recording, recording.start_s

    @property
    def about(self) -> dict[str, Any]:
        """Facts of the run, empty for files of others."""
        return self.recording.about

    @property
    def title(self) -> str:
        """Robot and scenario, or the name of the file."""
        named = [str(self.about[key]) for key in ("robot", "scenario") if key in self.about]
        return ", ".join(named) or self.recording.path.name

    @cached_property
    def end_s(self) -> float:
        """Duration, s."""
        return max(float(s.time_s[-1]) for s in self.recording.series.values()) - self.start_s

    @cached_property
    def marks(self) -> list[tuple[float, str]]:
        """Events as marks in time."""
        return [(time_s - self.start_s, text) for time_s, text in self.recording.text(EVENTS)]

    def time(self, series: Series) -> Array:
        """(T,) s from the start."""
        return series.time_s - self.start_s

    def plot(self, label: str, lines: list[Line], **more: Any) -> str:
        """Lines over time, from start to end, with the events."""
        return Plot(label, lines, self.marks, x_label="time, s", x_range=(0.0, max(self.end_s, 1e-3)), **more).svg()

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Names of the robot's joints: those of the command, else of the facts, else of the sensors."""
        for topic in ("joint_command", "joint_states"):
            series = self.recording.find(topic)
            if series is not None:
                return series.names
        return ()

    @cached_property
    def feet(self) -> tuple[str, ...]:
        """Names of the feet, from what was said of contacts, else from the wrenches."""
        for series in (self.recording.truth("contact_state"), self.recording.find("contact_state")):
            if series is not None:
                return tuple(name for name in series.names if "/" not in name and name != "estimate")
        prefix, tail = self.recording.namespace, "/wrench"
        topics = [topic.removeprefix(prefix) for topic in self.recording.series if topic.startswith(prefix)]
        return tuple(topic.removesuffix(tail) for topic in topics if topic.endswith(tail))

    @cached_property
    def limits(self) -> dict[str, dict[str, float]]:
        """``effort`` and ``velocity`` → joint → limit, of the facts or of the robot description."""
        if "effort_limit" in self.about:
            names = self.about["joints"]
            return {key: _known(names, self.about[f"{key}_limit"]) for key in ("effort", "velocity")}
        described = self.recording.text(DESCRIPTION)
        return _described_limits(described[-1][1]) if described else {"effort": {}, "velocity": {}}

    @cached_property
    def to_odometry(self) -> tuple[Array, Array] | None:
        """Rotation and offset that take the true world into the estimator's, tied together at the first estimate."""
        estimate, truth = self.recording.find("odom"), self.recording.truth("odom")
        if estimate is None or truth is None:
            return None
        first = int(np.argmin(np.abs(truth.time_s - estimate.time_s[0])))
        turns = [
            yaw_of(quaternion_to_matrix(series.fields["orientation"][k]))
            for series, k in ((estimate, 0), (truth, first))
        ]
        rotation: Array = yaw_matrix(turns[0] - turns[1])
        return rotation, estimate.fields["position"][0] - rotation @ truth.fields["position"][first]

    def in_odometry(self, points: Array) -> Array:
        """(T, 3) points of the true world in the estimator's, where both are known."""
        if self.to_odometry is None:
            return points
        rotation, offset = self.to_odometry
        moved: Array = points @ rotation.T + offset
        return moved


def tilt(orientation: Array) -> Array:
    """(T,) angle between the body's z axis and the vertical, rad, from (T, 4) quaternions x y z w."""
    x, y = orientation[:, 0], orientation[:, 1]
    angle: Array = 2.0 * np.arcsin(np.clip(np.hypot(x, y), 0.0, 1.0))
    return angle


def at_times(series: Series, values: Array, time_s: Array) -> Array:
    """(T, k) values of a series at other stamps, between its own ones linearly, NaN outside."""
    columns = values.reshape(len(values), -1).T
    return np.array([np.interp(time_s, series.time_s, c, np.nan, np.nan) for c in columns]).T


def missing(*topics: str) -> str:
    """Says what would have to be recorded."""
    listed = ", ".join(f"<code>{html.escape(topic)}</code>" for topic in topics)
    return f'<p class="none">Not in this recording: {listed}.</p>'


def _known(names: list[str], values: list[float | None]) -> dict[str, float]:
    return {name: float(value) for name, value in zip(names, values) if value is not None}


def _described_limits(urdf: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {"effort": {}, "velocity": {}}
    try:
        root = ElementTree.fromstring(urdf)
    except ElementTree.ParseError:
        return found
    for joint in root.iter("joint"):
        limit = joint.find("limit")
        for kind, rows in found.items():
            value = float(limit.get(kind, 0.0)) if limit is not None else 0.0
            if value > 0.0:
                rows[joint.get("name", "")] = value
    return found
