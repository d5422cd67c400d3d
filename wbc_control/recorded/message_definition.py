"""ROS message definitions, as `ros2 bag` stores them beside the messages, turned into what a decoder walks along.

The text is that of a ``.msg`` file, followed by those it refers to, each behind a line of ``=`` and ``MSG: package/Type``
(MCAP registry of well-known schema encodings, ``ros2msg``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

PRIMITIVES = {
    "bool": "?",
    "byte": "B",
    "char": "B",
    "int8": "b",
    "uint8": "B",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
}
"""Type → letter of :mod:`struct`."""

_SEPARATOR = re.compile(r"^=+\s*\nMSG:\s*(\S+)\s*$", re.MULTILINE)
_CONSTANT = re.compile(r"^\S+\s+[A-Za-z]\w*\s*=")
_FIELD = re.compile(r"^(?P<type>[\w/]+)(?:<=\d+)?(?P<array>\[(?:<=)?\d*\])?\s+(?P<name>\w+)")


@dataclass(frozen=True)
class Field:
    """One field of a message.

    Attributes:
        name: Its name.
        type: A primitive, ``string``, or the key of another definition.
        count: None for one value, -1 for a sequence, else the length of a fixed array.
    """

    name: str
    type: str
    count: int | None = None


Definitions = Mapping[str, tuple[Field, ...]]


def parse_definitions(kind: str, text: str) -> Definitions:
    """``package/Type`` → fields, of a message and all it refers to.

    Args:
        kind: Name of the message, ``package/msg/Type`` or ``package/Type``.
        text: Its definition and those behind it.

    Raises:
        ValueError: A line that is no field, or a type that is not defined.
    """
    parts = _SEPARATOR.split(text.replace("\r\n", "\n"))
    bodies = {short_name(kind): parts[0]} | {short_name(name): body for name, body in zip(parts[1::2], parts[2::2])}
    found = {name: _fields(body, name.split("/")[0]) for name, body in bodies.items()}
    for name, fields in found.items():
        missing = [f.type for f in fields if f.type not in found and f.type not in PRIMITIVES and f.type != "string"]
        if missing:
            raise ValueError(f"definition of {name} uses {missing[0]}, which is not defined")
    return found


def short_name(kind: str) -> str:
    """``package/msg/Type`` → ``package/Type``."""
    return kind.replace("/msg/", "/")


def _fields(body: str, package: str) -> tuple[Field, ...]:
    lines = (line.split("#", 1)[0].strip() for line in body.splitlines())
    return tuple(_field(line, package) for line in lines if line and not _CONSTANT.match(line))


def _field(line: str, package: str) -> Field:
    match = _FIELD.match(line)
    if match is None:
        raise ValueError(f"'{line}' is no field of a message")
    array, kind = match["array"], match["type"]
    count = None if array is None else int(array[1:-1]) if array[1:-1].isdigit() else -1
    return Field(match["name"], _full_type(kind, package), count)


def _full_type(kind: str, package: str) -> str:
    if kind in PRIMITIVES or kind == "string":
        return kind
    if kind == "Header":
        return "std_msgs/Header"
    return short_name(kind) if "/" in kind else f"{package}/{kind}"
