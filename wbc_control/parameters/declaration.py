"""How a parameter is declared: once, as a field of a frozen dataclass, with unit, bounds and a sentence.

From that one declaration come the typed attribute the code reads, the check of a YAML file, the ROS descriptor and
the row of the table in the docs.  Groups nest (``com: Gains = group(Gains)`` gives ``com.bandwidth``); a table repeats
a group under names that the robot decides (``feet: dict[str, Foot] = table(Foot)`` gives ``feet.l_sole.link``).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Scalar = bool | int | float | str
_DECLARATION = "wbc_parameter"
_GROUP = "wbc_group"
_TABLE = "wbc_table"


@dataclass(frozen=True)
class Declaration:
    """One parameter as declared.

    Attributes:
        name: Dotted name inside its node; ``<name>`` stands for a table's key.
        default: Value without a file; its type is the parameter's type (a tuple for arrays).
        description: One sentence.
        unit: SI unit, ``1`` for ratios, empty where there is none.
        lower: Smallest allowed value (each element, for arrays).
        upper: Largest allowed value.
        choices: Allowed strings; empty allows any.
        live: Whether it may change while the robot moves.
    """

    name: str
    default: Any
    description: str
    unit: str = ""
    lower: float = -math.inf
    upper: float = math.inf
    choices: tuple[str, ...] = ()
    live: bool = False

    @property
    def type_name(self) -> str:
        """ROS's word for the type: bool, integer, double, string, or the same with ``_array``."""
        sample, suffix = (self.default, "")
        if isinstance(sample, tuple):
            sample, suffix = (sample[0] if sample else self._empty_element()), "_array"
        names = {bool: "bool", int: "integer", float: "double", str: "string"}
        return names[type(sample)] + suffix

    def _empty_element(self) -> Scalar:
        """Element type of an array that is empty by default: bounds or a unit make it numeric."""
        numeric = self.unit or math.isfinite(self.lower) or math.isfinite(self.upper)
        return 0.0 if numeric else ""


def parameter(
    default: Any,
    description: str,
    *,
    unit: str = "",
    lower: float = -math.inf,
    upper: float = math.inf,
    choices: tuple[str, ...] = (),
    live: bool = False,
) -> Any:
    """Declare one parameter as a dataclass field; arguments as in :class:`Declaration`."""
    declaration = Declaration("", default, description, unit, lower, upper, choices, live)
    return dataclasses.field(default=default, metadata={_DECLARATION: declaration})


def group(cls: type, **defaults: Any) -> Any:
    """Nest the parameters of ``cls`` under the field's name, with other defaults where given."""
    return dataclasses.field(default_factory=lambda: cls(**defaults), metadata={_GROUP: (cls, defaults)})


def table(cls: type) -> Any:
    """Repeat the parameters of ``cls`` under names that the file decides; empty without a file."""
    return dataclasses.field(default_factory=dict, metadata={_TABLE: cls})


def group_of(field: dataclasses.Field[Any]) -> tuple[type, dict[str, Any]] | None:
    """The nested class and its own defaults where ``field`` is a group."""
    return field.metadata.get(_GROUP)


def table_of(field: dataclasses.Field[Any]) -> type | None:
    """The repeated class where ``field`` is a table."""
    return field.metadata.get(_TABLE)


def declaration_of(field: dataclasses.Field[Any], name: str, default: Any = dataclasses.MISSING) -> Declaration:
    """The declaration of a plain field under its full dotted ``name``, with another default where given."""
    declared: Declaration = field.metadata[_DECLARATION]
    value = declared.default if default is dataclasses.MISSING else default
    return dataclasses.replace(declared, name=name, default=value)


def declarations(cls: type, prefix: str = "", defaults: dict[str, Any] | None = None) -> Iterator[Declaration]:
    """All declarations of ``cls``, depth first, tables with ``<name>`` for their key."""
    for field in dataclasses.fields(cls):
        name = prefix + field.name
        nested, repeated = group_of(field), table_of(field)
        if nested is not None:
            yield from declarations(nested[0], name + ".", nested[1])
        elif repeated is not None:
            yield from declarations(repeated, name + ".<name>.")
        else:
            yield declaration_of(field, name, (defaults or {}).get(field.name, dataclasses.MISSING))


def flatten(instance: Any, prefix: str = "") -> dict[str, Any]:
    """Dotted name → value of every parameter of an instance, tables expanded."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(instance):
        value, name = getattr(instance, field.name), prefix + field.name
        if group_of(field) is not None:
            values |= flatten(value, name + ".")
        elif table_of(field) is not None:
            for key, row in value.items():
                values |= flatten(row, f"{name}.{key}.")
        else:
            values[name] = value
    return values
