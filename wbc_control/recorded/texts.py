"""Messages that people read: events, diagnostics, log lines, the robot's description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wbc_control.recorded import names

Message = dict[str, Any]
_LEVELS = {0: "ok", 1: "warning", 2: "error", 3: "stale"}


def _diagnostics(message: Message) -> list[str]:
    found = []
    for status in message["status"]:
        level = _LEVELS.get(int(status["level"]), str(status["level"]))
        found.append(f"{status['name']} ({level}): {status['message']}")
    return found


TEXTS: dict[str, Callable[[Message], list[str]]] = {
    names.EVENT: lambda message: [str(message["message"])],
    "rcl_interfaces/msg/Log": lambda message: [f"{message['name']}: {message['msg']}"],
    names.STRING: lambda message: [str(message["data"])],
    names.DIAGNOSTICS: _diagnostics,
}
"""Message type → its texts."""
