"""Every parameter of the stack: declared once, checked, loaded from ROS parameter files."""
from wbc_control.parameters.bridge import BridgeParameters
from wbc_control.parameters.building import build, changed
from wbc_control.parameters.controller import ControllerParameters
from wbc_control.parameters.declaration import Declaration, declarations, flatten
from wbc_control.parameters.estimator import EstimatorParameters
from wbc_control.parameters.loading import StackParameters, read_parameter_file, stack_parameters
from wbc_control.parameters.planner import PlannerParameters
from wbc_control.parameters.robot import FootParameters, RobotParameters
from wbc_control.parameters.simulator import SimulatorParameters

__all__ = [
    "BridgeParameters",
    "ControllerParameters",
    "Declaration",
    "EstimatorParameters",
    "FootParameters",
    "PlannerParameters",
    "RobotParameters",
    "SimulatorParameters",
    "StackParameters",
    "build",
    "changed",
    "declarations",
    "flatten",
    "read_parameter_file",
    "stack_parameters",
]
