"""A scenario through the real nodes gives the verdict of the run in process."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
pytest.importorskip("mujoco", reason="needs mujoco (extra `sim`)")

pytestmark = pytest.mark.ros

SCENARIO = """
duration: 2.5
seed: 3
set:
  - {t: 0.5, centroidal_planner.motion.kind: sway, whole_body_qp.com.bandwidth: 7.0}
push:
  - {t: 1.0, duration: 0.1, impulse: [4.0, 0.0, 0.0]}
"""
REFUSED = """
duration: 2.0
set:
  - {t: 0.1, whole_body_qp.rate: 500.0}
"""


def simulate(start, tmp_path, text: str, *arguments: str):
    """Run ``wbc simulate``; the process and the report."""
    scenario, report = tmp_path / "short.yaml", tmp_path / "report.json"
    scenario.write_text(text, encoding="utf-8")
    child = start(
        "-m",
        "wbc_control.cli.main",
        "simulate",
        str(scenario),
        "--robot",
        "humanoid",
        "--json",
        str(report),
        *arguments,
    )
    child.wait(600.0)
    return child, json.loads(report.read_text()) if report.exists() else {}


@pytest.mark.parametrize("composition", ["true", pytest.param("false", marks=pytest.mark.slow)])
def test_same_verdict_as_in_process(start, tmp_path, composition):
    _, alone = simulate(start, tmp_path, SCENARIO)
    child, through = simulate(start, tmp_path, SCENARIO, "--ros", "--composition", composition)
    assert child.process.returncode == 0 and "Traceback" not in child.text, child.text
    assert set(alone) <= set(through)
    assert through["fell"] is alone["fell"] is False
    assert through["pushes"][0]["survived"] is alone["pushes"][0]["survived"] is True
    assert through["ticks"] == alone["ticks"] == 2500
    assert through["tracking"]["com_rmse_m"] < 0.05
    assert through["base_estimate"]["position_drift_m"] < 0.05
    assert through["dynamics_residual_max"] < 1e-6 and through["tick_us"]["p50"] > 0.0
    memory = through["ros"]["memory_mb"]
    assert len(memory) == (2 if composition == "true" else 4) and max(memory.values()) <= 200.0, memory
    assert through["ros"]["composition"] is (composition == "true") and through["ros"]["round_trip_us"]["p50"] > 0.0


def test_a_refused_parameter_ends_the_run_with_its_reason(start, tmp_path):
    child, report = simulate(start, tmp_path, REFUSED, "--ros")
    assert child.process.returncode == 1 and not report
    assert "rate" in child.text and "cannot change while running" in child.text and "Traceback" not in child.text
