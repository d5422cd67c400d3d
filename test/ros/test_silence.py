"""Nodes that fall silent in a running stack (C29): a paused planner is outlived, a killed controller ends the whole."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from conftest import wait_until

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
pytest.importorskip("mujoco", reason="needs mujoco (extra `sim`)")
import rclpy

from wbc_control.model import RobotModel
from wbc_control.model.catalogue import load_robot
from wbc_control.ros.conversions.odometry import decode_odometry
from wbc_control.ros.conversions.scalars import decode_scalars
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.topics import TOPICS

pytestmark = [pytest.mark.ros, pytest.mark.slow]

START_S = 180.0
STANDING = re.compile(r"Hz.*zmp_margin +\d")
STALE_S = 1.0


class Watch:
    """Age of the plan that the controller follows, s, and the true height of the base, m."""

    def __init__(self, node) -> None:
        self._solver, self._odometry = (Inbox(node, TOPICS[key], TOPICS[key].name) for key in ("solver", "true_odom"))
        self.age = float("nan")
        self.lowest = float("inf")

    def look(self) -> None:
        solver, odometry = self._solver.take_newest(), self._odometry.take_newest()
        if solver is not None:
            self.age = decode_scalars(solver)["plan_age_s"]
        if odometry is not None:
            self.lowest = min(self.lowest, float(decode_odometry(odometry)[0][2]))

    def until(self, condition) -> bool:
        def there() -> bool:
            self.look()
            return condition(self)

        return wait_until(there, START_S)


def processes_of(pid: int) -> dict[str, int]:
    """Node → process id of the children."""
    ids = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    modules = {child: Path(f"/proc/{child}/cmdline").read_text().split("\0")[2] for child in ids}
    return {module.rsplit(".", 1)[-1]: child for child, module in modules.items()}


def test_a_paused_planner_is_outlived_and_a_killed_controller_ends_all(start, context):
    child = start("-m", "wbc_control.cli.main", "up", "--robot", "humanoid", "--composition", "false")
    assert wait_until(lambda: bool(STANDING.search(child.text)), START_S), child.text
    node, nodes = rclpy.create_node("watch", context=context), processes_of(child.process.pid)
    standing = RobotModel.from_parameters(load_robot("humanoid").robot).standing_configuration()[2]
    watch = Watch(node)
    assert watch.until(lambda seen: seen.age < 0.1), "plans arrive"
    os.kill(nodes["centroidal_planner"], signal.SIGSTOP)
    assert watch.until(lambda seen: seen.age > STALE_S), "the plan grows old"
    os.kill(nodes["centroidal_planner"], signal.SIGCONT)
    assert watch.until(lambda seen: seen.age < 0.1), "a new plan is followed again"
    assert watch.lowest > 0.95 * standing
    node.destroy_node()
    os.kill(nodes["whole_body_qp"], signal.SIGKILL)
    assert child.wait(60.0) == 1
    assert "whole_body_qp ended by itself with exit code -9" in child.text and "Traceback" not in child.text
    assert not any(Path(f"/proc/{number}").exists() for number in nodes.values())
