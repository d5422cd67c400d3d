"""Parameter files: what is wrong is said with file and place, and what is given last wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from wbc_control.errors import ParameterError
from wbc_control.model import load_robot
from wbc_control.parameters import StackParameters, read_parameter_file, stack_parameters

FILE = """\
/**:
  ros__parameters:
    use_sim_time: true
    robot: {name: dog, urdf: dog.urdf}
joint_pd_bridge:
  ros__parameters:
    kp: 30.0
    gains.knee: {kp: 5.0}
"""


def written(folder: Path, text: str, name: str = "dog.yaml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_nested_and_dotted_names_are_the_same(tmp_path: Path) -> None:
    parameters = stack_parameters(read_parameter_file(written(tmp_path, FILE)))
    assert parameters.robot.name == "dog" and parameters.bridge.kp == 30.0
    assert parameters.bridge.gains["knee"].kp == 5.0 and parameters.bridge.gains["knee"].kd == 0.0


def test_defaults_then_file_then_further_file_then_override(tmp_path: Path) -> None:
    first = written(tmp_path, FILE)
    later = written(tmp_path, "joint_pd_bridge: {ros__parameters: {kp: 40.0}}", "more.yaml")
    assert StackParameters().bridge.kp == 20.0
    assert load_robot(first).bridge.kp == 30.0
    assert load_robot(first, None, (later,)).bridge.kp == 40.0
    last = load_robot(first, {"joint_pd_bridge.kp": 50.0, "robot.name": "cat"}, (later,))
    assert last.bridge.kp == 50.0 and last.robot.name == "cat"
    assert last.bridge.gains["knee"].kp == 5.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a:\n  b: [1, 2\nc: 3\n", r"dog\.yaml: is not valid YAML at line 3"),
        ("a: b: c", "is not valid YAML at line 1"),
        ("- 1\n", "holds no node sections"),
        ("", "holds no node sections"),
        ("joint_pd_bridge: {kp: 3.0}", "section 'joint_pd_bridge' has no mapping `ros__parameters`"),
        ("joint_bridge: {ros__parameters: {kp: 3.0}}", "'joint_bridge' is no node of the stack"),
        ("'/**': {ros__parameters: {kp: 3.0}}", r"may hold only robot\.\*"),
        ("joint_pd_bridge: {ros__parameters: {kp: 3}}", r"'kp': is the integer 3, wanted a double: write 3\.0"),
        ("joint_pd_bridge: {ros__parameters: {kp: .nan}}", "'kp': is nan, wanted a finite number"),
        ("joint_pd_bridge: {ros__parameters: {kp: -1.0}}", r"'kp': is -1\.0, outside \[0, 100000\] N·m/rad"),
        ("joint_pd_bridge: {ros__parameters: {gains: {knee: {kq: 1.0}}}}", r"unknown parameter 'gains\.knee\.kq'"),
        (
            "contact_estimator: {ros__parameters: {contact: {lift_force: 0.4, touch_force: 0.4}}}",
            r"lift_force 0\.4 must be below contact\.touch_force 0\.4",
        ),
        ("mujoco_sim: {ros__parameters: {timestep: 0.0007}}", "no whole multiple"),
    ],
)
def test_a_bad_file_is_refused_with_its_name_and_the_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said) as caught:
        load_robot(written(tmp_path, text))
    assert "dog.yaml" in str(caught.value) and "\n" not in str(caught.value)


def test_files_that_are_missing_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"none\.yaml: cannot be read: No such file"):
        load_robot(str(tmp_path / "none.yaml"))
    (tmp_path / "noise.yaml").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(ParameterError, match="is not valid YAML"):
        load_robot(str(tmp_path / "noise.yaml"))


def test_unknown_robots_and_override_nodes() -> None:
    with pytest.raises(ParameterError, match=r"unknown robot 'humanoyd'.*did you mean 'humanoid'"):
        load_robot("humanoyd")
    with pytest.raises(ParameterError, match="'joint_bridge' is no node of the stack"):
        load_robot("quadruped", {"joint_bridge.kp": 1.0})
