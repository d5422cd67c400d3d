"""Measured joints and joint commands ↔ sensor_msgs/JointState, matched by name in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState as JointStateMessage

from wbc_control.ros.conversions.buffers import Array, view, zeros
from wbc_control.ros.conversions.joint_wire import JointParts, JointStateWire
from wbc_control.ros.conversions.stamps import set_stamp, stamp_ns
from wbc_control.state import JointCommand, JointState

Indices = NDArray[np.int64]


class JointStateEncoder:
    """Writes joints into one preallocated message.

    Attributes:
        message: Filled by each call; publish it before the next.
    """

    def __init__(self, joint_names: Sequence[str], frame_id: str = "") -> None:
        count = len(joint_names)
        self.message = JointStateMessage(name=list(joint_names))
        self.message.header.frame_id = frame_id
        self.message.position, self.message.velocity, self.message.effort = zeros(count), zeros(count), zeros(count)
        self._position = view(self.message.position)
        self._velocity = view(self.message.velocity)
        self._effort = view(self.message.effort)

    def encode(self, value: JointState | JointCommand) -> JointStateMessage:
        """Position, velocity and effort in the names' order."""
        return self.write(value.time_ns, value.position, value.velocity, value.effort)

    def write(self, time_ns: int, position: Any, velocity: Any, effort: Any) -> JointStateMessage:
        """The same from plain arrays, each (n,)."""
        set_stamp(self.message.header.stamp, time_ns)
        self._position[:] = position
        self._velocity[:] = velocity
        self._effort[:] = effort
        return self.message


class JointStateDecoder:
    """Reads joints by name, whatever their order and whatever other joints the message holds.

    The order is resolved once and kept for as long as the names stay the same.

    Attributes:
        refused: Messages that could not be used.
        reason: Why the last refused message was refused, one sentence.
    """

    def __init__(self, joint_names: Sequence[str], what: str = "joint_states") -> None:
        self._wanted = tuple(joint_names)
        self._what = what
        self._wire = JointStateWire()
        self._names: list[str] = []
        self._order: Indices | None = None
        self.refused = 0
        self.reason = ""

    def joint_state(self, message: Any) -> JointState | None:
        """The measured joints in the robot model's order, or None (counted) when the message does not hold them."""
        return self._joint_state(_parts(message))

    def joint_state_from_wire(self, wire: bytes) -> JointState | None:
        """The same from the message's bytes."""
        return self._joint_state(self._read(wire))

    def joint_command_from_wire(self, wire: bytes) -> JointCommand | None:
        """A joint command from the message's bytes."""
        parts = self._read(wire)
        fields = self._fields(parts)
        return None if fields is None else JointCommand(parts.time_ns, *fields)

    def _joint_state(self, parts: JointParts) -> JointState | None:
        fields = self._fields(parts)
        return None if fields is None else JointState(parts.time_ns, *fields)

    def _read(self, wire: bytes) -> JointParts:
        parts = self._wire.read(wire)
        return parts if parts is not None else _parts(deserialize_message(wire, JointStateMessage))

    def _fields(self, parts: JointParts) -> tuple[Array, Array, Array] | None:
        names = parts.names
        order = self._order if names is self._names or names == self._names else self._resolve(names)
        if order is None:
            return self._refuse(self._missing(names))
        count = len(names)
        if len(parts.position) != count or len(parts.velocity) != count or len(parts.effort) not in (0, count):
            return self._refuse(self._lengths(parts))
        return parts.position[order], parts.velocity[order], _measured(parts.effort, order)

    def _resolve(self, names: list[str]) -> Indices | None:
        index = {name: i for i, name in enumerate(names)}
        self._names = names
        missing = any(name not in index for name in self._wanted)
        self._order = None if missing else np.array([index[name] for name in self._wanted], dtype=np.int64)
        return self._order

    def _missing(self, names: list[str]) -> str:
        missing = [name for name in self._wanted if name not in names]
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return f"{self._what} has {len(names)} names but lacks joint '{missing[0]}'{more}"

    def _lengths(self, parts: JointParts) -> str:
        found = f"{len(parts.position)} positions, {len(parts.velocity)} velocities, {len(parts.effort)} efforts"
        return f"{self._what} has {len(parts.names)} names but {found}"

    def _refuse(self, reason: str) -> tuple[Array, Array, Array] | None:
        self.refused += 1
        self.reason = reason
        return None


def _parts(message: Any) -> JointParts:
    arrays = (view(message.position), view(message.velocity), view(message.effort))
    return JointParts(stamp_ns(message.header.stamp), message.name, *arrays)


def _measured(effort: Array, order: Indices) -> Array:
    """Zeros where effort is not measured: the stock broadcaster says NaN there, simple drivers leave it out."""
    if not len(effort):
        return np.zeros(len(order))
    found = effort[order]
    return np.where(np.isnan(found), 0.0, found)
