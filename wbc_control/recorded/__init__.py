"""Recorded runs: read back from MCAP (ours, or `ros2 bag`'s), and shown as a page."""

from wbc_control.recorded.reader import read_recording
from wbc_control.recorded.recording import Recording, Series

__all__ = ["Recording", "Series", "read_recording"]
