"""Named scalars ↔ sensor_msgs/JointState: values in ``position``, which every tool that knows joints can plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sensor_msgs.msg import JointState as JointStateMessage

from wbc_control.ros.conversions.buffers import view, zeros
from wbc_control.ros.conversions.stamps import set_stamp


class ScalarsEncoder:
    """Writes scalars under fixed names into one preallocated message; a name that is not given is sent as NaN."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self.message = JointStateMessage(name=list(names), position=zeros(len(names)))
        self._values = view(self.message.position)

    def encode(self, time_ns: int, values: Mapping[str, float]) -> JointStateMessage:
        """The message; "undefined" is NaN, never a number."""
        set_stamp(self.message.header.stamp, time_ns)
        for i, name in enumerate(self._names):
            self._values[i] = values.get(name, float("nan"))
        return self.message


def decode_scalars(message: Any) -> dict[str, float]:
    """Name → value."""
    return dict(zip(message.name, message.position, strict=False))
