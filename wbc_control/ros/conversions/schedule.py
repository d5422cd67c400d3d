"""The contact schedule of a plan as arrays, from its message or from the message's wire bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.ros.conversions import wire as cdr
from wbc_control.ros.conversions.buffers import Array, view
from wbc_control.ros.conversions.stamps import NANOSECONDS, stamp_ns


@dataclass(frozen=True)
class Schedule:
    """A schedule of n points of k feet.

    Attributes:
        time_ns: Stamp of the message, ns.
        names: The k feet.
        offset_ns: (n,) time of each point after the stamp, ns.
        values: (3, n, k) planned contact (0 or 1), share of full load, planned normal force, N.
    """

    time_ns: int
    names: tuple[str, ...]
    offset_ns: NDArray[np.int64]
    values: Array


def schedule_from_message(message: Any) -> Schedule | None:
    """The schedule of a trajectory_msgs/JointTrajectory; None when it is empty or a row is short."""
    feet = len(message.joint_names)
    rows = [(view(p.positions), view(p.velocities), view(p.effort)) for p in message.points]
    if not rows or any(len(values) != feet for row in rows for values in row):
        return None
    offset = np.array([stamp_ns(p.time_from_start) for p in message.points], dtype=np.int64)
    values = np.array(rows).transpose(1, 0, 2)
    return Schedule(stamp_ns(message.header.stamp), tuple(message.joint_names), offset, values)


@cdr.guarded
def schedule_from_wire(wire: bytes) -> Schedule | None:
    """The schedule of the message's bytes; None when they are not as we write them (no accelerations, regular).

    In words a point is: k positions, count, k velocities, two counts (0 and k), k efforts, a Duration, the next count.
    """
    time_ns, position = cdr.header(wire)
    names, position = cdr.strings(wire, position)
    feet, points, count = len(names), cdr.count(wire, position), cdr.count(wire, position + 4)
    if feet < 1 or count != feet:
        return None
    words = cdr.words(wire, cdr.aligned(position + 8, 8), points, 3 * feet + 4)
    if words is None:
        return None
    integers, second, third = words.view(np.uint32), 2 * feet + 1, 3 * feet + 2
    regular = (integers[:, 2 * feet] == feet) & (integers[:, 2 * second] == 0) & (integers[:, 2 * second + 1] == feet)
    if not regular.all():
        return None
    values = np.stack((words[:, :feet], words[:, feet + 1 : second], words[:, second + 1 : third]))
    offset = integers[:, 2 * third].astype(np.int64) * NANOSECONDS + integers[:, 2 * third + 1]
    return Schedule(time_ns, names, offset, values)
