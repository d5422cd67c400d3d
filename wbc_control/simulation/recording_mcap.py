"""Writes channels into an MCAP file that stays readable however the run ends."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from wbc_control.errors import BackendError
from wbc_control.recorded.names import DESCRIPTION, EVENT, EVENTS, FORMAT, STRING
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.recording_channels import Channel
from wbc_control.simulation.recording_json import JsonTemplate, json_schema
from wbc_control.simulation.recording_messages import stamp_values

_JSON, _JSON_SCHEMA = "json", "jsonschema"
_INFO = 2


class McapSink:
    """An MCAP file, compressed in chunks.

    Args:
        path: File to write.
        channels: What it holds.
        about: Facts of the run, kept as metadata ahead of the first message.
        urdf: Robot description, written once on ``robot_description``.

    Raises:
        BackendError: The file cannot be written, or the package ``mcap`` is missing.
    """

    def __init__(self, path: Path, channels: Sequence[Channel], about: Mapping[str, str], urdf: str) -> None:
        self._path, self._interrupts = path, _Interrupts()
        self._stream, self._writer = _open(path)
        self._writer.start(profile="", library=FORMAT)
        self._writer.add_metadata(FORMAT, dict(about))
        self._channels = [(channel, JsonTemplate(channel.skeleton), self._register(channel)) for channel in channels]
        self._event_id, self._event = self._register_event()
        self._write_description(urdf)

    def _register(self, channel: Channel) -> int:
        schema = json_schema(channel.type, channel.skeleton)
        return self._add_channel(channel.topic, channel.type, schema)

    def _add_channel(self, topic: str, kind: str, schema: bytes) -> int:
        schema_id = self._writer.register_schema(kind, _JSON_SCHEMA, schema)
        return int(self._writer.register_channel(topic, _JSON, schema_id))

    def _register_event(self) -> tuple[int, dict[str, Any]]:
        """Events look like log lines, which viewers list."""
        texts = {"message": "", "name": FORMAT, "file": ""}
        stamp = {"sec": "\x00", "nsec": "\x00"}
        skeleton = {"timestamp": stamp, "level": "\x00", **texts, "line": "\x00"}
        return self._add_channel(EVENTS, EVENT, json_schema(EVENT, skeleton)), skeleton

    def _write_description(self, urdf: str) -> None:
        skeleton = {"data": urdf}
        channel = self._add_channel(DESCRIPTION, STRING, json_schema(STRING, {"data": ""}))
        self._add(channel, 0, JsonTemplate(skeleton).encode(()))

    def write(self, period: Period) -> None:
        """All channels of a period.

        Raises:
            BackendError: The disk is full, or the file is gone.
        """
        with self._interrupts.held():
            for channel, template, channel_id in self._channels:
                values = channel.values(period)
                if values is not None:
                    self._add(channel_id, period.time_ns, template.encode(values))

    def write_event(self, time_ns: int, text: str) -> None:
        """Something that happened."""
        with self._interrupts.held():
            template = JsonTemplate({**self._event, "message": text})
            self._add(self._event_id, time_ns, template.encode((*stamp_values(time_ns), _INFO, 0)))

    def _add(self, channel_id: int, time_ns: int, data: bytes) -> None:
        try:
            self._writer.add_message(channel_id, log_time=time_ns, data=data, publish_time=time_ns)
        except OSError as error:
            raise BackendError(f"cannot be written: {error.strerror}", where=str(self._path)) from error

    def close(self) -> None:
        """Write the index; a file without one is still readable, but slower."""
        try:
            with self._interrupts.held(), self._stream:
                self._writer.finish()
        except OSError as error:
            raise BackendError(f"cannot be written: {error.strerror}", where=str(self._path)) from error
        finally:
            self._interrupts.restore()


def _open(path: Path) -> tuple[Any, Any]:
    try:
        from mcap.writer import Writer
    except ModuleNotFoundError as error:
        hint = "recordings need the package mcap: pip install 'wbc_control[sim]'; a .csv file needs nothing"
        raise BackendError(hint, where=str(path)) from error
    try:
        stream = path.open("wb")
    except OSError as error:
        raise BackendError(f"cannot be written: {error.strerror}", where=str(path)) from error
    return stream, Writer(stream)


class _Interrupts:
    """Holds Ctrl-C back while a record is half written; it is raised as soon as the record is whole."""

    def __init__(self) -> None:
        self._holding = self._pending = False
        self._previous: Any = None
        if threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGINT, self._heard)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self._holding:
            self._pending = True
        elif callable(self._previous):
            self._previous(number, frame)
        else:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Nothing interrupts the body."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._pending:
            self._pending = False
            raise KeyboardInterrupt

    def restore(self) -> None:
        """Give the signal back to who had it."""
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
            self._previous = None
