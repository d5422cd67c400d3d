"""How far a standing robot may sway, circle or squat before its contacts can no longer make the wrench it takes.

The ZMP inside the support says nothing of friction, nor of feet on slopes or at two heights; the set of feasible wrenches
of the stance says all of it (:class:`~wbc_control.contact_mechanics.wrench_set.WrenchSet`; Caron, Pham and Nakamura 2017
for its use in planning).  The wrench of a harmonic motion about a resting point is affine in the amplitude (but for the
small moment of a circle's centripetal force about its off-centre start), so the limit along each phase is one linear
programme.  One is solved a plan, so that no plan takes long.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from wbc_control.contact_mechanics.grasp import Grasp
from wbc_control.contact_mechanics.wrench_set import WrenchSet
from wbc_control.parameters.planner import StandingMotionParameters
from wbc_control.planning.stance import Stance
from wbc_control.planning.support import contact_points
from wbc_control.spatial import GRAVITY_M_S2, Array

_CIRCLE_PHASES = 8
_UP = np.array([0.0, 0.0, 1.0])


class MotionLimit:
    """Largest amplitude of a motion on one stance.

    Args:
        stance: The feet.
        friction: Coulomb coefficient the plan may count on.
    """

    def __init__(self, stance: Stance, friction: float) -> None:
        self._stance, self._friction = stance, friction
        self._wrenches: WrenchSet | None = None
        self._asked: tuple[object, ...] = ()
        self._open: list[Array] = []
        self._found = self._limit = 0.0

    def amplitude(self, com: Array, wanted: StandingMotionParameters) -> float:
        """The limit, m, about the resting CoM (3,), world; that of the motion before (at first 0) while one is sought."""
        if wanted.kind == "stand":
            return math.inf
        asked = (wanted.kind, wanted.frequency, wanted.heading, *np.round(com, 4).tolist())
        if asked != self._asked:
            self._asked, self._found = asked, math.inf
            self._open = list(_wrench_slopes(wanted, self._stance.heading, self._stance.body.mass))
            self._wrenches = WrenchSet(_grasp(self._stance, com, self._friction))
        elif self._open:
            self._solve_one()
        return self._limit

    def _solve_one(self) -> None:
        assert self._wrenches is not None
        size, slope = self._wrenches.grasp.length, self._open.pop()
        weight = np.concatenate([self._stance.body.mass * GRAVITY_M_S2 * _UP, np.zeros(3)])
        reach = self._wrenches.reach(weight, slope / np.array([1.0, 1.0, 1.0, size, size, size]))
        self._found = min(self._found, 0.0 if reach is None else reach)
        if not self._open:
            self._limit = self._found


def _grasp(stance: Stance, com: Array, friction: float) -> Grasp:
    """All corners of the stance, moments about ``com``, over its height."""
    points, normals = [], []
    for foot in range(stance.body.n_feet):
        corners = contact_points(stance.body, foot, stance.position[foot], stance.rotation[foot])
        points.append(corners)
        normals.append(np.tile(_UP if stance.body.is_point[foot] else stance.rotation[foot][:, 2], (len(corners), 1)))
    return Grasp(np.vstack(points), np.vstack(normals), np.asarray(friction), com, stance.body.com_height)


def _wrench_slopes(wanted: StandingMotionParameters, heading: float, mass: float) -> Iterator[Array]:
    """(6,) change of the ground's wrench about the resting CoM, N and N·m, per metre of amplitude, at decisive phases."""
    square = (2.0 * math.pi * wanted.frequency) ** 2
    if wanted.kind == "squat":
        pairs = [(sign * _UP, sign * _UP) for sign in (1.0, -1.0)]
    elif wanted.kind == "sway":
        way = _level(heading + wanted.heading)
        pairs = [(sign * way, sign * way) for sign in (1.0, -1.0)]
    else:
        turns = [2.0 * math.pi * k / _CIRCLE_PHASES for k in range(_CIRCLE_PHASES)]
        # The circle starts at the resting point, so its centre lies one radius behind.
        pairs = [(_level(heading + turn) - _level(heading), _level(heading + turn)) for turn in turns]
    for offset, bend in pairs:
        yield np.concatenate([-mass * square * bend, np.cross(offset, mass * GRAVITY_M_S2 * _UP)])


def _level(angle: float) -> Array:
    return np.array([math.cos(angle), math.sin(angle), 0.0])
