"""Shape checks shared by the value types."""

from __future__ import annotations

from typing import Any

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
