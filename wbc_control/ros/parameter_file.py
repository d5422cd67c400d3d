"""Typed parameters ↔ ROS parameter files: what ``wbc up`` hands to the nodes, what nodes find on their command line."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

from wbc_control.parameters import StackParameters, flatten, read_parameter_file
from wbc_control.parameters.loading import NODE_FIELDS, ROS_KEY, SHARED, SHARED_CLASSES


def dump(parameters: StackParameters, namespace: str = "") -> str:
    """A ROS parameter file that loads back to the same parameters.

    Empty arrays are left out: ROS cannot type them, and they are the defaults.

    Args:
        parameters: Parameters of the whole stack.
        namespace: Namespace of the nodes; without it the sections fit nodes in the root namespace.
    """
    shared: dict[str, Any] = {}
    for group in SHARED_CLASSES:
        shared |= {f"{group}.{name}": value for name, value in _plain(getattr(parameters, group)).items()}
    prefix = f"/{namespace.strip('/')}/" if namespace.strip("/") else ""
    sections = {SHARED: {ROS_KEY: shared}}
    sections |= {prefix + node: {ROS_KEY: _plain(getattr(parameters, field))} for node, field in NODE_FIELDS.items()}
    return str(yaml.safe_dump(sections, sort_keys=False, allow_unicode=True, width=160))


def _plain(instance: Any) -> dict[str, Any]:
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in flatten(instance).items()}
    return {name: value for name, value in values.items() if value != []}


def files_on(command_line: Sequence[str]) -> list[str]:
    """Paths that follow ``--params-file`` on a command line."""
    return [path for flag, path in itertools.pairwise(command_line) if flag == "--params-file"]


def foreign_sections(paths: Iterable[str]) -> list[tuple[str, str]]:
    """(file, section) of every section that names no node of the stack: ROS would ignore it without a word.

    Raises:
        ParameterError: A file is missing, is no YAML, or has not the form of a parameter file.
    """
    return [
        (path, section)
        for path in paths
        for section in read_parameter_file(path)
        if node_of(section) not in NODE_FIELDS and not section.endswith("*")
    ]


def node_of(section: str) -> str:
    """Node name of a section, without its namespace."""
    return section.rsplit("/", 1)[-1]


def bare_section(paths: Iterable[str], node: str) -> dict[str, Any]:
    """Values under the bare node name, which ROS applies in the root namespace only; we apply them in any."""
    values: dict[str, Any] = {}
    for path in paths:
        if Path(path).is_file():
            values |= read_parameter_file(path).get(node, {})
    return values
