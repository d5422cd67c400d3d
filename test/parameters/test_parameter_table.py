"""docs/parameters.md says what the declarations say, and says it of every parameter."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from wbc_control.parameters import StackParameters, flatten
from wbc_control.parameters.declaration import Declaration
from wbc_control.parameters.documentation import COMMAND, _bounds, _cells, _line, page
from wbc_control.parameters.loading import NODE_FIELDS, SHARED_CLASSES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "parameters.md"


def rows(section: str) -> dict[str, list[str]]:
    """Parameter → its cells, of one section of the page."""
    body = page().split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in body.splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return {row[0].strip("`"): row for row in cells}


def test_the_page_in_the_docs_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), f"parameters changed: {COMMAND}"


@pytest.mark.parametrize("node", NODE_FIELDS)
def test_every_parameter_of_a_node_has_a_row_with_its_default(node: str) -> None:
    found = rows(node)
    values = flatten(getattr(StackParameters(), NODE_FIELDS[node]))
    assert values and set(values) <= set(found)
    numbers = {name: value for name, value in values.items() if isinstance(value, float)}
    assert [found[name][2] for name in numbers] == [f"`{value}`" for value in numbers.values()]


@pytest.mark.parametrize("group", SHARED_CLASSES)
def test_shared_parameters_stand_under_their_full_name(group: str) -> None:
    values = flatten(getattr(StackParameters(), group), f"{group}.")
    assert set(values) <= set(rows(group))


def test_every_row_has_as_many_cells_as_the_head_and_a_sentence() -> None:
    for section in (*SHARED_CLASSES, *NODE_FIELDS):
        assert all(len(row) == 7 and row[6] for row in rows(section).values())


@pytest.mark.parametrize(
    ("lower", "upper", "choices", "text"),
    [
        (0.0, 2.0, (), "0 … 2"),
        (0.0, float("inf"), (), "≥ 0"),
        (-float("inf"), 1.5, (), "≤ 1.5"),
        (-float("inf"), float("inf"), (), ""),
        (-float("inf"), float("inf"), ("a", "b"), "`a`, `b`"),
    ],
)
def test_bounds_read_well(lower: float, upper: float, choices: tuple[str, ...], text: str) -> None:
    assert _bounds(Declaration("p", 1.0, "what it is", lower=lower, upper=upper, choices=choices)) == text


def test_a_bar_in_a_sentence_does_not_split_its_row() -> None:
    line = _line(_cells(Declaration("p", (True, False), "largest |τ|", unit="N·m")))
    assert "`[true, false]`" in line
    assert len(re.findall(r"(?<!\\)\|", line)) == 8
