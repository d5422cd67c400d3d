"""Judges one value against its declaration and says in one sentence what is wrong with it."""

from __future__ import annotations

import math
from typing import Any

from wbc_control.errors import ParameterError
from wbc_control.parameters.declaration import Declaration

_PYTHON_TYPE = {"bool": bool, "integer": int, "double": float, "string": str}


def coerce(declared: Declaration, value: Any, where: str) -> Any:
    """The value in its declared type.

    Raises:
        ParameterError: Wrong type, not finite, out of bounds or not among the choices.
    """
    if declared.type_name.endswith("_array"):
        if not isinstance(value, (list, tuple)) and not hasattr(value, "tolist"):
            raise _wrong_type(declared, value, where)
        return tuple(_element(declared, item, where) for item in value)
    return _element(declared, value, where)


def _element(declared: Declaration, value: Any, where: str) -> Any:
    wanted = _PYTHON_TYPE[declared.type_name.removesuffix("_array")]
    if isinstance(value, bool) != (wanted is bool) or not isinstance(value, (bool, int, float, str)):
        raise _wrong_type(declared, value, where)
    if wanted is float and isinstance(value, int):
        hint = f"is the integer {value}, wanted a double: write {float(value)}"
        raise ParameterError(hint, where=_place(where, declared), value=value, bound="double")
    if not isinstance(value, wanted):
        raise _wrong_type(declared, value, where)
    return _text(declared, value, where) if isinstance(value, str) else _number(declared, value, where)


def _number(declared: Declaration, value: Any, where: str) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise ParameterError(f"is {value}, wanted a finite number", where=_place(where, declared), value=value)
    if not declared.lower <= value <= declared.upper:
        bound = f"[{declared.lower:g}, {declared.upper:g}]"
        unit = f" {declared.unit}" if declared.unit not in ("", "1") else ""
        message = f"is {value}, outside {bound}{unit}"
        raise ParameterError(message, where=_place(where, declared), value=value, bound=bound)
    return value


def _text(declared: Declaration, value: str, where: str) -> str:
    if declared.choices and value not in declared.choices:
        message = f"is '{value}', wanted one of {', '.join(declared.choices)}"
        raise ParameterError(message, where=_place(where, declared), value=value, bound=declared.choices)
    return value


def _wrong_type(declared: Declaration, value: Any, where: str) -> ParameterError:
    message = f"is {value!r}, wanted a value of type {declared.type_name}"
    return ParameterError(message, where=_place(where, declared), value=value, bound=declared.type_name)


def _place(where: str, declared: Declaration) -> str:
    return f"{where}, parameter '{declared.name}'" if where else f"parameter '{declared.name}'"
