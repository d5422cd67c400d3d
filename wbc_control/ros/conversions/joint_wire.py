"""Wire bytes of sensor_msgs/JointState → its parts; the names are parsed once and then recognised by their bytes."""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbc_control.ros.conversions import wire as cdr
from wbc_control.ros.conversions.buffers import Array
from wbc_control.ros.conversions.stamps import NANOSECONDS

_STAMP = struct.Struct("<iI")
_STAMP_END = cdr.ENCAPSULATION + 8


class JointParts(NamedTuple):
    """A joint state in parts.

    Attributes:
        time_ns: Stamp, ns.
        names: Its names; the same object for as long as they stay the same.
        position: (n,) as sent.
        velocity: (n,) as sent.
        effort: (n,) as sent.
    """

    time_ns: int
    names: list[str]
    position: Array
    velocity: Array
    effort: Array


class JointStateWire:
    """Reads joint states from one sender; remembers frame and names.

    Padding between strings holds whatever was in the sender's buffer, so only the bytes that mean something are compared.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._end = 0
        self._block = b""
        self._significant: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._known: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)

    def read(self, wire: bytes) -> JointParts | None:
        """The parts; None when the bytes are not as expected, or an array has not one number a name."""
        if not cdr.is_readable(wire):
            return None
        try:
            if not self._recognises(wire):
                self._learn(wire)
            return self._parts(wire)
        except (struct.error, ValueError, UnicodeDecodeError):
            return None

    def _recognises(self, wire: bytes) -> bool:
        """The same bytes as last time are the usual case and cheap to see; else those that mean something decide."""
        if not self._end or len(wire) < cdr.ENCAPSULATION + self._end:
            return False
        block = wire[_STAMP_END : cdr.ENCAPSULATION + self._end]
        if block == self._block:
            return True
        self._block = block
        found = np.frombuffer(wire, dtype=np.uint8)[self._significant]
        if (found == self._known).all():
            return True
        self._end = 0
        return False

    def _learn(self, wire: bytes) -> None:
        """Parse frame and names, and note which bytes they are."""
        _, position = cdr.header(wire)
        spans = [(_STAMP_END, cdr.ENCAPSULATION + position)]
        position = cdr.aligned(position, 4)
        number, names = cdr.count(wire, position), []
        spans.append((cdr.ENCAPSULATION + position, cdr.ENCAPSULATION + position + 4))
        position += 4
        for _ in range(number):
            start = cdr.aligned(position, 4)
            name, position = cdr.string(wire, start)
            names.append(name)
            spans.append((cdr.ENCAPSULATION + start, cdr.ENCAPSULATION + position))
        self._names, self._end = names, cdr.aligned(position, 4)
        self._block = wire[_STAMP_END : cdr.ENCAPSULATION + self._end]
        self._significant = np.concatenate([np.arange(a, b, dtype=np.int64) for a, b in spans])
        self._known = np.frombuffer(wire, dtype=np.uint8)[self._significant].copy()

    def _parts(self, wire: bytes) -> JointParts | None:
        second, nanosecond = _STAMP.unpack_from(wire, cdr.ENCAPSULATION)
        number, position, arrays = len(self._names), self._end, []
        for _ in range(3):
            if cdr.count(wire, position) != number or number == 0:
                return None
            start = cdr.aligned(position + 4, 8)
            arrays.append(cdr.doubles(wire, start, number))
            position = start + 8 * number
        return JointParts(second * NANOSECONDS + nanosecond, self._names, *arrays)
