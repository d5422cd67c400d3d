"""The stack without middleware: components composed at their rates."""

from wbc_control.stack.control_stack import ControlStack

__all__ = ["ControlStack"]
