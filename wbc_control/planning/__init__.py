"""Planning at 100 Hz: CoM, footsteps, swing feet and contact schedule, and their resampling at 1 kHz."""
from wbc_control.planning.planner import Planner
from wbc_control.planning.sampler import PlanSampler

__all__ = ["PlanSampler", "Planner"]
