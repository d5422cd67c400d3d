"""Worlds for the robot, scenarios, lockstep runs and their reports.

Nothing is imported here, so that a simulator is loaded only by what needs it.
"""
