"""The layer table of the package as data, and a reader of imports that judges files against it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "wbc_control"
LAUNCH_MAY_USE = f"{PACKAGE}.ros.graph"

ROWS: tuple[frozenset[str], ...] = (
    frozenset({"errors"}),
    frozenset({"parameters", "spatial", "filters", "timing"}),
    frozenset({"state"}),
    frozenset({"model", "qp"}),
    frozenset({"contact_mechanics", "planning", "wbc", "estimation", "joint_control", "identification"}),
    frozenset({"stack", "checking", "recorded"}),
    frozenset({"simulation", "ros"}),
    frozenset({"nodes"}),
    frozenset({"cli"}),
)
"""Modules of the package, lowest row first: a module imports from lower rows only."""

SIBLINGS = {name: frozenset({"contact_mechanics"}) for name in ("wbc", "planning", "estimation")}
"""Who may use whom within a row."""

SHARED_LIBRARIES = {"numpy": 1, "yaml": 1, "pinocchio": 3}
"""Library → row from which on it may be used."""

OWN_LIBRARIES = {
    "model": {"xacro"},
    "qp": {"proxsuite", "daqp", "piqp", "quadprog"},
    "simulation": {"mujoco", "matplotlib", "imageio_ffmpeg", "PIL", "mcap"},
    "recorded": {"mcap"},
    "cli": {"matplotlib", "placo", "tsid"},
}
"""Libraries that one module alone may use."""

ROS_MODULES = ("ros", "nodes")
ROS_LIBRARIES = {"rclpy", "ament_index_python", "std_srvs"}
ROS_SUFFIXES = ("_msgs", "_interfaces")


@dataclass(frozen=True)
class Import:
    """One imported module: where, and its full dotted name (``wbc_control.ros.graph``)."""

    file: Path
    line: int
    name: str


def imports(file: Path) -> Iterator[Import]:
    """Every import of a file, also those inside functions; a relative one appears under the name ``.``."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield Import(file, node.lineno, ".")
        elif isinstance(node, ast.ImportFrom):
            yield from (Import(file, node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def row_of(module: str) -> int | None:
    """Row of a top-level module of the package; None where the table does not know it."""
    return next((row for row, modules in enumerate(ROWS) if module in modules), None)


def violations(package: Path) -> list[str]:
    """One sentence for every import below ``package`` that the table forbids."""
    found = []
    for file in sorted(package.rglob("*.py")):
        owner = file.relative_to(package).parts[0].removesuffix(".py")
        if owner == "__init__":
            continue
        reasons = ((item, _judge(owner, item.name)) for item in imports(file))
        place = file.relative_to(package.parent)
        found += [f"{place}:{item.line}: {reason}" for item, reason in reasons if reason]
    return found


def launch_violations(folder: Path) -> list[str]:
    """Launch files name executables and files; of the package they may import the node set alone."""
    found = []
    for item in (item for file in sorted(folder.rglob("*.py")) for item in imports(file)):
        if item.name.split(".")[0] == PACKAGE and not f"{item.name}.".startswith(f"{LAUNCH_MAY_USE}."):
            found.append(f"{item.file.name}:{item.line}: imports {item.name}, may use {LAUNCH_MAY_USE} alone")
    return found


def _judge(owner: str, name: str) -> str:
    """Why module ``owner`` must not import ``name``; empty when it may."""
    row = row_of(owner)
    if row is None:
        return f"module '{owner}' has no row in the table"
    head, _, rest = name.partition(".")
    if head == "":
        return "relative import: write the full name"
    if head == PACKAGE:
        return _judge_own(owner, row, rest.split(".")[0])
    allowed = head in sys.stdlib_module_names or _library_allowed(owner, row, head)
    return "" if allowed else f"'{owner}' may not use '{head}'"


def _judge_own(owner: str, row: int, target: str) -> str:
    target_row = row_of(target)
    if target_row is None:
        return f"imports unknown module '{target}'"
    if target == owner or target_row < row or target in SIBLINGS.get(owner, frozenset()):
        return ""
    kind = "a sibling" if target_row == row else "a higher row"
    return f"'{owner}' (row {row}) imports '{target}' (row {target_row}), {kind}"


def _library_allowed(owner: str, row: int, library: str) -> bool:
    if library in OWN_LIBRARIES.get(owner, set()) or row >= SHARED_LIBRARIES.get(library, len(ROWS)):
        return True
    return owner in ROS_MODULES and (library in ROS_LIBRARIES or library.endswith(ROS_SUFFIXES))
