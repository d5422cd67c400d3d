"""The robot model: description, limits, feet, and all terms of one tick."""

from wbc_control.model.catalogue import load_robot
from wbc_control.model.feet import Foot
from wbc_control.model.kinodynamics import Kinodynamics
from wbc_control.model.limits import JointLimits
from wbc_control.model.robot_model import RobotModel

__all__ = ["Foot", "JointLimits", "Kinodynamics", "RobotModel", "load_robot"]
