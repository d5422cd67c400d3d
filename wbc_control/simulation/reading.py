"""Reads a plain mapping (from YAML) into frozen dataclasses, and says in one sentence what is wrong with it.

A field is declared with :func:`number`, :func:`whole`, :func:`text`, :func:`numbers`, :func:`section` or
:func:`sections`; its default stands in the dataclass, once.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from wbc_control.errors import ScenarioError

T = TypeVar("T")
Reader = Callable[[Any, str], Any]
_READER = "reader"
_REQUIRED = object()


def read(cls: type[T], mapping: Any, where: str) -> T:
    """An instance of ``cls``.

    Raises:
        ScenarioError: Not a mapping, an unknown key (with the closest known one), a missing or a refused value.
    """
    if not isinstance(mapping, Mapping):
        raise ScenarioError(f"is {mapping!r}, wanted a mapping", where=where, value=mapping)
    fields = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    refuse_unknown(mapping, fields, where)
    missing = [f.name for f in fields.values() if f.metadata.get(_REQUIRED) and f.name not in mapping]
    if missing:
        raise ScenarioError(f"lacks '{missing[0]}'", where=where, value=dict(mapping), bound=missing[0])
    return cls(**{key: fields[key].metadata[_READER](value, f"{where}, '{key}'") for key, value in mapping.items()})


def refuse_unknown(mapping: Mapping[Any, Any], known: Mapping[str, Any], where: str) -> None:
    """Raise ScenarioError at the first key of ``mapping`` that is not ``known``."""
    for key in mapping:
        if key not in known:
            close = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"known are {', '.join(known)}"
            raise ScenarioError(f"unknown key '{key}'; {hint}", where=where, value=key)


def declare(reader: Reader, default: Any = _REQUIRED, factory: Callable[[], Any] | None = None) -> Any:
    """A dataclass field read by ``reader``; required where neither a default nor a factory is given."""
    if factory is not None:
        return dataclasses.field(default_factory=factory, metadata={_READER: reader})
    if default is _REQUIRED:
        return dataclasses.field(default=None, metadata={_READER: reader, _REQUIRED: True})
    return dataclasses.field(default=default, metadata={_READER: reader})


def number(default: Any = _REQUIRED, lower: float = -math.inf, upper: float = math.inf) -> Any:
    """A finite number within bounds."""
    return declare(lambda value, where: _number(value, where, lower, upper), default)


def whole(default: Any = _REQUIRED, lower: int = 0) -> Any:
    """An integer of at least ``lower``."""
    return declare(lambda value, where: _whole(value, where, lower), default)


def text(default: Any = _REQUIRED, choices: Sequence[str] = ()) -> Any:
    """A string, one of ``choices`` where there are any."""
    return declare(lambda value, where: _text(value, where, choices), default)


def numbers(length: int, default: Any = _REQUIRED, lower: float = -math.inf) -> Any:
    """A tuple of exactly ``length`` finite numbers."""
    return declare(lambda value, where: _numbers(value, where, length, lower), default)


def section(cls: type) -> Any:
    """A nested dataclass, all defaults where the file is silent."""
    return declare(lambda value, where: read(cls, value, where), factory=cls)


def sections(cls: type) -> Any:
    """A tuple of dataclasses from a list, empty where the file is silent."""
    return declare(lambda value, where: _sections(cls, value, where), default=())


def _number(value: Any, where: str, lower: float, upper: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ScenarioError(f"is {value!r}, wanted a number", where=where, value=value)
    if not math.isfinite(value):
        raise ScenarioError(f"is {value}, wanted a finite number", where=where, value=value)
    if not lower <= value <= upper:
        bound = f"at least {lower:g}" if math.isinf(upper) else f"within [{lower:g}, {upper:g}]"
        raise ScenarioError(f"is {value}, wanted {bound}", where=where, value=value, bound=(lower, upper))
    return float(value)


def _whole(value: Any, where: str, lower: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < lower:
        raise ScenarioError(f"is {value!r}, wanted a whole number of at least {lower}", where=where, value=value)
    return value


def _text(value: Any, where: str, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or (choices and value not in choices):
        wanted = f"one of {', '.join(choices)}" if choices else "a string"
        raise ScenarioError(f"is {value!r}, wanted {wanted}", where=where, value=value, bound=choices)
    return value


def _numbers(value: Any, where: str, length: int, lower: float) -> tuple[float, ...]:
    if not isinstance(value, (list, tuple)) or len(value) != length:
        raise ScenarioError(f"is {value!r}, wanted a list of {length} numbers", where=where, value=value)
    return tuple(_number(item, where, lower, math.inf) for item in value)


def _sections(cls: type, value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ScenarioError(f"is {value!r}, wanted a list", where=where, value=value)
    return tuple(read(cls, row, f"{where}, entry {index + 1}") for index, row in enumerate(value))
