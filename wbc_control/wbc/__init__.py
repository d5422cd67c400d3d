"""The whole-body controller: tasks, contacts and limits composed into one QP a tick."""

from wbc_control.wbc.controller import WholeBodyController
from wbc_control.wbc.output import ControllerOutput, ControllerStatus, ControllerTelemetry

__all__ = ["ControllerOutput", "ControllerStatus", "ControllerTelemetry", "WholeBodyController"]
