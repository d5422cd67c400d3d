"""The limits, one a file."""

from wbc_control.wbc.limits.limit import AccelerationLimit, Limit, TorqueLimit
from wbc_control.wbc.limits.motor import MotorLimit
from wbc_control.wbc.limits.position_velocity import PositionVelocityLimit
from wbc_control.wbc.limits.row_limit import RowLimit
from wbc_control.wbc.limits.self_collision import SelfCollisionLimit
from wbc_control.wbc.limits.torque import EffortLimit, EffortRateLimit

__all__ = [
    "AccelerationLimit",
    "EffortLimit",
    "EffortRateLimit",
    "Limit",
    "MotorLimit",
    "PositionVelocityLimit",
    "RowLimit",
    "SelfCollisionLimit",
    "TorqueLimit",
]
