"""Messages as JSON text, fast: the text of a message is made once, with holes for its numbers.

A skeleton is a message as nested dicts and lists in which :data:`NUMBER` stands for every number that changes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

NUMBER = "\x00"
"""Stands for a number in a skeleton."""
_DIGITS = "%.9g"


class JsonTemplate:
    """Writes messages of one skeleton.

    Args:
        skeleton: The message; its numbers are filled in from left to right.

    Attributes:
        size: Number of numbers in a message.
    """

    def __init__(self, skeleton: dict[str, Any]) -> None:
        text, hole = json.dumps(skeleton, separators=(",", ":")), json.dumps(NUMBER)
        self.size = text.count(hole)
        text = text.replace("%", "%%")
        self._finite, self._any = text.replace(hole, _DIGITS), text.replace(hole, "%s")

    def encode(self, values: Sequence[float]) -> bytes:
        """UTF-8 JSON of a message, nine digits a number; what is not finite becomes ``null``, as JSON has no NaN.

        Args:
            values: As many numbers as the skeleton has holes.
        """
        if math.isfinite(sum(values)):
            return (self._finite % tuple(values)).encode()
        return (self._any % tuple(_DIGITS % x if math.isfinite(x) else "null" for x in values)).encode()


def json_schema(title: str, skeleton: dict[str, Any]) -> bytes:
    """JSON Schema of a skeleton's messages, in the subset that MCAP viewers read."""
    return json.dumps({"title": title, **_schema(skeleton)}).encode()


def _schema(part: Any) -> dict[str, Any]:
    if isinstance(part, dict):
        return {"type": "object", "properties": {key: _schema(value) for key, value in part.items()}}
    if isinstance(part, list):
        return {"type": "array", "items": _schema(part[0] if part else NUMBER)}
    return {"type": "number" if part == NUMBER else "string"}
