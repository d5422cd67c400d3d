"""Wire bytes of sensor_msgs/Imu, geometry_msgs/WrenchStamped and std_msgs/Float64MultiArray → values, without a message."""

from __future__ import annotations

import numpy as np

from wbc_control.ros.conversions import wire as cdr
from wbc_control.ros.conversions.buffers import Array
from wbc_control.ros.conversions.sensors import NOT_MEASURED
from wbc_control.state import ImuSample

_IMU_DOUBLES, _WRENCH_DOUBLES = 37, 6


@cdr.guarded
def imu_from_wire(wire: bytes) -> ImuSample | None:
    """The sample; None when the bytes are not as expected."""
    time_ns, position = cdr.header(wire)
    values = cdr.doubles(wire, position, _IMU_DOUBLES).copy()
    orientation = values[:4] if values[4] != NOT_MEASURED else np.full(4, np.nan)
    return ImuSample(time_ns, orientation, values[13:16], values[25:28])


@cdr.guarded
def wrench_from_wire(wire: bytes) -> tuple[int, Array] | None:
    """Time, ns, and (6,) force then torque; None when the bytes are not as expected."""
    time_ns, position = cdr.header(wire)
    return time_ns, cdr.doubles(wire, position, _WRENCH_DOUBLES)


@cdr.guarded
def array_from_wire(wire: bytes) -> Array | None:
    """Numbers of an array without dimensions, as commands are sent; None when the bytes are not as expected."""
    dimensions, number = cdr.count(wire, 0), cdr.count(wire, 8)
    return cdr.doubles(wire, 12, number) if dimensions == 0 and number > 0 else None
