"""package.xml, setup.py, the ament marker and the pinned requirements agree with each other."""
from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from wbc_control.ros import graph

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ElementTree.parse(ROOT / "package.xml").getroot()
PINNED_FILES = {"core": "core.txt", "ros": "ros.txt", "sim": "sim.txt", "robots": "robots.txt", "solvers": "solvers.txt", "test": "test.txt"}


def setup_says(*fields: str) -> list[str]:
    """What ``setup.py --field ...`` prints, one line each."""
    command = [sys.executable, "setup.py", "--quiet", *(f"--{field}" for field in fields)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    return run.stdout.strip().splitlines()[-len(fields) :]


def test_manifest_is_format_3_of_an_ament_python_package() -> None:
    assert MANIFEST.get("format") == "3"
    assert MANIFEST.findtext("export/build_type") == "ament_python"
    assert (ROOT / "resource" / (MANIFEST.findtext("name") or "")).is_file()


def test_setup_takes_its_metadata_from_the_manifest() -> None:
    pytest.importorskip("setuptools", reason="setup.py needs setuptools")
    wanted = [MANIFEST.findtext("name"), MANIFEST.findtext("version"), MANIFEST.findtext("license"), MANIFEST.findtext("maintainer")]
    assert setup_says("name", "version", "license", "maintainer") == wanted


def test_manifest_names_its_licence_file() -> None:
    licence = MANIFEST.find("license")
    assert licence is not None and licence.text == "Apache-2.0"
    assert "Apache License" in (ROOT / licence.attrib["file"]).read_text(encoding="utf-8")


def test_changelog_has_a_section_for_this_version() -> None:
    """Catkin's form: the version, then a line of dashes of at least its length."""
    lines = (ROOT / "CHANGELOG.rst").read_text(encoding="utf-8").splitlines()
    assert lines[1] == f"Changelog for package {MANIFEST.findtext('name')}"
    versions = [above for above, line in zip(lines, lines[1:]) if re.fullmatch("-+", line) and len(line) >= len(above)]
    assert versions and versions[0].split()[0] == MANIFEST.findtext("version")


def test_dependencies_are_named_once_and_sorted_by_kind() -> None:
    names = [element.text for element in MANIFEST if element.tag.endswith("depend")]
    assert len(set(names)) == len(names)
    messages = [name for name in names if name and name.endswith("_msgs")]
    assert messages == sorted(messages)


def ros_imports() -> set[str]:
    """ROS packages that the package's code imports."""
    pattern = re.compile(r"^\s*(?:from|import) (rclpy|\w+_msgs|\w+_interfaces|std_srvs)\b", re.MULTILINE)
    return {name for file in (ROOT / "wbc_control").rglob("*.py") for name in pattern.findall(file.read_text(encoding="utf-8"))}


def test_every_ros_package_we_import_is_a_dependency() -> None:
    declared = {element.text for element in MANIFEST if element.tag.endswith("depend")}
    assert ros_imports() - declared == set()


def test_every_node_has_an_executable() -> None:
    namespace: dict[str, object] = {}
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    match = re.search(r"^NODE_EXECUTABLES = (\(.*?\))", text, re.MULTILINE | re.DOTALL)
    assert match is not None
    exec(f"names = {match.group(1)}", namespace)
    assert namespace["names"] == tuple(dict.fromkeys(namespace["names"]))  # type: ignore[call-overload]
    assert sorted(namespace["names"]) == sorted(process.executable for process in graph.EXECUTABLES)  # type: ignore[call-overload]


@pytest.mark.parametrize("process", graph.EXECUTABLES, ids=lambda process: process.executable)
def test_every_executable_has_a_module_with_a_main(process: graph.Process) -> None:
    file = ROOT / Path(*process.module.split(".")).with_suffix(".py")
    assert re.search(r"^def main\(|^from .* import .*\bmain\b|^main\b", file.read_text(encoding="utf-8"), re.MULTILINE)


def pins(name: str) -> list[str]:
    """Requirement lines of a pinned file."""
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


def project(requirement: str) -> str:
    """Normalised project name of a requirement line."""
    return re.split(r"[\[=<>; ]", requirement)[0].lower().replace("_", "-")


@pytest.mark.parametrize("file", PINNED_FILES.values())
def test_every_requirement_is_pinned_and_constrained_to_the_same_version(file: str) -> None:
    constraints = {line.replace(" ", "") for line in pins("constraints.txt")}
    for line in pins(file):
        assert re.fullmatch(r"[\w-]+(\[\w+\])?==[\w.]+(; python_version .*)?", line), line
        assert re.sub(r"\[\w+\]", "", line).replace(" ", "").lower() in {c.lower() for c in constraints}, line


@pytest.mark.parametrize("extra", PINNED_FILES)
def test_pinned_files_hold_what_the_extras_name(extra: str) -> None:
    pytest.importorskip("setuptools", reason="setup.py needs setuptools")
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    start = text.index("RUNTIME = [" if extra == "core" else f'"{extra}": [')
    named = {project(item) for item in re.findall(r'"([\w\-\[\]>=.]+)"', text[text.index("[", start) : text.index("]\n" if extra == "core" else "],", start)])}
    assert named - {project(line) for line in pins(PINNED_FILES[extra])} == set()


def test_only_one_of_the_two_larks_is_pinned() -> None:
    """`lark` and `lark-parser` install the same module."""
    names = {project(line) for line in pins("constraints.txt")}
    assert "lark-parser" in names and "lark" not in names
