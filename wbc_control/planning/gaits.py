"""Gaits as data: when each foot swings within one cycle.  Feet are known by where they are, never by index.

A foot's place is read from its name's geometry: left or right of the middle, front or rear of it.  Phase offsets say by
which share of the cycle a foot is ahead: with cycle phase φ, foot i is at frac(φ + offset_i); it stands from 0 (touch-
down) to ``duty`` and swings from ``duty`` to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wbc_control.errors import ParameterError
from wbc_control.planning.body import PlanningBody
from wbc_control.spatial import Array

LEFT, RIGHT = "left", "right"
FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT = "front_left", "front_right", "rear_left", "rear_right"


@dataclass(frozen=True)
class Gait:
    """One gait.

    Attributes:
        duty: Share of the cycle a foot stands.
        period: Duration of a cycle in natural time units √(h/g) of the pendulum, 1: fits any size of robot.
        offsets: Phase offset of each place.
        marches: Whether it keeps stepping at zero velocity.
    """

    duty: float
    period: float
    offsets: Mapping[str, float]
    marches: bool = False


_BIPED = {LEFT: 0.0, RIGHT: 0.5}
_DIAGONAL = {FRONT_LEFT: 0.0, REAR_RIGHT: 0.0, FRONT_RIGHT: 0.5, REAR_LEFT: 0.5}
_LATERAL = {FRONT_LEFT: 0.0, REAR_LEFT: 0.0, FRONT_RIGHT: 0.5, REAR_RIGHT: 0.5}
_FRONT_REAR = {FRONT_LEFT: 0.0, FRONT_RIGHT: 0.0, REAR_LEFT: 0.5, REAR_RIGHT: 0.5}
_FOUR_BEAT = {REAR_LEFT: 0.0, FRONT_LEFT: 0.75, REAR_RIGHT: 0.5, FRONT_RIGHT: 0.25}

GAITS: Mapping[str, Gait] = {
    "walk": Gait(0.60, 3.2, _BIPED | _FOUR_BEAT),
    "trot": Gait(0.56, 3.1, _BIPED | _DIAGONAL),
    "pace": Gait(0.60, 2.2, _BIPED | _LATERAL),
    "bound": Gait(0.60, 2.2, _BIPED | _FRONT_REAR),
    "crawl": Gait(0.80, 6.0, _BIPED | _FOUR_BEAT),
    "run_in_place": Gait(0.54, 2.2, _BIPED | _DIAGONAL, marches=True),
}
"""Every gait but ``stand``, which never steps unless pushed."""


def foot_places(body: PlanningBody) -> tuple[str, ...]:
    """Place of each foot: left/right for two feet, front_left … rear_right for four.

    Raises:
        ParameterError: Another number of feet, or two feet at one place.
    """
    places = tuple(_place(offset, body.n_feet) for offset in body.foot_offset)
    wanted = (LEFT, RIGHT) if body.n_feet == 2 else (FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT)
    if sorted(places) != sorted(wanted):
        found = ", ".join(f"{name}: {place}" for name, place in zip(body.foot_names, places))
        message = f"gaits need one foot at each of {', '.join(wanted)}; the standing posture has {found or 'no feet'}"
        raise ParameterError(message, where="robot.feet", value=places, bound=wanted)
    return places


def _place(offset: Array, n_feet: int) -> str:
    side = LEFT if offset[1] > 0.0 else RIGHT
    if n_feet == 2:
        return side
    return f"{'front' if offset[0] > 0.0 else 'rear'}_{side}"
