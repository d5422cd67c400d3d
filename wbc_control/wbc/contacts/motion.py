"""What the motions of all contacts have in common: released axes and the acceleration that keeps a contact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbc_control.errors import ParameterError
from wbc_control.wbc.contacts.contact import Array
from wbc_control.wbc.contacts.surface import ContactSurface

AXES = ("x", "y", "z", "roll", "pitch", "yaw")
"""Motion rows of a sole in its contact frame."""


def kept_axes(released: Sequence[str], rows: int, name: str) -> list[int]:
    """Indices of the motion rows that stay when ``released`` axes are free.

    Raises:
        ParameterError: An axis that the contact does not have, or all of them.
    """
    known = AXES[:rows]
    unknown = [axis for axis in released if axis not in known]
    kept = [i for i, axis in enumerate(known) if axis not in released]
    if unknown or not kept:
        message = f"can release some of {', '.join(known)}, not {', '.join(unknown) or 'all of them'}"
        raise ParameterError(message, where=f"contact.feet.{name}.released", value=tuple(released), bound=known)
    return kept


def keeping_acceleration(
    velocity: Array, drift: Array, decay: float, surface: ContactSurface, point: Array, out: Array
) -> None:
    """a_s − drift − λ (v − v_s) of a frame (6,) on a surface: follow it, and let what is left of the velocity decay."""
    np.multiply(velocity, -decay, out=out)
    out -= drift
    if not surface.is_still:
        out += surface.acceleration_at(point)
        out += decay * surface.velocity_at(point)
