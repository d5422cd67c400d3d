"""The lockstep loop: order of events, determinism, falls; on a world without physics and on MuJoCo."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from simulated_robots import HoldPosture, robot

from wbc_control.errors import ParameterError, ScenarioError
from wbc_control.simulation.closed_loop import ClosedLoop, Outcome, Period, initial_state
from wbc_control.simulation.fake_backend import FakeBackend
from wbc_control.simulation.report import WALL_CLOCK_KEYS, Report
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario
from wbc_control.simulation.terrain import Ground

QUIET = {"gyro": 0.0, "accelerometer": 0.0, "joint_position": 0.0, "joint_velocity": 0.0, "wrench": 0.0}


def _fake_loop(changes: dict[str, Any], name: str = "humanoid") -> tuple[ClosedLoop, HoldPosture, FakeBackend]:
    model, _ = robot(name)
    controller, backend = HoldPosture(model), FakeBackend(model)
    scenario = read_scenario({"duration": 0.05, "noise": QUIET} | changes, "test")
    return ClosedLoop(model, controller, backend, Ground(), scenario, "effort_controller"), controller, backend


class _Watch:
    """Keeps every period."""

    def __init__(self) -> None:
        self.periods: list[Period] = []

    def observe(self, period: Period) -> None:
        self.periods.append(period)


def test_runs_the_whole_duration_in_whole_periods() -> None:
    loop, _, _ = _fake_loop({})
    watch = _Watch()
    outcome = loop.run([watch])
    assert not outcome.fell and outcome.periods == 50 and outcome.sim_time_s == pytest.approx(0.05)
    assert [p.time_ns for p in watch.periods] == [k * 1_000_000 for k in range(50)]
    assert all(p.sample.time_ns == p.time_ns == p.truth.time_ns for p in watch.periods)


def test_commands_changes_and_pushes_come_at_their_times() -> None:
    link = robot("humanoid")[0].pinocchio.frames[robot("humanoid")[0].torso_frame_id].name
    loop, controller, backend = _fake_loop(
        {
            "command": [{"t": 0.01, "vx": 0.5}],
            "set": [{"t": 0.02, "whole_body_qp.com.weight": 3.0}],
            "push": [{"t": 0.04, "duration": 0.02, "impulse": [1.0, 0.0, 0.0]}],
        }
    )
    loop.run()
    assert controller.velocities[9] is None and controller.velocities[10].linear[0] == 0.5  # type: ignore[union-attr]
    assert controller.changes == [{"whole_body_qp.com.weight": 3.0}]
    np.testing.assert_allclose(backend.applied_wrenches[link][:3], [50.0, 0.0, 0.0])


def test_actuation_delay_lies_between_command_and_torque() -> None:
    loop, _, _ = _fake_loop({"actuation": {"delay": 0.003}, "initial": {"posture": {_a_joint(): 0.1}}})
    watch = _Watch()
    loop.run([watch])
    efforts, applied = np.array([p.effort for p in watch.periods]), np.array([p.applied_effort for p in watch.periods])
    np.testing.assert_array_equal(applied[3:], efforts[:-3])
    np.testing.assert_array_equal(applied[:3], 0.0)


def _a_joint() -> str:
    return robot("humanoid")[0].joint_names[3]


def test_nan_fault_reaches_the_controller_and_not_the_truth() -> None:
    loop, controller, _ = _fake_loop({"fault": [{"t": 0.01, "kind": "nan", "topic": "imu/data", "duration": 0.01}]})
    watch = _Watch()
    loop.run([watch])
    assert np.isnan(controller.samples[12].imu.angular_velocity).all()
    assert (
        np.isfinite(watch.periods[12].truth.q).all() and np.isfinite(controller.samples[30].imu.angular_velocity).all()
    )


def test_posture_of_an_unknown_joint_is_refused_with_a_suggestion() -> None:
    model, _ = robot("humanoid")
    settings = read_scenario({"duration": 1.0, "initial": {"posture": {_a_joint() + "x": 0.0}}}, "x").initial
    with pytest.raises(ScenarioError, match=f"did you mean '{_a_joint()}'"):
        initial_state(model, settings)


def test_what_would_go_wrong_later_is_refused_before_the_start() -> None:
    link = {"push": [{"t": 0.02, "impulse": [1.0, 0.0, 0.0], "link": "torso_lnk"}]}
    with pytest.raises(ScenarioError, match="unknown key 'torso_lnk'"):
        _fake_loop(link)
    with pytest.raises(ScenarioError, match="unknown topic 'imu'"):
        _fake_loop({"fault": [{"t": 0.01, "kind": "nan", "topic": "imu"}]})
    for values, wanted in (
        ({"whole_body_qp.com.wieght": 1.0}, "did you mean 'com.weight'"),
        ({"whole_body_qp.rate": 500.0}, "cannot change while running"),
        ({"tail.wag": 1.0}, "no node with live parameters"),
    ):
        scenario = read_scenario({"duration": 1.0, "set": [{"t": 0.5, **values}]}, "x")
        with pytest.raises(ParameterError, match=f"'set' at t = 0.5 s.*{wanted}"):
            prepare("humanoid", scenario, controller=HoldPosture)


def test_start_pose_and_posture() -> None:
    model, _ = robot("humanoid")
    settings = read_scenario(
        {"duration": 1.0, "initial": {"x": 1.0, "y": 2.0, "yaw_deg": 90.0, "posture": {_a_joint(): 0.25}}}, "x"
    ).initial
    q = initial_state(model, settings).q
    np.testing.assert_allclose(q[:2], [1.0, 2.0])
    np.testing.assert_allclose(q[3:7], [0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-12)
    assert model.joint_positions(q)[3] == 0.25


def _mujoco_run(name: str, changes: dict[str, Any]) -> tuple[Outcome, dict[str, Any]]:
    pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")
    scenario = read_scenario({"duration": 0.4} | changes, "test")
    run = prepare(name, scenario, controller=HoldPosture)
    outcome = run.loop.run([run.report])
    return outcome, run.finish(outcome)


def test_same_seed_gives_a_bit_identical_report() -> None:
    first, second, other = (_mujoco_run("quadruped", {"seed": seed})[1] for seed in (4, 4, 5))
    for report in (first, second, other):
        for key in WALL_CLOCK_KEYS:
            del report[key]
        del report["seed"]
    assert json.dumps(first) == json.dumps(second) != json.dumps(other)


def test_fall_ends_the_run_and_is_reported() -> None:
    push = [{"t": 0.1, "duration": 0.1, "impulse": [0.0, 60.0, 0.0]}]
    outcome, report = _mujoco_run("humanoid", {"duration": 5.0, "push": push})
    assert outcome.fell and outcome.sim_time_s < 3.0
    assert report["fell"] and report["fall_reason"] and report["events"][-1]["event"] == "fall"
    assert report["pushes"][0]["survived"] is False and report["pushes"][0]["ratio"] > 1.0


def test_report_holds_every_key_of_its_contract_and_only_json() -> None:
    _, report = _mujoco_run("quadruped", {"push": [{"t": 0.1, "impulse": [1.0, 0.0, 0.0]}], "command": [{"t": 0.0}]})
    wanted = {
        "robot", "scenario", "fell", "sim_time_s", "real_time_factor", "ticks", "tick_us", "deadline_misses", "solver",
        "zmp_margin", "friction_use_max", "torque_use_max", "torque_rate_use_max", "dynamics_residual_max",
        "limit_violations", "contact", "base_estimate", "tracking", "distance_m", "mean_speed", "pushes", "events",
    }  # fmt: skip
    assert wanted <= report.keys()
    assert {"p50", "p90", "p99", "p999", "max"} == report["tick_us"].keys()
    assert {"not_solved", "fallbacks", "iterations_mean", "causes"} <= report["solver"].keys()
    assert {"t", "impulse", "survived", "lipm_zero_step_limit", "ratio"} <= report["pushes"][0].keys()
    assert 0.9 < report["zmp_margin"]["mean"] <= 1.0 and report["limit_violations"] == 0
    assert report["pushes"][0]["survived"] and report["tracking"]["velocity_rmse"] > 0.0
    json.dumps(report, allow_nan=False)


def test_fake_world_gives_a_report_too() -> None:
    loop, _, _ = _fake_loop({})
    report = Report(loop, robot("humanoid")[1])
    assert report.build(loop.run([report]))["ticks"] == 50
