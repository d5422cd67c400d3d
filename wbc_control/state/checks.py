"""Shape checks shared by the value types."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import ShapeError

Array = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def check_shape(where: str, value: Any, shape: tuple[int, ...]) -> None:
    """Refuse anything but an array of exactly ``shape``.

    Raises:
        ShapeError: ``where`` names the field, with the shape found and the one wanted.
    """
    found = getattr(value, "shape", None)
    if found != shape:
        raise ShapeError(f"has shape {found}, wanted {shape}", where=where, value=found, bound=shape)


Value = TypeVar("Value")


def unchecked(kind: type[Value], *values: Any) -> Value:
    """A frozen, slotted dataclass ``kind`` from all its fields in order, without its checks.

    For values computed by the caller itself, a thousand times a second; what comes from outside goes through the class.
    """
    made = object.__new__(kind)
    for write, value in zip(_writers(cast(Hashable, kind)), values):
        write(made, value)
    return made


@cache
def _writers(kind: Any) -> tuple[Any, ...]:
    return tuple(getattr(kind, field.name).__set__ for field in fields(kind))
