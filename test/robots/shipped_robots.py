"""The shipped robots, loaded once for all tests; those on example-robot-data are skipped where it is not installed."""
from __future__ import annotations

from functools import cache

import pytest

from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.model.urdf_source import search_roots
from wbc_control.parameters import StackParameters

DATA_PACKAGE = "example-robot-data"
OWN = ("humanoid", "quadruped")
OVERLAYS = ("g1", "go2", "talos")

HAS_DATA = any((root / DATA_PACKAGE / "robots").is_dir() for root in search_roots())
needs_data = pytest.mark.skipif(not HAS_DATA, reason=f"{DATA_PACKAGE} is not installed (extra `robots`)")

ALL = [*OWN, *(pytest.param(name, marks=needs_data) for name in OVERLAYS)]
"""Parameter set for pytest: every robot."""


@cache
def parameters(name: str) -> StackParameters:
    """Typed parameters of a shipped robot."""
    return load_robot(name)


@cache
def model(name: str) -> RobotModel:
    """Model of a shipped robot."""
    return RobotModel.from_parameters(parameters(name).robot)
