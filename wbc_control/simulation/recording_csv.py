"""Writes a run as one table: a row a period, a named column a number."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wbc_control.errors import BackendError
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.recording_channels import Channel
from wbc_control.simulation.recording_json import NUMBER

TIME = "time"


class CsvSink:
    """A CSV file with the columns ``time`` (s) and ``<topic>/<field>``, joints and feet by name.

    Args:
        path: File to write.
        channels: What it holds; a number that a channel does not give in a period is left empty.

    Raises:
        BackendError: The file cannot be written.
    """

    def __init__(self, path: Path, channels: Sequence[Channel]) -> None:
        self._path, self._channels = path, tuple(channels)
        self._columns = [list(column_names(channel)) for channel in channels]
        try:
            self._stream = path.open("w", newline="", encoding="utf-8")
        except OSError as error:
            raise BackendError(f"cannot be written: {error.strerror}", where=str(path)) from error
        self._writer = csv.writer(self._stream)
        self._writer.writerow([TIME, *(name for names in self._columns for name in names)])

    def write(self, period: Period) -> None:
        """One row."""
        row: list[Any] = [f"{1e-9 * period.time_ns:.9g}"]
        for channel, names in zip(self._channels, self._columns):
            values = channel.values(period)
            row += [""] * len(names) if values is None else [f"{x:.9g}" for x in values[len(values) - len(names) :]]
        try:
            self._writer.writerow(row)
        except OSError as error:
            raise BackendError(f"cannot be written: {error.strerror}", where=str(self._path)) from error

    def write_event(self, time_ns: int, text: str) -> None:
        """A table has no place for events."""

    def close(self) -> None:
        """Finish the file."""
        self._stream.close()


def column_names(channel: Channel) -> Iterator[str]:
    """Names of a channel's numbers but its stamp, in the order of its values."""
    return _holes({key: part for key, part in channel.skeleton.items() if key != "header"}, channel.topic, ())


def _holes(part: Any, path: str, names: Sequence[str]) -> Iterator[str]:
    """Addresses of the numbers in a skeleton; elements of a list that runs along names are called by name."""
    if part == NUMBER:
        yield path
    elif isinstance(part, dict):
        names = part.get("name") or part.get("joint_names") or names
        for key, item in part.items():
            if key not in ("name", "joint_names"):
                yield from _holes(item, f"{path}/{key}", names)
    elif isinstance(part, list):
        labels = names if len(names) == len(part) else [str(i) for i in range(len(part))]
        for label, item in zip(labels, part):
            yield from _holes(item, f"{path}/{label}", ())
