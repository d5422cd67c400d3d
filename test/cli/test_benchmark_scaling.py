"""The scaling table: all cases of the issue, robots with as many joints as they claim, sizes that grow as they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from wbc_control.cli.benchmark import scaling_table
from wbc_control.model import RobotModel
from wbc_control.simulation import benchmark_scaling
from wbc_control.simulation.benchmark_scaling import BODIES, CASES, load_body, measure_scaling


def test_cases_cover_the_table() -> None:
    assert set(CASES) == {(n, c, m) for n in (12, 18, 29, 40) for c in (1, 2, 4) for m in (4, 8, 16)}


@pytest.mark.parametrize("joints", BODIES)
def test_bodies_have_the_joints_they_claim(joints: int, tmp_path: Path) -> None:
    model = RobotModel.from_parameters(load_body(BODIES[joints], 4, tmp_path).robot)
    assert model.n == joints and len(model.feet) == 4


def test_rows_carry_sizes_and_percentiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark_scaling, "CASES", ((12, 2, 4), (12, 4, 8)))
    monkeypatch.setattr(benchmark_scaling, "_WARM_UP", 2)
    rows = measure_scaling(5)
    assert [(row["joints"], row["contacts"], row["facets"]) for row in rows] == [(12, 2, 4), (12, 4, 8)]
    assert [(row["variables"], row["equalities"], row["rows"]) for row in rows] == [(24, 12, 20), (30, 18, 44)]
    assert all(0.0 < row["p10"] <= row["p50"] <= row["p99"] and row["not_solved"] == 0 for row in rows)
    assert scaling_table(rows).count("\n") == 3
