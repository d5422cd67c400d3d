"""The verbs do their work on a short scenario: files written, exit codes, determinism."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import refused, wbc

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")


@pytest.fixture
def short(tmp_path: Path) -> str:
    file = tmp_path / "short.yaml"
    file.write_text("duration: 0.3\n", encoding="utf-8")
    return str(file)


def test_simulate_writes_a_report_and_a_summary(short: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report.json"
    said = wbc(capsys, "simulate", short, "--robot", "humanoid", "--json", str(target))
    report = json.loads(target.read_text(encoding="utf-8"))
    assert said.code == 0 and "humanoid, short: did not fall" in said.out
    assert report["ticks"] == 300 and report["solver"]["not_solved"] == 0 and not report["fell"]


def test_a_fall_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kick.yaml"
    file.write_text("duration: 4.0\npush: [{t: 0.2, impulse: [0.0, 90.0, 0.0]}]\n", encoding="utf-8")
    said = wbc(capsys, "simulate", str(file), "--robot", "humanoid")
    assert said.code == 1 and "FELL at" in said.out and "fell" in said.out


def test_rigid_backend_is_known_by_name(short: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("simulation.backend", "simulator.backend", "mujoco_sim.backend"):
        said = wbc(capsys, "simulate", short, "--robot", "quadruped", "--set", f"{name}=rigid")
        assert said.code == 0 and "did not fall" in said.out
    stairs = refused(capsys, "simulate", "stairs", "--robot", "quadruped", "--set", "simulation.backend=rigid")
    assert "has a step of 0.100 m" in stairs and "simulation.backend=mujoco" in stairs
    assert "wanted one of mujoco, rigid" in refused(
        capsys, "simulate", short, "--robot", "quadruped", "--set", "simulation.backend=bullet"
    )


def test_benchmark_reports_every_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "benchmark.json"
    said = wbc(capsys, "benchmark", "--robot", "quadruped", "--steps", "50", "--json", str(target))
    result = json.loads(target.read_text(encoding="utf-8"))
    assert said.code == 0 and "quadruped: 50 ticks" in said.out
    assert (
        result["threads"] == 1
        and result["steps"] == 50
        and {"p50", "p90", "p99", "p999", "max"} == result["tick_us"].keys()
    )
    assert {"estimator", "model", "assembly", "solve", "pd"} <= result["stages_us"].keys()
    for stage, row in result["stages_us"].items():
        assert 0.0 <= row["p50"] <= row["max"]
        # The planner is a process of its own, outside the tick.
        assert stage == "planner" or row["max"] <= result["tick_us"]["max"]
    assert "wanted at least 1" in wbc(capsys, "benchmark", "--steps", "0").err


def test_sweep_counts_successes_with_their_interval(
    short: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "sweep.json"
    words = ("--robot", "quadruped", "--vary", "noise.gyro=0.0:0.01:2", "--vary", "payload.mass=0.0:1.0")
    said = wbc(capsys, "sweep", short, *words, "--trials", "2", "--jobs", "1", "--json", str(target))
    summary = json.loads(target.read_text(encoding="utf-8"))
    assert said.code == 0 and "4 of 4" in said.out and summary["n"] == 4
    assert len(summary["points"]) == 2 and 0.3 < summary["low"] < summary["high"] == 1.0
    assert len({trial["values"]["payload.mass"] for trial in summary["trials"]}) == 4
    assert len({trial["seed"] for trial in summary["trials"]}) == 4


def test_plot_is_written(short: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    target = tmp_path / "plot.png"
    assert wbc(capsys, "simulate", short, "--robot", "quadruped", "--plot", str(target)).code == 0
    assert target.read_bytes().startswith(b"\x89PNG")
