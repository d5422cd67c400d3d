"""The whole stack in MuJoCo: every gait steps in place, and a known step of 10 cm is climbed, up and down again."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs the physics engine of the extra 'sim'")

from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario
from wbc_control.stack import ControlStack

PLANNER = "centroidal_planner."


class Lifts:
    """How often each foot left the ground: felt contacts of the estimate that ended while the plan had the foot fly."""

    def __init__(self, stack: ControlStack) -> None:
        self._stack, self._before = stack, np.zeros(4, dtype=bool)
        self.count = np.zeros(4, dtype=int)

    def observe(self, period: Period) -> None:
        if self._stack.reference is None or self._stack.estimate is None:
            return
        flying = ~self._stack.reference.in_contact & ~self._stack.estimate.contact.in_contact
        self.count += flying & ~self._before
        self._before = flying


def stands_after(robot: str, scenario: dict) -> tuple[float, np.ndarray]:
    """Runs; the base's last x, m, and how often each foot left the ground."""
    run = prepare(robot, read_scenario({"actuation": {"delay": 0.002}, **scenario}, "test"))
    assert isinstance(run.loop.controller, ControlStack)
    lifts = Lifts(run.loop.controller)
    outcome = run.loop.run([lifts])
    x = float(run.backend.ground_truth().q[0])
    run.backend.close()
    assert not outcome.fell, outcome.reason
    return x, lifts.count


@pytest.mark.slow
@pytest.mark.parametrize("gait", ["run_in_place", "pace", "bound", "crawl"])
def test_a_quadruped_steps_in_place_in_every_gait(gait: str) -> None:
    march = {"t": 0.0, PLANNER + "gait.name": gait, PLANNER + "gait.march": True}
    x, lifts = stands_after("quadruped", {"duration": 4.5, "set": [march]})
    assert abs(x) < 0.4 and lifts.min() >= 2


@pytest.mark.slow
def test_a_quadruped_crosses_a_known_kerb() -> None:
    ground = [0.4, 0.0, 0.4, 0.1, 0.9, 0.1, 0.9, 0.0]
    known = {
        "t": 0.0,
        PLANNER + "gait.name": "trot",
        PLANNER + "step.acceleration": 150.0,
        PLANNER + "ground.profile": ground,
    }
    terrain = {"type": "stairs", "height": 0.1, "depth": 0.35, "count": 1, "start": 0.4, "top": 0.5}
    command = [{"t": 0.0}, {"t": 1.6, "vx": 0.3}]
    x, _ = stands_after("quadruped", {"duration": 7.5, "terrain": terrain, "set": [known], "command": command})
    assert x > 1.25
