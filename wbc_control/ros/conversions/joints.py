"""Measured joints and joint commands ↔ sensor_msgs/JointState, matched by name in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import JointState as JointStateMessage

from wbc_control.ros.conversions.buffers import Array, view, zeros
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
        self._names: list[str] = []
        self._order: Indices | None = None
        self.refused = 0
        self.reason = ""

    def joint_state(self, message: Any) -> JointState | None:
        """The measured joints in the robot model's order, or None (counted) when the message does not hold them."""
        fields = self._fields(message)
        return None if fields is None else JointState(stamp_ns(message.header.stamp), *fields)

    def joint_command(self, message: Any) -> JointCommand | None:
        """The same for a joint command."""
        fields = self._fields(message)
        return None if fields is None else JointCommand(stamp_ns(message.header.stamp), *fields)

    def _fields(self, message: Any) -> tuple[Array, Array, Array] | None:
        order = self._order if message.name == self._names else self._resolve(message.name)
        if order is None:
            return self._refuse(self._missing(message.name))
        count = len(message.name)
        if len(message.position) != count or len(message.velocity) != count or len(message.effort) not in (0, count):
            return self._refuse(self._lengths(message))
        return view(message.position)[order], view(message.velocity)[order], self._effort(message, order)

    def _effort(self, message: Any, order: Indices) -> Array:
        """Zeros where effort is not measured: the stock broadcaster says NaN there, simple drivers leave it out."""
        if not len(message.effort):
            return np.zeros(len(order))
        effort = view(message.effort)[order]
        return np.where(np.isnan(effort), 0.0, effort)

    def _resolve(self, names: list[str]) -> Indices | None:
        index = {name: i for i, name in enumerate(names)}
        self._names = list(names)
        missing = any(name not in index for name in self._wanted)
        self._order = None if missing else np.array([index[name] for name in self._wanted], dtype=np.int64)
        return self._order

    def _missing(self, names: list[str]) -> str:
        missing = [name for name in self._wanted if name not in names]
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return f"{self._what} has {len(names)} names but lacks joint '{missing[0]}'{more}"

    def _lengths(self, message: Any) -> str:
        found = f"{len(message.position)} positions, {len(message.velocity)} velocities, {len(message.effort)} efforts"
        return f"{self._what} has {len(message.name)} names but {found}"

    def _refuse(self, reason: str) -> tuple[Array, Array, Array] | None:
        self.refused += 1
        self.reason = reason
        return None
