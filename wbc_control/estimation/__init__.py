"""State of base, joints and contacts from the robot's own sensors."""

from wbc_control.estimation.estimator import Estimator

__all__ = ["Estimator"]
