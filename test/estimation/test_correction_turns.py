"""Turns of the base's corrections: as often as promised, and no two heavy parts in one tick."""

from __future__ import annotations

import math

import pytest

from wbc_control.estimation.correction_turns import CorrectionTurns


def ticks(turns: CorrectionTurns, dt: float, number: int) -> list[set[str]]:
    """What each of ``number`` ticks does."""
    found = []
    for _ in range(number):
        parts = {"others"} if turns.others_due(dt) else set()
        turns.pass_time(dt)
        if turns.due():
            turns.begin()
            parts |= {"correction"}
            if turns.gains_due:
                parts |= {"gains"}
                turns.take_gains()
            if turns.orientation_due:
                parts |= {"orientation"}
            turns.end()
        found.append(parts)
    return found


def settled() -> CorrectionTurns:
    turns = CorrectionTurns()
    while turns.settles:
        ticks(turns, 0.001, 1)
    return turns


@pytest.mark.parametrize("dt", [0.0005, 0.001, 0.002, 0.005])
def test_no_tick_has_two_heavy_parts_and_all_get_their_turn(dt: float) -> None:
    done = ticks(settled(), dt, 240)
    heavy = [parts - {"correction"} for parts in done]
    slow = dt > 0.004  # gains must then come with every correction, or they would be too old
    assert max(len(parts) for parts in heavy) <= (2 if slow else 1)
    corrections = sum("correction" in parts for parts in done)
    assert corrections == pytest.approx(240 / math.ceil(0.0025 / dt - 1e-9), abs=2)
    for name, share in (("gains", 0.5), ("orientation", 0.25), ("others", 0.25)):
        assert sum(name in parts for parts in heavy) >= share * corrections - 2, name
    assert all("correction" in parts for parts in done if parts)


def test_after_the_start_and_a_gap_every_tick_does_all() -> None:
    turns = CorrectionTurns()
    for _ in range(2):
        done = ticks(turns, 0.001, 25)
        assert all({"correction", "gains", "orientation"} <= parts for parts in done)
        assert not turns.settles
        ticks(turns, 0.001, 10)
        turns.settle()


def test_gains_know_the_time_and_corrections_they_stand_for() -> None:
    turns = settled()
    turns.take_gains()
    for _ in range(2):
        for _ in range(3):
            turns.pass_time(0.001)
        turns.begin()
        turns.end()
    span, corrections = turns.take_gains()
    assert span == pytest.approx(0.006) and corrections == 2
