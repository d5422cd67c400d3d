"""``wbc calibrate`` puts a robot right whose foot sensors have a wrong sign and a bias, and refuses exchanged joints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import refused, wbc

from wbc_control.parameters import read_parameter_file

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")

NAME = "quadruped"
WRONG = (
    "fault=[{t: 0.0, kind: flip_sign, topic: fl_sole/wrench}, {t: 0.0, kind: bias, topic: rr_sole/wrench, value: 60.0}]"
)


def complaints(report: Path) -> list[str]:
    events = json.loads(report.read_text(encoding="utf-8"))["events"]
    return [event["detail"] for event in events if event["event"] == "estimate unhealthy"]


@pytest.mark.slow
def test_wrong_sign_and_bias_are_put_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, report = tmp_path / "feet.yaml", tmp_path / "report.json"
    run = ("simulate", "stand", "--robot", NAME, "--change", "duration=0.6", "--change", WRONG, "--json", str(report))
    wbc(capsys, *run)
    assert any(reason.startswith("start refused") for reason in complaints(report))
    assert wbc(capsys, "calibrate", "--robot", NAME, "--change", WRONG, "--out", str(found)).code == 0
    values = read_parameter_file(found)["contact_estimator"]
    assert values["sensors.feet.fl_sole.sign"] == -1.0 and values["sensors.feet.fr_sole.sign"] == 1.0
    assert values["sensors.feet.rr_sole.bias"][2] == pytest.approx(60.0, abs=0.5)
    assert wbc(capsys, *run, "--params", str(found)).code == 0
    assert complaints(report) == []


@pytest.mark.slow
def test_joints_in_another_order_are_refused_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shuffled = ("--change", "fault=[{t: 0.0, kind: shuffle, topic: joint_states}]")
    words = refused(capsys, "calibrate", "--robot", NAME, *shuffled, "--out", str(tmp_path / "none.yaml"))
    assert "order of the joints" in words and not (tmp_path / "none.yaml").exists()


def test_what_has_no_feet_has_nothing_to_calibrate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "cannot be read" in refused(capsys, "calibrate", "--robot", str(tmp_path / "none.yaml"))
    assert "key=value" in refused(capsys, "calibrate", "--robot", NAME, "--change", "duration")
