"""The whole-body controller: tasks, contacts and limits composed into one QP a tick."""

from wbc_control.wbc.controller import WholeBodyController
from wbc_control.wbc.output import ControllerOutput, ControllerStatus
from wbc_control.wbc.telemetry import ControllerTelemetry

__all__ = ["ControllerOutput", "ControllerStatus", "ControllerTelemetry", "WholeBodyController"]
