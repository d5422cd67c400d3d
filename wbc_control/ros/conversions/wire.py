"""Reading wire bytes in place: plain CDR version 1, little endian (OMG DDS-XTypes), as the common middlewares send it.

A message as Python objects costs tens of microseconds before the first number is read; the same numbers lie in the bytes
one after another.  Positions count from the end of the four bytes of encapsulation, to which alignment refers.  What
does not look exactly as expected is handed back as None, and the caller uses the message class instead.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from wbc_control.ros.conversions.buffers import Array
from wbc_control.ros.conversions.stamps import NANOSECONDS

LITTLE_ENDIAN = b"\x00\x01"
ENCAPSULATION = 4
_HEADER = struct.Struct("<iII")
_COUNT = struct.Struct("<I")


Read = TypeVar("Read")


def guarded(read: Callable[[bytes], Read | None]) -> Callable[[bytes], Read | None]:
    """The reader, answering None instead of failing on bytes that are not as it expects them."""

    @functools.wraps(read)
    def reader(wire: bytes) -> Read | None:
        if not is_readable(wire):
            return None
        try:
            return read(wire)
        except (struct.error, ValueError):
            return None

    return reader


def aligned(position: int, size: int) -> int:
    """The next multiple of ``size``."""
    return -(-position // size) * size


def is_readable(wire: bytes) -> bool:
    """Whether the bytes claim to be little-endian plain CDR."""
    return wire[:2] == LITTLE_ENDIAN


def header(wire: bytes) -> tuple[int, int]:
    """Stamp, ns, of a std_msgs/Header at the start, and the position after its frame."""
    second, nanosecond, length = _HEADER.unpack_from(wire, ENCAPSULATION)
    return second * NANOSECONDS + nanosecond, 12 + length


def count(wire: bytes, position: int) -> int:
    """The unsigned integer at a position."""
    return int(_COUNT.unpack_from(wire, ENCAPSULATION + position)[0])


def string(wire: bytes, position: int) -> tuple[str, int]:
    """The string at or after a position, and the position after it; ValueError where the bytes do not suffice."""
    position = aligned(position, 4)
    length = count(wire, position)
    start = ENCAPSULATION + position + 4
    if len(wire) < start + length:
        raise ValueError("a string runs over the end")
    return wire[start : start + length - 1].decode(), position + 4 + length


def strings(wire: bytes, position: int) -> tuple[tuple[str, ...], int]:
    """The sequence of strings at or after a position, and the position after it."""
    position = aligned(position, 4)
    names = []
    number, position = count(wire, position), position + 4
    for _ in range(number):
        name, position = string(wire, position)
        names.append(name)
    return tuple(names), aligned(position, 4)


def doubles(wire: bytes, position: int, number: int) -> Array:
    """A read-only view of the doubles at or after a position; ValueError where the bytes do not suffice."""
    return np.frombuffer(wire, dtype="<f8", count=number, offset=ENCAPSULATION + aligned(position, 8))


def words(wire: bytes, position: int, rows: int, stride: int) -> Array | None:
    """A copy of ``rows`` records of ``stride`` words of 8 bytes; of the last, the last word may be missing.

    Args:
        position: Of the first record, a multiple of 8.
        rows: At least 1.
        stride: Words of a record.

    Returns:
        (rows, stride), or None when the bytes do not suffice.
    """
    start, size = ENCAPSULATION + position, rows * stride - 1
    if rows < 1 or len(wire) < start + 8 * size:
        return None
    found = np.zeros(rows * stride)
    found[:-1] = np.frombuffer(wire, dtype="<f8", count=size, offset=start)
    return found.reshape(rows, stride)
