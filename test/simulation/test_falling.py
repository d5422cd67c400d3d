"""When a robot counts as fallen, reason by reason."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from simulated_robots import robot

from wbc_control.simulation.backend import GroundTruth
from wbc_control.simulation.fake_backend import FakeBackend
from wbc_control.simulation.falling import FallDetector
from wbc_control.simulation.terrain import Ground


def _truth(roll: float = 0.0, lower: float = 0.0, **changes: Any) -> GroundTruth:
    truth = FakeBackend(robot("humanoid")[0]).ground_truth()
    q = truth.q.copy()
    q[2] -= lower
    q[3:7] = [math.sin(roll / 2.0), 0.0, 0.0, math.cos(roll / 2.0)]
    return dataclasses.replace(truth, q=q, **changes)


@pytest.mark.parametrize(
    ("truth", "reason"),
    [
        (_truth(), ""),
        (_truth(roll=math.radians(59.0)), ""),
        (_truth(roll=math.radians(-61.0)), "tilted by 61°"),
        (_truth(roll=math.radians(180.0)), "tilted by 180°"),
        (_truth(lower=0.4), ""),
        (_truth(lower=0.5), "less than half its standing height"),
        (_truth(other_contacts=("l_knee_joint",)), "body of 'l_knee_joint' touches the ground"),
    ],
)
def test_reasons(truth: GroundTruth, reason: str) -> None:
    found = FallDetector(robot("humanoid")[0], Ground()).judge(truth)
    assert reason in found and bool(reason) == bool(found)


def test_height_is_measured_from_the_ground_below() -> None:
    model, _ = robot("humanoid")
    assert FallDetector(model, Ground(base_height=-1.0)).judge(_truth(lower=0.9)) == ""
    assert "half its standing height" in FallDetector(model, Ground(base_height=0.5)).judge(_truth())
