"""Reads a recording back, also one that was never finished: MCAP files of ours (JSON) and of `ros2 bag` (CDR)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wbc_control.errors import BackendError
from wbc_control.recorded.cdr import decoder_of
from wbc_control.recorded.columns import READERS, Columns
from wbc_control.recorded.names import FORMAT
from wbc_control.recorded.recording import Recording, namespaces
from wbc_control.recorded.texts import TEXTS

Decoder = Callable[[bytes], dict[str, Any] | None]
_REPORT_EVERY = 500


def read_recording(
    path: str | Path,
    wanted: Callable[[str], bool] = lambda topic: True,
    namespace: str | None = None,
    on_share: Callable[[float], None] = lambda share: None,
) -> Recording:
    """All messages of the wanted topics whose types we know.

    Args:
        path: MCAP file.
        wanted: Whether a topic (without a leading slash) is to be read.
        namespace: Whose topics count; None where the file holds those of one robot.
        on_share: Called now and then with the share of the file that has been read.

    Raises:
        BackendError: Unreadable, no MCAP, without a message we know, or of several robots.
    """
    path = Path(path)
    collector = _Collector(Recording(path), wanted)
    try:
        with path.open("rb") as stream:
            _read(stream, collector, on_share)
    except OSError as error:
        raise BackendError(f"cannot be read: {error.strerror}", where=str(path)) from error
    return _of_one_robot(collector.finish(), namespace)


def _of_one_robot(recording: Recording, namespace: str | None) -> Recording:
    if not recording.series:
        raise BackendError("holds no message of a robot that can be read", where=str(recording.path))
    found = namespaces(list(recording.series))
    if namespace is not None:
        prefix = f"{namespace.strip('/')}/".lstrip("/")
        if prefix not in found:
            message = f"has no joint states below namespace '{namespace}', but below {_listed(found)}"
            raise BackendError(message, where=str(recording.path), value=namespace, bound=found)
        recording.namespace = prefix
    elif len(found) > 1:
        message = f"holds several robots, below {_listed(found)}; choose one with --namespace"
        raise BackendError(message, where=str(recording.path), value=found)
    elif found:
        recording.namespace = found[0]
    return recording


def _listed(found: list[str]) -> str:
    return ", ".join(f"'/{prefix.rstrip('/')}'" for prefix in found) or "none"


def _read(stream: Any, collector: _Collector, on_share: Callable[[float], None]) -> None:
    try:
        from mcap.exceptions import InvalidMagic
        from mcap.stream_reader import StreamReader
    except ModuleNotFoundError as error:
        hint = "recordings need the package mcap: pip install 'wbc_control[sim]'"
        raise BackendError(hint, where=str(collector.path)) from error
    size = max(collector.path.stat().st_size, 1)
    try:
        for count, record in enumerate(StreamReader(stream).records):
            collector.take(record)
            if count % _REPORT_EVERY == 0:
                on_share(stream.tell() / size)
    except InvalidMagic as error:
        collector.break_off(error, "is no MCAP file")
    except Exception as error:  # a file cut in the middle of a record fails in many ways
        collector.break_off(error, f"cannot be read: {error or type(error).__name__}")


class _Collector:
    """Sorts the records of a file."""

    def __init__(self, recording: Recording, wanted: Callable[[str], bool]) -> None:
        self._recording, self._wanted = recording, wanted
        self.path = recording.path
        self._schemas: dict[int, Any] = {}
        self._decoders: dict[int, tuple[str, str, Decoder]] = {}
        self._columns: dict[str, Columns] = {}

    def take(self, record: Any) -> None:
        """One record of any kind."""
        kind = type(record).__name__
        if kind == "Message":
            self._take_message(record)
        elif kind == "Schema":
            self._schemas[record.id] = record
        elif kind == "Channel":
            self._take_channel(record)
        elif kind == "Metadata" and record.name == FORMAT:
            self._recording.about = {name: json.loads(text) for name, text in record.metadata.items()}

    def _take_channel(self, channel: Any) -> None:
        """Note how to decode the channel; a channel is repeated at the end of the file."""
        topic, schema = channel.topic.lstrip("/"), self._schemas.get(channel.schema_id)
        if channel.id in self._decoders or schema is None or not self._wanted(topic):
            return
        decode: Decoder | None = None
        if schema.name in READERS or schema.name in TEXTS:
            if channel.message_encoding == "json":
                decode = json.loads
            elif channel.message_encoding == "cdr" and schema.encoding == "ros2msg":
                decode = decoder_of(schema.name, schema.data.decode("utf-8", "replace"))
        if decode is not None:
            self._decoders[channel.id] = (topic, schema.name, decode)

    def _take_message(self, record: Any) -> None:
        known = self._decoders.get(record.channel_id)
        message = known[2](record.data) if known else None
        if known is None or message is None:
            return
        topic, kind, _ = known
        if kind in READERS:
            if topic not in self._columns:
                self._columns[topic] = Columns(kind)
            self._columns[topic].add(record.log_time, message)
        else:
            rows = [(1e-9 * record.log_time, text) for text in TEXTS[kind](message)]
            self._recording.texts.setdefault(topic, []).extend(rows)

    def break_off(self, error: Exception, sentence: str) -> None:
        """The file ends here: a recording cut short where it had a message, else no recording at all."""
        if not self._columns:
            raise BackendError(sentence, where=str(self.path)) from error
        self._recording.truncated = True

    def finish(self) -> Recording:
        """The recording, its numbers as arrays."""
        found = {topic: columns.series() for topic, columns in self._columns.items()}
        self._recording.series = {topic: series for topic, series in found.items() if series is not None}
        return self._recording
