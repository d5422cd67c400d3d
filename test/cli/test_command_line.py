"""``wbc`` itself: help, version, exit codes, and one clear line for every bad input."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest
from command_line import refused, wbc

from wbc_control.cli import main as entry
from wbc_control.cli.settings import parse_settings
from wbc_control.errors import ParameterError


def test_help_lists_every_verb_and_imports_no_engine(capsys: pytest.CaptureFixture[str]) -> None:
    said = wbc(capsys, "--help")
    assert said.code == 0 and all(verb in said.out for verb in entry.VERBS)
    script = "import sys; from wbc_control.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    script += "assert not {'mujoco', 'rclpy', 'pinocchio'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)


@pytest.mark.parametrize("verb", sorted(entry.VERBS))
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    if verb == "up":
        pytest.importorskip("rclpy", reason="needs ROS")
    said = wbc(capsys, verb, "--help")
    assert said.code == 0 and f"wbc {verb}" in said.out


def test_without_a_verb_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "verbs:" in wbc(capsys).out


def test_unknown_verb_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    said = wbc(capsys, "fly")
    assert said.code == entry.WRONG_USAGE and "invalid choice: 'fly'" in said.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    said = wbc(capsys, "--version")
    assert said.code == 0 and said.out.startswith("wbc ")


def _verb(monkeypatch: pytest.MonkeyPatch, run: object) -> None:
    """Put a verb ``test`` in the table."""
    module = types.ModuleType("made_up_verb")
    module.SUMMARY, module.add_arguments, module.run = "", lambda parser: None, run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "made_up_verb", module)
    monkeypatch.setitem(entry.VERBS, "test", ("made_up_verb", ""))


def test_interrupt_ends_with_130_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: object) -> int:
        raise KeyboardInterrupt

    _verb(monkeypatch, run)
    said = wbc(capsys, "test")
    assert said.code == 130 and said.err == "wbc: interrupted\n"


def test_verb_s_exit_code_is_the_process_s(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _verb(monkeypatch, lambda args: 7)
    assert wbc(capsys, "test").code == 7


def test_missing_module_is_named_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "verb_without_engine.py").write_text("import mujoco.engine_that_is_not_there\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "mujoco", None)
    monkeypatch.setitem(entry.VERBS, "test", ("verb_without_engine", ""))
    assert "pip install 'wbc_control[sim]'" in refused(capsys, "test")


def test_settings_are_typed_as_yaml_types_them() -> None:
    assert parse_settings(["a.b=1.5", "a.c=true", "a.d=[1.0, 2.0]", "a.e=x=y"]) == {
        "a.b": 1.5,
        "a.c": True,
        "a.d": [1.0, 2.0],
        "a.e": "x=y",
    }
    for word in ("a.b", "ab=1", "a.b=[1"):
        with pytest.raises(ParameterError):
            parse_settings([word])


@pytest.mark.parametrize(("text", "value"), [("off", "off"), ("no", "no"), ("true", True), ("False", False)])
def test_only_true_and_false_are_booleans(text, value):
    """YAML 1.1 would make a boolean of the choice 'off'."""
    assert parse_settings([f"whole_body_qp.limits.self_collision.source={text}"]) == {
        "whole_body_qp.limits.self_collision.source": value
    }


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "unknown scenario 'stnd'" in refused(capsys, "simulate", "stnd")
    assert "cannot be read" in refused(capsys, "simulate", str(tmp_path / "missing.yaml"))
    assert "did you mean 'humanoid'?" in refused(capsys, "simulate", "stand", "--robot", "humanoi")
    assert "cannot be read" in refused(capsys, "simulate", "stand", "--robot", str(tmp_path / "missing.yaml"))
    assert "node.parameter=value" in refused(capsys, "simulate", "stand", "--set", "weight")
    unknown = refused(capsys, "simulate", "stand", "--robot", "humanoid", "--set", "whole_body_qp.com.wieght=1.0")
    assert "did you mean 'com.weight'?" in unknown
    integer = refused(capsys, "simulate", "stand", "--robot", "humanoid", "--set", "whole_body_qp.com.weight=1")
    assert "write 1.0" in integer
    assert "does not exist" in refused(capsys, "simulate", "stand", "--json", str(tmp_path / "no" / "f.json"))


def test_malformed_yaml_names_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("duration: 1.0\npush: [\n", encoding="utf-8")
    assert "not valid YAML at line" in refused(capsys, "simulate", str(broken))
    broken.write_text("/**:\n  ros__parameters: {robot: {urdf: [}\n", encoding="utf-8")
    assert "not valid YAML at line" in refused(capsys, "simulate", "stand", "--robot", str(broken))


def test_urdf_without_a_joint_that_a_parameter_names(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("simulate", "stand", "--robot", "humanoid", "--set", "robot.joints.tail_joint.standing=0.1")
    assert "no movable joint 'tail_joint'" in refused(capsys, *words)


def test_sweep_refuses_what_it_cannot_vary(capsys: pytest.CaptureFixture[str]) -> None:
    assert "wanted at least 1" in refused(capsys, "sweep", "push", "--trials", "0")
    assert "not of the form" in refused(capsys, "sweep", "push", "--vary", "terrain.friction")
    assert "leads nowhere" in refused(capsys, "sweep", "push", "--vary", "push.9.impulse.0=1")
