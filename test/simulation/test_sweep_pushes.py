"""Push sweeps: sizes and directions of the pushes, the table, the polar diagram."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wbc_control.errors import ScenarioError
from wbc_control.simulation import sweep_pushes
from wbc_control.simulation.sweep import parse_variation
from wbc_control.simulation.sweep_picture import draw_polar
from wbc_control.simulation.sweep_pushes import format_push_table, parse_ratios, push_table, push_trials

PUSHED = {"duration": 5.0, "push": [{"t": 2.5, "impulse": [0.0, 0.0, 0.0]}]}


def _result(direction: float, ratio: float, success: bool) -> dict[str, Any]:
    return {"values": {"direction_deg": direction, "ratio": ratio, "limit_ns": 10.0}, "success": success}


def test_ratios_are_read() -> None:
    assert parse_ratios("2,0.5,1,2") == (0.5, 1.0, 2.0)
    for text in ("", "a", "1,,2", "0", "-1", "nan", "inf"):
        with pytest.raises(ScenarioError, match="positive numbers"):
            parse_ratios(text)


def test_impulses_point_all_round_and_scale_with_the_limit_of_their_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_pushes, "zero_step_limits", lambda robot, content, overrides, ways: [4.0, 5.0, 6.0, 7.0])
    variations = [parse_variation("terrain.friction=0.5:0.9")]
    trials = push_trials("g1", "x", PUSHED, {}, variations, 3, 4, (0.5, 2.0))
    assert len(trials) == 4 * 2 * 3
    assert len({t.content["seed"] for t in trials}) == len(trials)
    for trial in trials:
        impulse = np.array(trial.content["push"][0]["impulse"])
        side = round(trial.values["direction_deg"] / 90.0)
        np.testing.assert_allclose(np.linalg.norm(impulse), trial.values["ratio"] * (4.0 + side))
        np.testing.assert_allclose(np.arctan2(impulse[1], impulse[0]) % (2 * np.pi), side * np.pi / 2, atol=1e-12)
        assert 0.5 <= trial.values["terrain.friction"] <= 0.9
        assert "terrain.friction" not in trial.point, "trials of one push form one point"


@pytest.mark.parametrize("pushes", [[], PUSHED["push"] * 2])
def test_a_sweep_needs_exactly_one_push(pushes: Any) -> None:
    with pytest.raises(ScenarioError, match="wanted one"):
        push_trials("g1", "x", {"duration": 5.0, "push": pushes}, {}, [], 1, 4, (1.0,))


def test_the_table_stops_at_the_first_ratio_that_felled() -> None:
    results = [_result(0.0, ratio, ratio != 1.0) for ratio in (0.5, 1.0, 2.0)]
    results += [_result(90.0, 0.5, True), _result(90.0, 1.0, True), _result(90.0, 1.0, False), _result(90.0, 2.0, True)]
    rows = push_table(results)
    assert [row["survived_ratio"] for row in rows] == [0.5, 0.5]
    assert rows[1]["ratios"][1] == {"ratio": 1.0, "n": 2, "successes": 1}
    assert "all directions stood up to 0.50" in format_push_table(rows)


def test_the_polar_diagram_is_a_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the diagram needs matplotlib")
    rows = push_table([_result(angle, ratio, ratio < 2.0) for angle in (0.0, 90.0, 180.0) for ratio in (1.0, 2.0)])
    draw_polar(rows, "robot, scenario", tmp_path / "polar.png")
    assert (tmp_path / "polar.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
