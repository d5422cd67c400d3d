"""The table of all parameters in Markdown, from their declarations.

``python -m wbc_control.parameters.documentation > docs/parameters.md`` writes the page of the docs.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any

from wbc_control.parameters.declaration import Declaration, declarations
from wbc_control.parameters.loading import SHARED, SHARED_CLASSES, StackParameters

COMMAND = "python -m wbc_control.parameters.documentation > docs/parameters.md"
"""How the page is written anew."""

_INTRODUCTION = f"""# Parameters

Written from the declarations in `wbc_control/parameters/` by `{COMMAND}`; change them there, not here.

In a ROS parameter file a parameter stands in its node's section, shared ones in `{SHARED}`. On the command line it is
`--set node.parameter=value`; shared ones go by their own name (`--set robot.mass_min=30.0`). A double needs its decimal
point. `<name>` stands for a joint, foot or link of the robot. *Live* ones may change while the robot moves, the others
are read at the start. Bounds of an array hold for each element.
"""
_BAR = "\\|"
_HEAD = ("parameter", "type", "default", "unit", "bounds", "live", "meaning")


def page() -> str:
    """The whole page, one section for the shared parameters and one a node; ends with a line break."""
    sections = (_section(title, note, rows) for title, note, rows in _sections())
    return "\n".join((_INTRODUCTION, *sections))


def _sections() -> Iterator[tuple[str, str, list[Declaration]]]:
    """Title, one sentence, and declarations of every section."""
    for group, cls in SHARED_CLASSES.items():
        yield group, f"Shared by all nodes, in the section `{SHARED}`.", list(declarations(cls, f"{group}."))
    default = StackParameters()
    for field in dataclasses.fields(StackParameters):
        if "node" in field.metadata:
            node, cls = field.metadata["node"], type(getattr(default, field.name))
            yield node, f"In the section `{node}`.", list(declarations(cls))


def _section(title: str, note: str, rows: list[Declaration]) -> str:
    lines = [f"## {title}", "", note, "", _line(_HEAD), _line(["---"] * len(_HEAD))]
    lines += [_line(_cells(declared)) for declared in rows]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    """A row; bars inside a cell do not end it."""
    return f"| {' | '.join(cell.replace('|', _BAR) for cell in cells)} |"


def _cells(declared: Declaration) -> tuple[str, ...]:
    return (
        f"`{declared.name}`",
        declared.type_name,
        f"`{_value(declared.default)}`",
        declared.unit,
        _bounds(declared),
        "live" if declared.live else "",
        declared.description,
    )


def _value(value: Any) -> str:
    """A value as YAML writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _bounds(declared: Declaration) -> str:
    if declared.choices:
        return ", ".join(f"`{choice}`" for choice in declared.choices)
    lower, upper = declared.lower, declared.upper
    if math.isinf(lower) and math.isinf(upper):
        return ""
    if math.isinf(upper):
        return f"≥ {lower:g}"
    return f"≤ {upper:g}" if math.isinf(lower) else f"{lower:g} … {upper:g}"


if __name__ == "__main__":
    print(page(), end="")
