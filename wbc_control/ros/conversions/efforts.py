"""Joint efforts ↔ std_msgs/Float64MultiArray of a forwarding controller, in the order of its ``joints`` parameter."""

from __future__ import annotations

from typing import Any

import numpy as np
from rclpy.serialization import deserialize_message
from std_msgs.msg import Float64MultiArray

from wbc_control.ros.conversions.buffers import Array, view, zeros
from wbc_control.ros.conversions.sensor_wire import array_from_wire


class EffortEncoder:
    """Writes efforts into one preallocated message of fixed length; what is not finite is sent as 0.

    The stock forwarder has no timeout, refuses a wrong length, and on Humble hands NaN to the hardware: so length and
    finiteness are guaranteed here, whatever comes in.
    """

    def __init__(self, count: int) -> None:
        self.message = Float64MultiArray(data=zeros(count))
        self._data = view(self.message.data)

    def encode(self, effort: Array) -> Float64MultiArray:
        """The message of (n,) efforts, N·m."""
        np.copyto(self._data, effort)
        if not np.isfinite(self._data).all():
            self._data[~np.isfinite(self._data)] = 0.0
        return self.message


class EffortDecoder:
    """Reads efforts as the stock forwarder does: a wrong length or a number that is not finite is refused.

    Attributes:
        refused: Messages refused.
        reason: Why the last one was.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self.refused = 0
        self.reason = ""

    def decode(self, message: Any) -> Array | None:
        """(n,) efforts, or None (counted)."""
        return self._checked(view(message.data))

    def decode_wire(self, wire: bytes) -> Array | None:
        """The same from the message's bytes."""
        values = array_from_wire(wire)
        return (
            self._checked(values) if values is not None else self.decode(deserialize_message(wire, Float64MultiArray))
        )

    def _checked(self, values: Array) -> Array | None:
        if len(values) != self._count:
            return self._refuse(f"command has {len(values)} values, wanted {self._count}")
        if not np.isfinite(values).all():
            return self._refuse("command holds a value that is not finite")
        return values.copy()

    def _refuse(self, reason: str) -> Array | None:
        self.refused += 1
        self.reason = reason
        return None
