"""``wbc check``: every shipped robot passes, and each kind of mistake in a description or its parameters is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import refused, wbc

NAME = "humanoid"
CORNERS = "[0.1, 0.05, 0.0, -0.1, 0.05, 0.0, -0.1, -0.05, 0.0, 0.1, -0.05, 0.0]"
THIRD = f"robot.feet.third.link=l_foot_link;robot.feet.third.corners={CORNERS}"


@pytest.mark.parametrize("robot", ["humanoid", "quadruped"])
def test_shipped_robots_have_no_error(robot: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = wbc(capsys, "check", robot, "--json", str(tmp_path / "found.json"))
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert said.code == 0 and "0 errors" in said.out and found["errors"] == 0
    assert {"model", "limits", "frames", "posture", "soles", "sensors", "gains"} <= {
        f["subject"] for f in found["findings"]
    }


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("robot.joints.l_knee_joint.standing=9.0", "standing posture breaks the limits of l_knee_joint"),
        (f"robot.feet.third.rpy=[3.14159, 0.0, 0.0];{THIRD}", "z of sole 'third' points 180° off up"),
        ("robot.feet.l_sole.rpy=[3.14159, 0.0, 0.0]", "lies elsewhere than origin and rpy say"),
        ("robot.mass_max=1.0", "total mass"),
        ("robot.feet.l_sole.link=tail", "no link 'tail'"),
        ("joint_pd_bridge.gains.tail.kp=1.0", "gains for tail"),
        ("joint_pd_bridge.damping=5000.0", "it will oscillate"),
        ("contact_estimator.sensors.feet.tail.sign=1.0", "sensors.feet names tail"),
        ("contact_estimator.sensors.feet.l_sole.bias=[1.0, 2.0]", "has 2 numbers, wanted 6"),
        ("contact_estimator.sensors.feet.l_sole.sign=0.5", "wanted +1, −1 or 0"),
        ("contact_estimator.sensors.feet.l_sole.lift_force=0.5", "is not below touch_force"),
        ("robot.joints.r_knee_joint.effort=5.0", "motor too weak, or effort limit wrong"),
    ],
)
def test_a_mistake_is_an_error_with_its_place(setting: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = wbc(capsys, "check", NAME, *(word for one in setting.split(";") for word in ("--set", one)))
    assert said.code == 1
    assert any(line.startswith("ERROR") and words in line for line in said.out.splitlines())


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (
            "robot.feet.l_sole.corners=[0.1, 0.05, 0.0, -0.1, 0.05, 0.01, -0.1, -0.05, 0.0, 0.1, -0.05, 0.0]",
            "differ in z",
        ),
        (f"robot.feet.third.origin=[0.0, 0.0, 0.1];{THIRD}", "in height while it stands"),
        ("contact_estimator.sensors.wrench_noise=50.0", "three times the noise"),
        ("joint_pd_bridge.gains.l_knee_joint.kd=0.001", "damping ratio below"),
        ("robot.imu_link=''", "robot.imu_link is not set"),
    ],
)
def test_what_is_unusual_is_a_warning(setting: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = wbc(capsys, "check", NAME, *(word for one in setting.split(";") for word in ("--set", one)))
    assert any(line.startswith("warning") and words in line for line in said.out.splitlines())


def test_a_bare_description_is_checked_with_default_parameters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='{}' ixy='0' ixz='0' iyz='0'/></inertial>"
    joint = "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
    joint += "<limit lower='-1' upper='1' effort='5' velocity='5'/></joint>"
    links = f"<link name='a'>{inertial.format(1)}</link><link name='b'>{inertial.format(3)}</link>"
    (tmp_path / "own.urdf").write_text(f"<robot name='own'>{links}{joint}</robot>", encoding="utf-8")
    said = wbc(capsys, "check", str(tmp_path / "own.urdf"))
    assert said.code == 0 and "1 joints, floating base, 2.00 kg" in said.out
    assert "no foot is declared" in said.out and "no body can have" in said.out


def test_params_files_are_laid_over_the_robot_s(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("joint_pd_bridge:\n  ros__parameters: {damping: 5000.0}\n", encoding="utf-8")
    assert wbc(capsys, "check", NAME, "--params", str(file)).code == 1
    assert wbc(capsys, "check", NAME, "--params", str(file), "--set", "joint_pd_bridge.damping=1.0").code == 0
    assert "cannot be read" in refused(capsys, "check", NAME, "--params", str(tmp_path / "none.yaml"))
