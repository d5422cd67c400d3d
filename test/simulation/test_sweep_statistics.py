"""Variations, grids, seeds and Wilson's interval."""

from __future__ import annotations

import numpy as np
import pytest

from wbc_control.errors import ScenarioError
from wbc_control.simulation.sweep import Variation, make_trials, parse_variation, set_path, summarise, wilson_interval


def test_wilson_interval_against_published_values() -> None:
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for won, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        np.testing.assert_allclose(wilson_interval(won, n), (low, high), atol=5e-5)


def test_variations_are_read() -> None:
    assert parse_variation("a.b=1:3:5") == Variation("a.b", 1.0, 3.0, 5)
    assert parse_variation("a.b=1:3").count is None
    assert parse_variation("a.b=2.5").grid == [2.5]
    for word in ("a.b", "=1:2", "a.b=x", "a.b=1:2:2.5", "a.b=1:2:0", "a.b=1:2:3:4", "a.b=nan"):
        with pytest.raises(ScenarioError, match="not of the form"):
            parse_variation(word)


def test_trials_span_the_grid_and_have_seeds_of_their_own() -> None:
    content = {"duration": 1.0, "push": [{"t": 0.0, "impulse": [0.0, 0.0, 0.0]}]}
    variations = [
        parse_variation(w)
        for w in ("push.0.impulse.1=1:3:3", "terrain.friction=0.5:0.9", "whole_body_qp.com.weight=2.0")
    ]
    trials = make_trials("g1", "x", content, {"a.b": 1}, variations, 4)
    assert len(trials) == 12 and len({t.content["seed"] for t in trials}) == 12
    assert sorted({t.content["push"][0]["impulse"][1] for t in trials}) == [1.0, 2.0, 3.0]
    assert len({t.content["terrain"]["friction"] for t in trials}) == 12
    assert all(t.overrides == {"a.b": 1, "whole_body_qp.com.weight": 2.0} for t in trials)
    assert content["push"] == [{"t": 0.0, "impulse": [0.0, 0.0, 0.0]}]


def test_variation_that_makes_the_scenario_wrong_is_refused_before_any_run() -> None:
    with pytest.raises(ScenarioError, match="'friction'"):
        make_trials("g1", "x", {"duration": 1.0}, {}, [parse_variation("terrain.friction=-1")], 1)
    with pytest.raises(ScenarioError, match="leads nowhere"):
        set_path({"push": []}, "push.0.t", 1.0)


def test_summary_groups_by_grid_point() -> None:
    results = [{"point": {"a": float(k % 2)}, "success": k != 3} for k in range(6)]
    summary = summarise(results)
    assert summary["n"] == 6 and summary["successes"] == 5
    assert [(row["point"], row["successes"]) for row in summary["points"]] == [("a=0", 3), ("a=1", 2)]
