"""Looks a robot over before it moves: model, soles, sensors and gains, from its description and parameters alone."""

from wbc_control.checking.finding import Finding, Level
from wbc_control.checking.look_over import look_over

__all__ = ["Finding", "Level", "look_over"]
