"""Standing with each source removed in turn, and slip told in time: the short version of the table in the docs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wbc_control.cli.main import main
from wbc_control.simulation.faults import FaultInjector
from wbc_control.simulation.scenario import FaultSettings
from wbc_control.state import ImuSample, JointState, SensorSample

pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")

MS = 1_000_000


def report(tmp_path: Path, *words: str) -> dict[str, Any]:
    file = tmp_path / "report.json"
    main(["simulate", *words, "--json", str(file)])
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "poor",
    [
        ("--set", "contact_estimator.sensors.wrench_axes=none"),
        ("--set", "contact_estimator.sensors.joint_effort=false"),
        ("--change", "fault=[{t: 0.0, kind: slow, topic: imu/data, value: 0.005}]"),
        ("--change", "fault=[{t: 0.5, kind: kill, topic: l_sole/wrench}]"),
        ("--change", "fault=[{t: 0.5, kind: bias, topic: l_sole/wrench, value: 20.0}]"),
    ],
)
def test_a_standing_robot_loses_a_source_and_stands(poor: tuple[str, str], tmp_path: Path) -> None:
    found = report(tmp_path, "stand", "--robot", "humanoid", "--change", "duration=1.5", *poor)
    assert not found["fell"] and found["contact"]["false_transitions"] == 0
    base = found["base_estimate"]
    assert base["tilt_rmse_rad"] < np.radians(0.5) and base["velocity_rmse"] < 0.05
    assert base["position_drift_m"] < 0.01


@pytest.mark.slow
def test_slip_on_a_slab_of_low_friction_is_told_within_twenty_milliseconds(tmp_path: Path) -> None:
    slab = "terrain.boxes=[{position: [0.6, 0.5, 0.0005], size: [0.6, 1.0, 0.001], friction: 0.2}]"
    walk = "command=[{t: 0.0}, {t: 0.5, vx: 0.3}]"
    found = report(
        tmp_path, "slip", "--robot", "humanoid", "--change", "duration=4.0", "--change", slab, "--change", walk
    )
    slip = found["slip"]
    assert not found["fell"] and found["contact"]["false_transitions"] == 0
    assert slip["onsets"] >= 1 and slip["reported"] == slip["onsets"]
    assert slip["delay_ms_max"] <= 20.0 and slip["unfounded"] == 0


def sample(time_ns: int) -> SensorSample:
    joints = JointState(time_ns, np.zeros(2), np.zeros(2), np.zeros(2))
    imu = ImuSample(time_ns, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.zeros(3))
    stamps = np.full(1, time_ns, dtype=np.int64)
    return SensorSample(time_ns, joints, imu, np.zeros((1, 6)), stamps, np.ones(1, dtype=bool))


@pytest.mark.parametrize("period_ms", [1, 5, 7])
def test_a_slow_sensor_speaks_once_a_period_with_its_own_stamp(period_ms: int) -> None:
    fault = FaultSettings(t=0.0, kind="slow", topic="imu/data", value=1e-3 * period_ms)
    injector = FaultInjector([fault], ["foot"], "controller", 0)
    stamps = [injector.apply(sample(k * MS)).imu.time_ns // MS for k in range(40)]
    assert stamps == [k - k % period_ms for k in range(40)]


def test_a_bias_on_a_foot_adds_to_the_normal_force_alone() -> None:
    fault = FaultSettings(t=0.0, kind="bias", topic="foot/wrench", value=20.0)
    wrench = FaultInjector([fault], ["foot"], "controller", 0).apply(sample(0)).foot_wrenches
    np.testing.assert_array_equal(wrench, [[0.0, 0.0, 20.0, 0.0, 0.0, 0.0]])
