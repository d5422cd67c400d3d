"""Builds a parameter dataclass from a mapping of dotted or nested names, and changes one by dotted names."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from typing import Any, TypeVar

from wbc_control.errors import ParameterError
from wbc_control.parameters.declaration import declaration_of, declarations, flatten, group_of, table_of
from wbc_control.parameters.validation import coerce

T = TypeVar("T")


def flatten_mapping(mapping: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested mapping → dotted names."""
    flat: dict[str, Any] = {}
    for key, value in mapping.items():
        if isinstance(value, Mapping):
            flat |= flatten_mapping(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def build(cls: type[T], values: Mapping[str, Any], where: str = "") -> T:
    """An instance of ``cls`` from dotted names; what is not named keeps its default.

    Raises:
        ParameterError: Unknown name (with the closest known one) or a value its declaration refuses.
    """
    remaining = dict(values)
    instance = _build(cls, remaining, "", where, {})
    if remaining:
        raise _unknown(cls, next(iter(remaining)), where)
    return instance


def changed(instance: T, values: Mapping[str, Any], where: str = "") -> T:
    """The same parameters with the named ones changed; errors as :func:`build`."""
    return build(type(instance), flatten(instance) | dict(values), where)


def _build(cls: type[T], values: dict[str, Any], prefix: str, where: str, defaults: Mapping[str, Any]) -> T:
    arguments: dict[str, Any] = dict(defaults)
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        name = prefix + field.name
        nested, repeated = group_of(field), table_of(field)
        if nested is not None:
            arguments[field.name] = _build(nested[0], values, name + ".", where, nested[1])
        elif repeated is not None:
            keys = _keys(values, name + ".")
            arguments[field.name] = {k: _build(repeated, values, f"{name}.{k}.", where, {}) for k in keys}
        elif name in values:
            arguments[field.name] = coerce(declaration_of(field, name), values.pop(name), where)
    return cls(**arguments)


def _keys(values: Mapping[str, Any], prefix: str) -> list[str]:
    """Keys of a table in the order of the file."""
    return list(dict.fromkeys(n[len(prefix) :].split(".")[0] for n in values if n.startswith(prefix)))


def _unknown(cls: type, name: str, where: str) -> ParameterError:
    known = [d.name for d in declarations(cls)]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return ParameterError(f"unknown parameter '{name}'{hint}", where=where, value=name)
