"""Joint-level control: the bridge between the whole-body controller and the motors."""

from wbc_control.joint_control.drive_targets import DriveTargets, drive_targets
from wbc_control.joint_control.pd_bridge import BridgeMode, JointPdBridge, PdLaw
from wbc_control.joint_control.position_targets import PositionTargets

__all__ = ["BridgeMode", "DriveTargets", "JointPdBridge", "PdLaw", "PositionTargets", "drive_targets"]
