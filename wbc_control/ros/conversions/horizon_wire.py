"""Horizon ↔ the wire bytes of trajectory_msgs/MultiDOFJointTrajectory, without a Python object per vector.

A horizon of 20 samples of 5 bodies is about 2,000 Python objects as a message: milliseconds in a 1 kHz loop.  On the
wire (OMG DDS-XTypes, plain CDR version 1, little endian) the same numbers lie in a regular pattern that NumPy reads in
place.  After the names, each point is: count, k transforms (7 doubles), count, k twists (6), count, k twists (6), a
Duration; counts are padded to 8 bytes, so in words of 8 bytes a point is 19 k + 4 long.  What does not look exactly
like that is handed back as None, and the caller uses the message class instead.
"""

from __future__ import annotations

import struct

import numpy as np

from wbc_control.ros.conversions.buffers import Array
from wbc_control.ros.conversions.horizon import Horizon
from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.stamps import NANOSECONDS

_LITTLE_ENDIAN_CDR = b"\x00\x01"
_ENCAPSULATION = 4
_POSE, _TWIST = 7, 6


def encode_horizon(horizon: Horizon) -> bytes:
    """The bytes; equal to what the message class serialises to."""
    bodies = len(horizon.names)
    prefix = _prefix(horizon)
    words = np.zeros((len(horizon.offset_ns), _stride(bodies)))
    counts = words.view(np.uint32)
    first, second, third = _counts(bodies)
    words[:, :first] = horizon.pose.reshape(len(words), -1)
    words[:, first + 1 : second] = horizon.velocity.reshape(len(words), -1)
    words[:, second + 1 : third] = horizon.acceleration.reshape(len(words), -1)
    counts[:, 2 * first] = counts[:, 2 * second] = bodies
    counts[:, 2 * third], counts[:, 2 * third + 1] = np.divmod(horizon.offset_ns, NANOSECONDS)
    counts[:, -2] = bodies
    return prefix + words.tobytes()[:-8]


def decode_horizon(wire: bytes) -> Horizon | None:
    """The horizon, or None when the bytes are not little-endian plain CDR of a regular, non-empty trajectory."""
    if wire[:2] != _LITTLE_ENDIAN_CDR:
        return None
    try:
        return _decode(wire)
    except (struct.error, UnicodeDecodeError, ValueError):
        return None


def _decode(wire: bytes) -> Horizon | None:
    second, nanosecond, position = *struct.unpack_from("<iI", wire, _ENCAPSULATION), 8
    _, position = _string(wire, position)
    position = _align(position, 4)
    (bodies,) = struct.unpack_from("<I", wire, _ENCAPSULATION + position)
    names, position = _strings(wire, position + 4, bodies)
    points, count = struct.unpack_from("<II", wire, _ENCAPSULATION + position)
    words = _words(wire, _align(position + 8, 8), points, bodies)
    if words is None or count != bodies:
        return None
    first, middle, last = _counts(bodies)
    integers = words.view(np.uint32)
    if (integers[:, 2 * first] != bodies).any() or (integers[:, 2 * middle] != bodies).any():
        return None
    offset = integers[:, 2 * last].astype(np.int64) * NANOSECONDS + integers[:, 2 * last + 1]
    return Horizon(
        second * NANOSECONDS + nanosecond,
        names,
        offset,
        words[:, :first].reshape(points, bodies, _POSE),
        words[:, first + 1 : middle].reshape(points, bodies, _TWIST),
        words[:, middle + 1 : last].reshape(points, bodies, _TWIST),
    )


def _words(wire: bytes, position: int, points: int, bodies: int) -> Array | None:
    """(points, stride) words that start at each point's first transform; None when the bytes do not suffice."""
    stride = _stride(bodies)
    start = _ENCAPSULATION + position
    size = 8 * (points * stride - 1)
    if points < 1 or bodies < 1 or len(wire) < start + size:
        return None
    words = np.zeros(points * stride)
    words[:-1] = np.frombuffer(wire, dtype="<f8", count=points * stride - 1, offset=start)
    return words.reshape(points, stride)


def _stride(bodies: int) -> int:
    """Words from the first transform of a point to that of the next."""
    return (_POSE + 2 * _TWIST) * bodies + 4


def _counts(bodies: int) -> tuple[int, int, int]:
    """Words that hold the count of velocities, the count of accelerations, and the duration."""
    first = _POSE * bodies
    second = first + 1 + _TWIST * bodies
    return first, second, second + 1 + _TWIST * bodies


def _align(position: int, size: int) -> int:
    return -(-position // size) * size


def _string(wire: bytes, position: int) -> tuple[str, int]:
    position = _align(position, 4)
    (length,) = struct.unpack_from("<I", wire, _ENCAPSULATION + position)
    start = _ENCAPSULATION + position + 4
    return wire[start : start + length - 1].decode(), position + 4 + length


def _strings(wire: bytes, position: int, count: int) -> tuple[tuple[str, ...], int]:
    names = []
    for _ in range(count):
        name, position = _string(wire, position)
        names.append(name)
    return tuple(names), _align(position, 4)


def _prefix(horizon: Horizon) -> bytes:
    """Everything before the first transform: encapsulation, stamp, frame, names, the two counts, padding."""
    body = struct.pack("<iI", *divmod(horizon.time_ns, NANOSECONDS)) + _encoded(ODOM_FRAME)
    body += bytes(_align(len(body), 4) - len(body)) + struct.pack("<I", len(horizon.names))
    for name in horizon.names:
        body += bytes(_align(len(body), 4) - len(body)) + _encoded(name)
    body += bytes(_align(len(body), 4) - len(body)) + struct.pack("<II", len(horizon.offset_ns), len(horizon.names))
    return _LITTLE_ENDIAN_CDR + b"\x00\x00" + body + bytes(_align(len(body), 8) - len(body))


def _encoded(text: str) -> bytes:
    raw = text.encode() + b"\x00"
    return struct.pack("<I", len(raw)) + raw
