"""Scenario files: what is read, and the one clear line for what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wbc_control.errors import ScenarioError
from wbc_control.model.share import share_folder
from wbc_control.simulation.running import find_scenario
from wbc_control.simulation.scenario import load_scenario, read_scenario
from wbc_control.simulation.terrain_settings import StairsTerrain

CONTRACT = """
duration: 20.0
seed: 0
initial: {x: 0.0, y: 0.0, yaw_deg: 0.0, drop: 0.0, posture: default}
terrain: {type: flat, friction: 0.8, height: 0.0}
command:
  - {t: 0.0, vx: 0.0, vy: 0.0, wz: 0.0}
  - {t: 3.0, vx: 0.4}
push:
  - {t: 6.0, duration: 0.1, impulse: [10.0, 0.0, 0.0], link: torso_link}
fault:
  - {t: 8.0, kind: silence, topic: l_sole/wrench, duration: 0.5}
noise: {gyro: 0.005, accelerometer: 0.05, joint_position: 0.0001, joint_velocity: 0.01, wrench: 1.0}
actuation: {delay: 0.002, torque_scale: 1.0}
payload: {link: torso_link, mass: 0.0}
"""


def _refusal(changes: dict[str, Any]) -> str:
    with pytest.raises(ScenarioError) as caught:
        read_scenario({"duration": 1.0} | changes, "x", "x.yaml")
    message = str(caught.value)
    assert "\n" not in message and message.startswith("x.yaml")
    return message


def test_the_contract_s_example_is_read(tmp_path: Path) -> None:
    file = tmp_path / "example.yaml"
    file.write_text(CONTRACT, encoding="utf-8")
    scenario = load_scenario(file)
    assert scenario.name == "example" and scenario.duration == 20.0
    assert scenario.command[1].vx == 0.4 and scenario.command[1].wz == 0.0
    assert scenario.push[0].impulse == (10.0, 0.0, 0.0)
    assert scenario.fault[0].kind == "silence" and scenario.actuation.delay == 0.002


def test_integers_are_numbers() -> None:
    scenario = read_scenario({"duration": 3, "push": [{"t": 1, "impulse": [1, 0, 0]}]}, "x")
    assert scenario.duration == 3.0 and isinstance(scenario.push[0].impulse[0], float)


def test_terrain_types_have_their_own_keys() -> None:
    stairs = read_scenario(
        {"duration": 1.0, "terrain": {"type": "stairs", "height": 0.2, "depth": 0.3, "count": 4}}, "x"
    ).terrain
    assert isinstance(stairs, StairsTerrain) and stairs.height == 0.2
    assert "unknown key 'pitch_deg'" in _refusal({"terrain": {"type": "stairs", "pitch_deg": 3.0}})


def test_timed_parameter_changes_are_sorted() -> None:
    rows = [{"t": 2.0, "whole_body_qp.com.weight": 1.0}, {"centroidal_planner.motion.kind": "sway"}]
    changes = read_scenario({"duration": 3.0, "set": rows}, "x").set
    assert [change.t for change in changes] == [0.0, 2.0]
    assert changes[0].values == {"centroidal_planner.motion.kind": "sway"}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"duration": -1.0}, "'duration': is -1.0, wanted at least 0.001"),
        ({"duration": "long"}, "wanted a number"),
        ({"duration": True}, "wanted a number"),
        ({"duration": float("nan")}, "finite"),
        ({"terain": {}}, "did you mean 'terrain'?"),
        ({"seed": 1.5}, "whole number"),
        ({"terrain": {"type": "stiars"}}, "did you mean 'stairs'?"),
        ({"terrain": {"friction": 0.0}}, "'friction'"),
        ({"terrain": [1]}, "wanted a mapping"),
        ({"push": [{"t": 0.5}]}, "entry 1: lacks 'impulse'"),
        ({"push": [{"t": 0.5, "impulse": [1.0, 2.0]}]}, "list of 3 numbers"),
        ({"push": {"t": 0.5}}, "wanted a list"),
        ({"push": [{"t": 2.0, "impulse": [1.0, 0.0, 0.0]}]}, "after the end at 1 s"),
        ({"fault": [{"t": 0.0, "kind": "sleepy", "topic": "imu/data"}]}, "wanted one of silence, nan"),
        ({"command": [{"t": 0.9}, {"t": 0.1}]}, "not in order"),
        ({"initial": {"posture": {"knee": "bent"}}}, "'knee': is 'bent'"),
        ({"set": [{"t": 0.0, "kind": "sway"}]}, "write node.parameter"),
        ({"set": [{"t": -1.0, "a.b": 1}]}, "time of at least 0 s"),
        ({"name": "y"}, "named by its file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(changes: dict[str, Any], wanted: str) -> None:
    assert wanted in _refusal(changes)


def test_missing_duration_and_other_content() -> None:
    with pytest.raises(ScenarioError, match="lacks 'duration'"):
        read_scenario({}, "x")
    with pytest.raises(ScenarioError, match="wanted a mapping"):
        read_scenario([1, 2], "x")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_scenario(tmp_path / "nowhere.yaml")
    broken = tmp_path / "broken.yaml"
    broken.write_text("duration: 1.0\nnoise: {gyro: [\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"not valid YAML at line \d"):
        load_scenario(broken)


def test_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(ScenarioError, match=r"unknown scenario 'stnd'.*push.*stand"):
        find_scenario("stnd")


@pytest.mark.parametrize("path", sorted(share_folder("config/scenarios").glob("*.yaml")), ids=lambda p: p.stem)
def test_every_shipped_scenario_is_valid(path: Path) -> None:
    assert load_scenario(path).duration > 0.0
