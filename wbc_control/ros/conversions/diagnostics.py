"""Health of a node → diagnostic_msgs/DiagnosticArray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue

from wbc_control.ros.conversions.stamps import set_stamp

OK, WARN, ERROR, STALE = 0, 1, 2, 3
"""Levels of a diagnostic status."""


def encode_diagnostics(
    time_ns: int, name: str, level: int, message: str, values: Mapping[str, object], hardware_id: str = ""
) -> DiagnosticArray:
    """One status, with numbers written so that a person can read them."""
    array = DiagnosticArray()
    set_stamp(array.header.stamp, time_ns)
    pairs = [KeyValue(key=key, value=_text(value)) for key, value in values.items()]
    level_byte = bytes((level,))
    array.status = [
        DiagnosticStatus(level=level_byte, name=name, message=message, hardware_id=hardware_id, values=pairs)
    ]
    return array


def decode_diagnostics(array: Any) -> list[tuple[str, int, str, dict[str, str]]]:
    """Name, level, sentence and values of each status."""
    return [(s.name, s.level[0], s.message, {pair.key: pair.value for pair in s.values}) for s in array.status]


def node_in(name: str, namespace: str) -> str | None:
    """Node of a status called ``<full node name>: ...``, without its namespace; None when it lives in another one.

    ``/diagnostics`` is shared by all robots of a graph, so that a reader has to say whose health it wants.
    """
    space, _, node = name.split(":")[0].strip("/").rpartition("/")
    return node if space == namespace.strip("/") else None


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
