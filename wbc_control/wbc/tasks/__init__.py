"""The tasks, one a file."""
from wbc_control.wbc.tasks.angular_momentum import AngularMomentumTask
from wbc_control.wbc.tasks.com import CentreOfMassTask
from wbc_control.wbc.tasks.orientation import TorsoOrientationTask
from wbc_control.wbc.tasks.posture import PostureTask
from wbc_control.wbc.tasks.swing_foot import SwingFootTask

__all__ = ["AngularMomentumTask", "CentreOfMassTask", "PostureTask", "SwingFootTask", "TorsoOrientationTask"]
