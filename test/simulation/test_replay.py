"""A stack fed the recorded samples of a run gives the same efforts, bit for bit; the benchmark rests on it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")

from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario
from wbc_control.stack import ControlStack

SWAY = {"centroidal_planner.motion.kind": "sway"}


class _Tape:
    """Keeps every period."""

    def __init__(self) -> None:
        self.periods: list[Period] = []

    def observe(self, period: Period) -> None:
        self.periods.append(period)


def test_replayed_samples_give_the_same_efforts() -> None:
    run = prepare("quadruped", read_scenario({"duration": 0.4, "set": [{"t": 0.2, **SWAY}]}, "x"))
    tape = _Tape()
    run.loop.run([tape])
    stack = ControlStack(run.model, run.parameters)
    for period in tape.periods:
        if period.index == 200:
            stack.set_parameters(SWAY)
        np.testing.assert_array_equal(stack.tick(period.sample, None), period.effort)
