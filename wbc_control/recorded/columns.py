"""Messages → rows of numbers, type by type; a topic becomes arrays while it is read, so that long files fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wbc_control.recorded import names
from wbc_control.recorded.recording import Array, Series

Message = dict[str, Any]
Row = dict[str, list[Any]]
_XYZ, _XYZW = tuple("xyz"), tuple("xyzw")


class Columns:
    """Collects the messages of one topic.

    Args:
        kind: Message type, one of those in :data:`READERS`.
    """

    def __init__(self, kind: str) -> None:
        self._read = READERS[kind]
        self._names: tuple[str, ...] | None = None
        self._time_ns: list[int] = []
        self._rows: list[Row] = []
        self._parts: list[dict[str, Array]] = []

    def add(self, time_ns: int, message: Message) -> None:
        """One message; ``time_ns`` counts where it has no stamp."""
        said, row = self._read(message)
        if self._names is None:
            self._names = tuple(said)
        elif tuple(said) != self._names:
            row = _by_name(row, said, self._names)
        self._time_ns.append(stamp_ns(message) or time_ns)
        self._rows.append(row)
        if len(self._rows) == 4096:
            self._pack()

    def _pack(self) -> None:
        """Lists of numbers take ten times the room of an array."""
        if self._rows:
            self._parts.append({key: _array([row[key] for row in self._rows]) for key in self._rows[0]})
            self._rows = []

    def series(self) -> Series | None:
        """Everything collected; None without a message."""
        self._pack()
        if not self._parts:
            return None
        fields = {key: _joined([part[key] for part in self._parts]) for key in self._parts[0]}
        return Series(1e-9 * np.array(self._time_ns, dtype=float), self._names or (), fields)


def stamp_ns(message: Message) -> int:
    """Time of a message's header, ns; 0 where it has none or was not stamped."""
    stamp = message.get("header", {}).get("stamp", {})
    return int(stamp.get("sec", 0)) * 1_000_000_000 + int(stamp.get("nanosec", 0))


def _by_name(row: Row, said: Sequence[str], wanted: Sequence[str]) -> Row:
    """A row in the order of the topic's first message; what is not said is not a number."""
    place = {name: index for index, name in enumerate(said)}
    sorted_row: Row = {}
    for key, values in row.items():
        missing = [np.nan] * len(values[0]) if values and isinstance(values[0], list) else np.nan
        full = len(values) == len(said)
        sorted_row[key] = [values[place[name]] if full and name in place else missing for name in wanted]
    return sorted_row


def _array(rows: list[list[Any]]) -> Array:
    """(T, ...) array; rows of another shape than most are lost, a missing number (None) is NaN."""
    try:
        return np.array(rows, dtype=float)
    except ValueError:  # rows of several lengths
        pass
    shapes = [np.shape(row) for row in rows]
    shape = max(shapes, key=shapes.count)
    found = np.full((len(rows), *shape), np.nan)
    for target, row, own in zip(found, rows, shapes):
        if own == shape:
            target[...] = row if shape else 0.0
    return found


def _joined(parts: list[Array]) -> Array:
    wanted = max((part.shape[1:] for part in parts), key=lambda shape: int(np.prod(shape)))
    same = [part if part.shape[1:] == wanted else np.full((len(part), *wanted), np.nan) for part in parts]
    return np.concatenate(same)


def _pick(part: Message, keys: Sequence[str]) -> list[Any]:
    return [part[key] for key in keys]


def _joint_state(message: Message) -> tuple[list[str], Row]:
    said = message["name"]
    fields = {key: message.get(key) or [] for key in ("position", "velocity", "effort")}
    return said, {key: values if len(values) == len(said) else [np.nan] * len(said) for key, values in fields.items()}


def _imu(message: Message) -> tuple[list[str], Row]:
    vectors = {key: _pick(message[key], _XYZ) for key in ("angular_velocity", "linear_acceleration")}
    return [], {"orientation": _pick(message["orientation"], _XYZW), **vectors}


def _wrench(message: Message) -> tuple[list[str], Row]:
    return [], {key: _pick(message["wrench"][key], _XYZ) for key in ("force", "torque")}


def _twist(message: Message) -> tuple[list[str], Row]:
    twist = message.get("twist", message)
    return [], {key: _pick(twist[key], _XYZ) for key in ("linear", "angular")}


def _odometry(message: Message) -> tuple[list[str], Row]:
    pose, twist = message["pose"]["pose"], message["twist"]["twist"]
    place = {"position": _pick(pose["position"], _XYZ), "orientation": _pick(pose["orientation"], _XYZW)}
    return [], {**place, **{key: _pick(twist[key], _XYZ) for key in ("linear", "angular")}}


def _point(message: Message) -> tuple[list[str], Row]:
    return [], {"point": _pick(message["point"], _XYZ)}


def _numbers(message: Message) -> tuple[list[str], Row]:
    return [], {"data": list(message["data"])}


def _multi_dof(message: Message) -> tuple[list[str], Row]:
    said, poses, wrenches = message["joint_names"], message["transforms"], message["wrench"]
    place = {
        "position": [_pick(pose["translation"], _XYZ) for pose in poses],
        "orientation": [_pick(pose["rotation"], _XYZW) for pose in poses],
        "linear": [_pick(twist["linear"], _XYZ) for twist in message["twist"]],
    }
    force = [_pick(wrench["force"], _XYZ) for wrench in wrenches] or [[np.nan] * 3 for _ in said]
    return said, {**place, "force": force}


READERS: dict[str, Callable[[Message], tuple[list[str], Row]]] = {
    names.JOINT_STATE: _joint_state,
    names.IMU: _imu,
    names.WRENCH: _wrench,
    names.TWIST: _twist,
    names.TWIST_STAMPED: _twist,
    names.ODOMETRY: _odometry,
    names.POINT: _point,
    names.MULTI_DOF: _multi_dof,
    names.NUMBERS: _numbers,
}
"""Message type → reader: names of the rows, and field → numbers."""
