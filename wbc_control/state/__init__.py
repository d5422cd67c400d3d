"""Frozen, shape-checked value types that cross the borders between components."""

from wbc_control.state.checks import unchecked
from wbc_control.state.command import JointCommand
from wbc_control.state.plan import Plan, PlanSample, VelocityCommand
from wbc_control.state.robot import CentroidalState, ContactPhase, ContactState, Estimate, RobotState
from wbc_control.state.sensors import ImuSample, JointState, SensorSample

__all__ = [
    "CentroidalState",
    "ContactPhase",
    "ContactState",
    "Estimate",
    "ImuSample",
    "JointCommand",
    "JointState",
    "Plan",
    "PlanSample",
    "RobotState",
    "SensorSample",
    "VelocityCommand",
    "unchecked",
]
