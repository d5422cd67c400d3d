"""A robot description is found wherever it may lie, and one sentence says where it was looked for."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wbc_control.errors import ModelError, ParameterError
from wbc_control.model.share import config_path, known_robots, share_folder, share_root
from wbc_control.model.urdf_source import package_dirs, resolve_urdf

ROBOT = '<robot name="dot"><link name="base"/></robot>'


def write(path: Path, text: str = ROBOT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_plain_path_is_read(tmp_path: Path) -> None:
    file = write(tmp_path / "dot.urdf")
    source = resolve_urdf(str(file))
    assert source.path == file and source.urdf_text == ROBOT
    assert resolve_urdf(f"file://{file}").path == file


def test_a_path_below_our_urdf_folder_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "humanoid.urdf.xacro")
    assert resolve_urdf("humanoid.urdf.xacro").path == share_folder("urdf") / "humanoid.urdf.xacro"
    assert resolve_urdf("./humanoid.urdf.xacro").path == tmp_path / "humanoid.urdf.xacro"


@pytest.mark.parametrize("variable", ["AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH"])
def test_packages_are_found_through_ros_variables(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = tmp_path / "share" if variable == "AMENT_PREFIX_PATH" else tmp_path
    file = write(share / "dot_description" / "urdf" / "dot.urdf")
    monkeypatch.setenv(variable, f"/nowhere:{tmp_path}")
    source = resolve_urdf("package://dot_description/urdf/dot.urdf")
    assert source.path == file and share in source.package_dirs


def test_ros_package_path_may_name_the_package_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "dot_description" / "dot.urdf")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "dot_description"))
    assert resolve_urdf("package://dot_description/dot.urdf").path == file


def test_data_wheels_are_found_on_every_entry_of_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "cmeel.prefix" / "share" / "dot-data" / "dot.urdf")
    monkeypatch.setattr(sys, "path", ["", "/nowhere", str(tmp_path)])
    assert resolve_urdf("package://dot-data/dot.urdf").path == file


def test_our_own_package_can_be_named() -> None:
    source = resolve_urdf("package://wbc_control/urdf/quadruped.urdf.xacro")
    assert source.path == share_root() / "urdf" / "quadruped.urdf.xacro"


def test_meshes_beside_a_copied_description_come_first(tmp_path: Path) -> None:
    write(tmp_path / "dot_description" / "package.xml", "<package/>")
    file = write(tmp_path / "dot_description" / "urdf" / "dot.urdf")
    assert package_dirs(file)[0] == tmp_path


def test_package_dirs_exist_and_are_named_once() -> None:
    folders = package_dirs(share_root() / "urdf" / "humanoid.urdf.xacro")
    assert all(folder.is_dir() for folder in folders) and len(set(folders)) == len(folders)


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("", ["robot.urdf"]),
        ("nowhere.urdf", ["nowhere.urdf", "urdf"]),
        ("/nowhere/dot.urdf", ["/nowhere/dot.urdf"]),
        ("package://no_such_package/dot.urdf", ["no_such_package", "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH"]),
        ("package://wbc_control/urdf/none.urdf", ["none.urdf", str(share_root())]),
    ],
)
def test_what_is_not_found_is_said_in_one_sentence(uri: str, words: list[str]) -> None:
    with pytest.raises(ModelError) as caught:
        resolve_urdf(uri)
    assert "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words)


def test_missing_robot_data_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/nowhere"])
    with pytest.raises(ModelError, match=r"extra `robots`"):
        resolve_urdf("package://example-robot-data/robots/g1_description/urdf/g1_29dof_rev_1_0.urdf")


@pytest.mark.parametrize(
    ("text", "word"),
    [("<robot", "not valid XML"), ("<mujoco/>", "<mujoco>"), ("", "not valid XML")],
    ids=["broken", "mjcf", "empty"],
)
def test_what_is_no_urdf_is_refused(text: str, word: str, tmp_path: Path) -> None:
    file = write(tmp_path / "dot.urdf", text)
    with pytest.raises(ModelError, match=word):
        resolve_urdf(str(file))


def test_a_plain_urdf_takes_no_arguments(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="hardware"):
        resolve_urdf(str(write(tmp_path / "dot.urdf")), {"hardware": "mock"})


def test_an_error_inside_xacro_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="evaluates a xacro file")
    text = '<robot name="dot" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="${unknown_name}"/></robot>'
    with pytest.raises(ModelError, match="unknown_name") as caught:
        resolve_urdf(str(write(tmp_path / "dot.urdf.xacro", text)))
    assert "\n" not in str(caught.value)


def test_known_robots_have_files() -> None:
    assert all(config_path(name).is_file() for name in known_robots())


def test_an_unknown_robot_names_the_known_ones() -> None:
    with pytest.raises(ParameterError, match="humanoid"):
        config_path("hexapod")
