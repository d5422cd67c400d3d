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

from wbc_control.ros.conversions import wire as cdr
from wbc_control.ros.conversions.horizon import Horizon
from wbc_control.ros.conversions.odometry import ODOM_FRAME
from wbc_control.ros.conversions.stamps import NANOSECONDS

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


@cdr.guarded
def decode_horizon(wire: bytes) -> Horizon | None:
    """The horizon, or None when the bytes are not little-endian plain CDR of a regular, non-empty trajectory."""
    time_ns, position = cdr.header(wire)
    names, position = cdr.strings(wire, position)
    bodies, points, count = len(names), cdr.count(wire, position), cdr.count(wire, position + 4)
    if bodies < 1 or count != bodies:
        return None
    words = cdr.words(wire, cdr.aligned(position + 8, 8), points, _stride(bodies))
    if words is None:
        return None
    first, middle, last = _counts(bodies)
    integers = words.view(np.uint32)
    if (integers[:, 2 * first] != bodies).any() or (integers[:, 2 * middle] != bodies).any():
        return None
    return Horizon(
        time_ns,
        names,
        integers[:, 2 * last].astype(np.int64) * NANOSECONDS + integers[:, 2 * last + 1],
        words[:, :first].reshape(points, bodies, _POSE),
        words[:, first + 1 : middle].reshape(points, bodies, _TWIST),
        words[:, middle + 1 : last].reshape(points, bodies, _TWIST),
    )


def _stride(bodies: int) -> int:
    """Words from the first transform of a point to that of the next."""
    return (_POSE + 2 * _TWIST) * bodies + 4


def _counts(bodies: int) -> tuple[int, int, int]:
    """Words that hold the count of velocities, the count of accelerations, and the duration."""
    first = _POSE * bodies
    second = first + 1 + _TWIST * bodies
    return first, second, second + 1 + _TWIST * bodies


def _prefix(horizon: Horizon) -> bytes:
    """Everything before the first transform: encapsulation, stamp, frame, names, the two counts, padding."""
    body = struct.pack("<iI", *divmod(horizon.time_ns, NANOSECONDS)) + _encoded(ODOM_FRAME)
    body += bytes(cdr.aligned(len(body), 4) - len(body)) + struct.pack("<I", len(horizon.names))
    for name in horizon.names:
        body += bytes(cdr.aligned(len(body), 4) - len(body)) + _encoded(name)
    body += bytes(cdr.aligned(len(body), 4) - len(body)) + struct.pack(
        "<II", len(horizon.offset_ns), len(horizon.names)
    )
    return cdr.LITTLE_ENDIAN + b"\x00\x00" + body + bytes(cdr.aligned(len(body), 8) - len(body))


def _encoded(text: str) -> bytes:
    raw = text.encode() + b"\x00"
    return struct.pack("<I", len(raw)) + raw
