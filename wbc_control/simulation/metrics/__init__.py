"""Metrics of a run: observers that watch ground truth and the stack, and say a part of the report at the end."""
