"""Joint-level control: the bridge between the whole-body controller and the motors."""

from wbc_control.joint_control.pd_bridge import BridgeMode, JointPdBridge

__all__ = ["BridgeMode", "JointPdBridge"]
