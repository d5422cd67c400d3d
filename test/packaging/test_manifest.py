"""package.xml, setup.py, the ament marker and the pinned requirements agree with each other."""
from __future__ import annotations

import ast
import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from wbc_control.ros import graph

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ElementTree.parse(ROOT / "package.xml").getroot()
EXTRAS = ("ros", "sim", "robots", "solvers", "test")
CORE = "core"


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
    fields = ("name", "version", "license", "maintainer")
    assert setup_says(*fields) == [MANIFEST.findtext(field) for field in fields]


def test_manifest_names_its_licence_file() -> None:
    licence = MANIFEST.find("license")
    assert licence is not None and licence.text == "Apache-2.0"
    assert "Apache License" in (ROOT / licence.attrib["file"]).read_text(encoding="utf-8")


def test_changelog_has_a_section_for_this_version() -> None:
    """Catkin's form: the version, then a line of dashes of at least its length."""
    lines = (ROOT / "CHANGELOG.rst").read_text(encoding="utf-8").splitlines()
    assert lines[1] == f"Changelog for package {MANIFEST.findtext('name')}"
    pairs = itertools.pairwise(lines)
    versions = [above for above, line in pairs if re.fullmatch("-+", line) and len(line) >= len(above)]
    assert versions and versions[0].split()[0] == MANIFEST.findtext("version")


def test_dependencies_are_named_once_and_sorted_by_kind() -> None:
    names = [element.text for element in MANIFEST if element.tag.endswith("depend")]
    assert len(set(names)) == len(names)
    messages = [name for name in names if name and name.endswith("_msgs")]
    assert messages == sorted(messages)


def ros_imports() -> set[str]:
    """ROS packages that the package's code imports."""
    pattern = re.compile(r"^\s*(?:from|import) (rclpy|\w+_msgs|\w+_interfaces|std_srvs)\b", re.MULTILINE)
    texts = (file.read_text(encoding="utf-8") for file in (ROOT / "wbc_control").rglob("*.py"))
    return {name for text in texts for name in pattern.findall(text)}


def test_every_ros_package_we_import_is_a_dependency() -> None:
    declared = {element.text for element in MANIFEST if element.tag.endswith("depend")}
    assert ros_imports() - declared == set()


def constants_of_setup() -> dict[str, object]:
    """Upper-case literals that setup.py assigns at its top."""
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    names = ("NODE_EXECUTABLES", "RUNTIME", "EXTRAS")
    assigned = [(node.targets[0], node.value) for node in tree.body if isinstance(node, ast.Assign)]
    return {t.id: ast.literal_eval(v) for t, v in assigned if isinstance(t, ast.Name) and t.id in names}


def test_every_node_has_an_executable() -> None:
    declared = [process.executable for process in graph.EXECUTABLES]
    assert sorted(constants_of_setup()["NODE_EXECUTABLES"]) == sorted(declared)  # type: ignore[call-overload]


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


@pytest.mark.parametrize("name", [CORE, *EXTRAS])
def test_every_requirement_is_pinned_and_constrained_to_the_same_version(name: str) -> None:
    constraints = {line.replace(" ", "").lower() for line in pins("constraints.txt")}
    for line in pins(f"{name}.txt"):
        assert re.fullmatch(r"[\w-]+(\[\w+\])?==[\w.]+(; python_version .*)?", line), line
        assert re.sub(r"\[\w+\]", "", line).replace(" ", "").lower() in constraints, line


@pytest.mark.parametrize("name", [CORE, *EXTRAS])
def test_pinned_files_hold_what_the_extras_name(name: str) -> None:
    constants = constants_of_setup()
    extras = constants["EXTRAS"]
    assert isinstance(extras, dict) and sorted(extras) == sorted(EXTRAS)
    named = constants["RUNTIME"] if name == CORE else extras[name]
    assert {project(item) for item in named} - {project(line) for line in pins(f"{name}.txt")} == set()


def test_only_one_of_the_two_larks_is_pinned() -> None:
    """`lark` and `lark-parser` install the same module."""
    names = {project(line) for line in pins("constraints.txt")}
    assert "lark-parser" in names and "lark" not in names
