"""Whole-body references of a stepping robot over the horizon, put together from CoM, feet, torso and load."""

from __future__ import annotations

import numpy as np

from wbc_control.parameters.planner import PlannerParameters
from wbc_control.planning.feet import FeetPreview, preview_feet
from wbc_control.planning.horizon import ComMotion, FeetMotion, TorsoMotion
from wbc_control.planning.stepping import Stepping
from wbc_control.planning.support import share_load
from wbc_control.planning.swing import swing_shape
from wbc_control.planning.velocity import VelocityReference
from wbc_control.spatial import GRAVITY_M_S2, Array, exp_so3
from wbc_control.state.checks import BoolArray


def stepping_references(
    stepping: Stepping, velocity: VelocityReference, parameters: PlannerParameters, times: Array
) -> tuple[ComMotion, TorsoMotion, FeetMotion]:
    """CoM, torso and feet at ``times`` (k,) s from now; adapts the next step on the way."""
    level = stepping.plan_step(velocity, parameters, len(times))
    height = stepping.height.preview(times)
    com = ComMotion(
        np.column_stack((level.position, height[0])),
        np.column_stack((level.velocity, height[1])),
        np.column_stack((level.acceleration, height[2])),
        level.zmp,
    )
    return com, _torso(stepping, velocity, times), _feet(stepping, com, parameters, times)


def _torso(stepping: Stepping, velocity: VelocityReference, times: Array) -> TorsoMotion:
    """Upright, at the reference heading; leaning as far as the hip strategy lets it yield."""
    headings = stepping.heading + velocity.value[2] * times
    turn = np.zeros((len(times), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = np.cos(headings)
    turn[:, 1, 0] = np.sin(headings)
    turn[:, 0, 1], turn[:, 2, 2] = -turn[:, 1, 0], 1.0
    rate = np.zeros((len(times), 3))
    rate[:, 2] = velocity.value[2]
    upright = turn @ stepping.body.torso_rotation
    if not stepping.lean.yields:
        return TorsoMotion(upright, rate)
    vectors, rates = stepping.lean.preview(times)
    return TorsoMotion(np.array([exp_so3(v) for v in vectors]) @ upright, rate + rates)


def _feet(stepping: Stepping, com: ComMotion, parameters: PlannerParameters, times: Array) -> FeetMotion:
    schedule, clock = stepping.timing.schedule, stepping.timing.clock
    preview = preview_feet(stepping.feet, stepping.landings, schedule, clock, swing_shape(parameters.step), times)
    in_contact = ~schedule.swinging(clock.phase_at(times))
    _feet_of_now(stepping, in_contact)
    weight = np.where(in_contact, stepping.timing.weight(clock, times), 0.0)
    return FeetMotion(
        preview.position,
        preview.rotation,
        preview.velocity,
        preview.acceleration,
        in_contact,
        weight,
        _load(stepping, com, preview, weight),
    )


def _feet_of_now(stepping: Stepping, in_contact: BoolArray) -> None:
    """What feet really do overrides the schedule up to the next event: landed early is in contact, late is not."""
    for foot in range(stepping.body.n_feet):
        if foot in stepping.feet.swings:
            in_contact[0, foot] = False
            if stepping.feet.swings[foot].remaining <= 1e-6:
                in_contact[:, foot] = False
        elif not in_contact[0, foot]:
            rising = np.flatnonzero(in_contact[:, foot])
            in_contact[: rising[0] if len(rising) else len(in_contact), foot] = True


def _load(stepping: Stepping, com: ComMotion, preview: FeetPreview, weight: Array) -> Array:
    total = stepping.body.mass * (GRAVITY_M_S2 + com.acceleration[:, 2])
    offset = np.einsum("kfij,fj->kfi", preview.rotation, stepping.body.centre_in_sole)
    centres = (preview.position + offset)[:, :, :2]
    return share_load(total, com.zmp, centres, weight)
