"""Decodes ROS messages from their wire bytes without ROS: plain CDR of version 1 or 2 (OMG DDS-XTypes 1.3, section 7.4)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from wbc_control.recorded.message_definition import PRIMITIVES, Definitions, Field, parse_definitions, short_name

_ENCAPSULATION = 4
_ALIGNMENT = {0: 8, 1: 8, 6: 4, 7: 4}
"""Second byte of the encapsulation → largest alignment; odd ones are little endian."""


def decoder_of(kind: str, definition: str) -> Callable[[bytes], dict[str, Any] | None] | None:
    """Decoder of a message type; None where its definition cannot be read.

    The decoder returns a message as nested dicts, sequences of numbers as lists; None for damaged bytes.
    """
    try:
        definitions = parse_definitions(kind, definition)
    except ValueError:
        return None
    root = short_name(kind)

    def decode(wire: bytes) -> dict[str, Any] | None:
        try:
            return _Cursor(wire, definitions).message(root)
        except (struct.error, IndexError, KeyError, ValueError):
            return None

    return decode


class _Cursor:
    """Walks along the bytes of one message; alignment counts from the end of the encapsulation."""

    def __init__(self, wire: bytes, definitions: Definitions) -> None:
        self._largest = _ALIGNMENT[wire[1]]
        self._order = "<" if wire[1] & 1 else ">"
        self._data, self._at, self._definitions = memoryview(wire)[_ENCAPSULATION:], 0, definitions

    def message(self, kind: str) -> dict[str, Any]:
        """The message of a type, here."""
        return {field.name: self._field(field) for field in self._definitions[kind]}

    def _field(self, field: Field) -> Any:
        if field.count is None:
            return self._one(field.type)
        count = field.count if field.count >= 0 else self._number("I")
        letter = PRIMITIVES.get(field.type)
        if letter is not None:
            return self._numbers(letter, count)
        return [self._one(field.type) for _ in range(count)]

    def _one(self, kind: str) -> Any:
        letter = PRIMITIVES.get(kind)
        if letter is not None:
            return self._number(letter)
        return self._string() if kind == "string" else self.message(kind)

    def _align(self, size: int) -> None:
        step = min(size, self._largest)
        self._at = -(-self._at // step) * step

    def _number(self, letter: str) -> Any:
        size = struct.calcsize(letter)
        self._align(size)
        (value,) = struct.unpack_from(self._order + letter, self._data, self._at)
        self._at += size
        return value

    def _numbers(self, letter: str, count: int) -> list[Any]:
        if count == 0:
            return []
        kind = np.dtype(self._order + letter)
        self._align(kind.itemsize)
        start, self._at = self._at, self._at + count * kind.itemsize
        values: list[Any] = np.frombuffer(self._data, kind, count, start).tolist()
        return values

    def _string(self) -> str:
        length = self._number("I")
        start, self._at = self._at, self._at + length
        if self._at > len(self._data):
            raise IndexError("string ends behind the message")
        return bytes(self._data[start : self._at]).rstrip(b"\x00").decode("utf-8", "replace")
