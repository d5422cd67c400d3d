"""Recordings hold what the controller saw and did, as viewers read it: MCAP of JSON messages, or a table."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs mujoco (extra `sim`)")
from wbc_control.errors import BackendError
from wbc_control.simulation.closed_loop import Period
from wbc_control.simulation.recording import Recorder
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario

EVERY = 5


class Watcher:
    """Keeps the periods that a recorder of every fifth keeps."""

    def __init__(self) -> None:
        self.kept: list[Period] = []

    def observe(self, period: Period) -> None:
        if period.index % EVERY == 0:
            self.kept.append(period)


def recorded(path: Path) -> tuple[object, list[Period]]:
    pushed = {"duration": 0.1, "push": [{"t": 0.02, "duration": 0.02, "impulse": [1.0, 0.0, 0.0]}]}
    run, watcher = prepare("quadruped", read_scenario(pushed, "recorded")), Watcher()
    recorder = Recorder(run.loop, run.parameters, path, EVERY)
    run.loop.run([watcher, recorder])
    recorder.close()
    run.backend.close()
    return run, watcher.kept


def messages(path: Path) -> dict[str, list[tuple[int, dict]]]:
    reader = pytest.importorskip("mcap.reader", reason="needs mcap (extra `sim`)")
    found: dict[str, list[tuple[int, dict]]] = {}
    with path.open("rb") as stream:
        for _, channel, message in reader.make_reader(stream).iter_messages():
            found.setdefault(channel.topic, []).append((message.log_time, json.loads(message.data)))
    return found


def test_mcap_holds_what_the_controller_saw_and_did(tmp_path: Path) -> None:
    run, periods = recorded(tmp_path / "run.mcap")
    found = messages(tmp_path / "run.mcap")
    states = found["joint_states"]
    assert [time_ns for time_ns, _ in states] == [period.time_ns for period in periods]
    for (_, message), period in zip(states, periods):
        assert message["name"] == list(run.model.joint_names)
        np.testing.assert_allclose(message["position"], period.sample.joints.position, atol=1e-8)
        np.testing.assert_allclose(message["velocity"], period.sample.joints.velocity, atol=1e-8)
    for (_, message), period in zip(found[f"{run.parameters.bridge.controller}/commands"], periods):
        np.testing.assert_allclose(message["data"], period.effort, rtol=1e-6, atol=1e-6)
    foot = run.model.foot_names[1]
    force = found[f"{foot}/wrench"][-1][1]["wrench"]["force"]
    np.testing.assert_allclose([force[axis] for axis in "xyz"], periods[-1].sample.foot_wrenches[1, :3], rtol=1e-6)
    assert {"odom", "contact_state", "joint_command", "robot_description"} <= set(found)
    assert any("push" in message["message"] for _, message in found["simulation/events"])


def test_the_table_has_a_named_column_for_every_number(tmp_path: Path) -> None:
    run, periods = recorded(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["time"]) for row in rows] == pytest.approx([1e-9 * period.time_ns for period in periods])
    name = run.model.joint_names[3]
    column = [float(row[f"joint_states/position/{name}"]) for row in rows]
    assert column == pytest.approx([period.sample.joints.position[3] for period in periods], abs=1e-8)


@pytest.mark.parametrize(("name", "words"), [("no/such/folder/run.mcap", "cannot be written"), ("run.bag", ".mcap")])
def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path, name: str, words: str) -> None:
    run = prepare("quadruped", read_scenario({"duration": 0.1}, "recorded"))
    with pytest.raises(BackendError, match=words):
        Recorder(run.loop, run.parameters, tmp_path / name)
    run.backend.close()


@pytest.mark.slow
def test_an_interrupted_recording_can_be_read(tmp_path: Path) -> None:
    pytest.importorskip("mcap", reason="needs mcap (extra `sim`)")
    path = tmp_path / "run.mcap"
    command = ["-m", "wbc_control.cli.main", "simulate", "stand", "--robot", "quadruped", "--record", str(path)]
    child = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60.0
    while (not path.exists() or path.stat().st_size < 1_000_000) and time.monotonic() < deadline:
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60.0)
    assert "Traceback" not in said
    assert len(messages(path)["joint_states"]) > 100
