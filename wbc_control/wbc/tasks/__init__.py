"""The tasks, one a file."""

from wbc_control.wbc.tasks.angular_momentum import AngularMomentumTask
from wbc_control.wbc.tasks.centroidal_momentum import CentroidalMomentumTask
from wbc_control.wbc.tasks.com import CentreOfMassTask
from wbc_control.wbc.tasks.contact_wrench import CentreOfPressureTask, ContactWrenchTask
from wbc_control.wbc.tasks.frame import FrameTask
from wbc_control.wbc.tasks.joint import JointTask
from wbc_control.wbc.tasks.orientation import TorsoOrientationTask
from wbc_control.wbc.tasks.posture import PostureTask
from wbc_control.wbc.tasks.relative_frame import RelativeFrameTask
from wbc_control.wbc.tasks.swing_foot import SwingFootTask
from wbc_control.wbc.tasks.torque import TorqueTask

__all__ = [
    "AngularMomentumTask",
    "CentreOfMassTask",
    "CentreOfPressureTask",
    "CentroidalMomentumTask",
    "ContactWrenchTask",
    "FrameTask",
    "JointTask",
    "PostureTask",
    "RelativeFrameTask",
    "SwingFootTask",
    "TorqueTask",
    "TorsoOrientationTask",
]
