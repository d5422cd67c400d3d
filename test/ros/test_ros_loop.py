"""Deadlines, thinning and pace of the loop, on a clock that the test turns (C35)."""

from __future__ import annotations

import numpy as np
import pytest

from wbc_control.ros import deadlines
from wbc_control.ros.deadlines import Deadlines, Pace
from wbc_control.ros.every import Every

MS = 1_000_000


class Clock:
    """A monotonic clock that moves when told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 10_000 * MS
        monkeypatch.setattr(deadlines.time, "monotonic_ns", lambda: self.now)
        monkeypatch.setattr(deadlines.time, "sleep", self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.now += round(1e9 * seconds)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_deadlines_do_not_drift(clock):
    grid, begin = Deadlines(MS), clock.now
    for _ in range(1000):
        clock.now += 300_000
        grid.sleep()
    assert clock.now == begin + 1000 * MS and grid.missed == 0


def test_work_of_two_periods_causes_no_burst(clock):
    grid, starts = Deadlines(MS), []
    for _ in range(50):
        grid.sleep()
        starts.append(clock.now)
        clock.now += 2 * MS + 100_000
    assert np.diff(starts).min() >= 2 * MS, "each tick waits for the one before, none is made up for"
    assert grid.missed >= 49 and len(starts) == 50


def test_after_a_stall_one_tick_is_late_and_the_rest_are_on_the_grid(clock):
    grid, begin, starts = Deadlines(MS), clock.now, []
    clock.now += 10 * MS + 400_000
    for _ in range(4):
        grid.sleep()
        starts.append((clock.now - begin) / MS)
    assert starts == [10.4, 11.0, 12.0, 13.0] and grid.missed == 9


def test_one_late_tick_loses_only_its_own_deadlines(clock):
    grid = Deadlines(MS)
    grid.sleep()
    clock.now += 5 * MS
    assert grid.sleep() == 4
    assert grid.sleep() == 0 and grid.missed == 4


def test_when_the_world_waits_the_grid_begins_anew(clock):
    grid = Deadlines(MS)
    grid.sleep()
    clock.now += 3 * MS + 700_000
    grid.slip()
    assert grid.remaining_ns() == MS and grid.missed == 3
    grid.slip()
    assert grid.missed == 3


def test_every_is_due_at_its_rate_and_survives_jumps():
    every = Every(100.0)
    assert sum(every.due(i * MS) for i in range(1000)) == 100
    assert every.due(5_000 * MS) and not every.due(5_001 * MS)
    assert every.due(3 * MS), "after a jump back it does not wait for the old time"
    assert not any(Every(0.0).due(i * MS) for i in range(100))


def test_percentiles_without_keeping_samples(clock):
    pace, rng = Pace(MS), np.random.default_rng(3)
    work = rng.lognormal(np.log(300_000), 0.4, size=20_000).astype(int)
    for sample in work:
        pace.note(clock.now, clock.now + int(sample))
        clock.now += MS
    found = pace.percentiles_us()
    for name, share in (("p50", 50), ("p90", 90), ("p99", 99), ("p999", 99.9)):
        assert found[name] == pytest.approx(1e-3 * np.percentile(work, share), rel=0.03)
    assert found["max"] == pytest.approx(1e-3 * work.max())
    assert pace.overruns == int((work > MS).sum()) and pace.rate == pytest.approx(1000.0, rel=0.01)
