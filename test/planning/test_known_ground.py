"""Known ground: heights and edges of a profile, soles put wholly on a tread, swings that clear a riser."""

from __future__ import annotations

import numpy as np
import pytest
from planning_bodies import biped_body

from wbc_control.errors import ParameterError
from wbc_control.parameters.planner import GroundParameters
from wbc_control.planning.feet import FeetState
from wbc_control.planning.footsteps import Landing
from wbc_control.planning.ground_profile import GroundProfile
from wbc_control.planning.stance import Stance
from wbc_control.planning.swing import Foothold, SwingShape, SwingTiming, resting_state, swing_motion
from wbc_control.planning.terrain_estimate import TerrainEstimate

STAIRS = (0.6, 0.0, 0.6, 0.1, 0.95, 0.1, 0.95, 0.2)
RAMP = (1.0, 0.0, 2.0, 0.5, 3.0, 0.5)


def profile(points: tuple[float, ...], heading: float = 0.0, margin: float = 0.03) -> GroundProfile:
    ground = GroundProfile.from_parameters(GroundParameters(points, heading, margin))
    assert ground is not None
    return ground


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_heights_and_slopes_lie_along_the_heading(heading: float) -> None:
    ahead, aside = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    stairs, ramp = profile(STAIRS, heading), profile(RAMP, heading)
    for at, height in ((0.0, 0.0), (0.59, 0.0), (0.61, 0.1), (0.94, 0.1), (0.96, 0.2), (5.0, 0.2)):
        assert stairs.height(*(at * ahead + 0.7 * aside)) == pytest.approx(height)
        np.testing.assert_allclose(stairs.gradient(*(at * ahead)), 0.0, atol=1e-12)
    np.testing.assert_allclose(ramp.gradient(*(1.5 * ahead)), 0.5 * ahead, atol=1e-9)
    np.testing.assert_allclose(ramp.gradient(*(2.5 * ahead)), 0.0, atol=1e-12)


def test_a_sole_is_moved_the_shortest_way_onto_one_tread() -> None:
    ground = profile(STAIRS)
    for at in np.linspace(0.0, 1.5, 151):
        moved = at + ground.shift_onto_tread(at, 0.3, 0.05, 0.12, None)[0]
        treads = [(-np.inf, 0.6), (0.6, 0.95), (0.95, np.inf)]
        allowed = [(low + 0.08 - 1e-9, high - 0.15 + 1e-9) for low, high in treads]
        assert any(low <= moved <= high for low, high in allowed)
        nearest = min(abs(np.clip(at, low, high) - at) for low, high in allowed)
        assert abs(moved - at) == pytest.approx(nearest, abs=1e-6)


def test_a_foot_in_flight_keeps_its_tread_while_the_plan_trembles() -> None:
    ground = profile(STAIRS)
    middle = 0.5 * (0.45 + 0.68)  # between the last place before the riser and the first behind it
    for tremble in (-0.02, 0.02):
        assert middle + tremble + ground.shift_onto_tread(middle + tremble, 0.0, 0.05, 0.12, 0.45)[0] <= 0.45 + 1e-9
        assert middle + tremble + ground.shift_onto_tread(middle + tremble, 0.0, 0.05, 0.12, 0.70)[0] >= 0.68 - 1e-9


def test_a_tread_shorter_than_the_sole_is_stood_on_in_its_middle() -> None:
    ground = profile((0.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.1, 0.2))
    assert 0.06 + ground.shift_onto_tread(0.06, 0.0, 0.05, 0.05, None)[0] == pytest.approx(0.05)


def test_felt_heights_set_the_known_profile_right_but_never_by_a_step() -> None:
    for offset, believed in ((0.02, 0.02), (-0.01, -0.01), (0.3, 0.05)):
        terrain = TerrainEstimate(4, profile=profile(STAIRS))
        terrain.reset(np.array([[x, 0.1, (0.1 if x > 0.6 else 0.0) + offset] for x in (0.3, 0.4, 0.7, 0.8)]))
        assert terrain.height(1.2, 0.0) == pytest.approx(0.2 + believed)


@pytest.mark.parametrize("points", [(1.0,), (0.0, 0.0, -1.0, 0.1)])
def test_an_unusable_profile_is_refused(points: tuple[float, ...]) -> None:
    with pytest.raises(ParameterError, match="pairs of distance and height"):
        GroundParameters(points)


@pytest.mark.parametrize("points", [STAIRS, RAMP])
def test_landed_soles_lie_on_the_ground_with_every_corner(points: tuple[float, ...]) -> None:
    body = biped_body()
    offsets = np.column_stack((body.foot_offset, body.sole_height))
    stance = Stance(
        body, offsets - np.einsum("fij,fj->fi", body.foot_rotation, body.centre_in_sole), body.foot_rotation
    )
    feet = FeetState.standing(stance, 0.0, GroundParameters(points))
    for at in (0.55, 0.62, 0.85, 1.3):
        (landing,) = feet.off_edges([Landing(0, 1.0, np.array([at, 0.1]), 0.2)])
        hold = feet.foothold_of(landing)
        corners = hold.position + body.corners[0] @ hold.rotation.T
        ground = [profile(points).height(*corner[:2]) for corner in corners]
        np.testing.assert_allclose(corners[:, 2], ground, atol=1e-9)


@pytest.mark.parametrize("rise", [0.1, -0.1])
def test_a_swing_clears_the_riser_between_two_treads(rise: float) -> None:
    eye, total = np.eye(3), 0.35
    near, far = (0.03, 0.20) if rise > 0.0 else (0.20, 0.03)  # from the riser, on the lower tread as close as allowed
    lifted, target = Foothold(np.array([-near, 0.0, 0.0]), eye), Foothold(np.array([far, 0.0, rise]), eye)
    times = np.linspace(0.0, total, 200)
    shape = SwingShape(clearance=0.06, touchdown_speed=0.05, search_speed=0.5)
    motion = swing_motion(resting_state(lifted), lifted, target, SwingTiming(total, total), shape, times)
    x, z = motion.position[:, 0], motion.position[:, 2]
    upper = x >= 0.0 if rise > 0.0 else x <= 0.0
    assert (z[upper] - max(rise, 0.0)).min() >= -1e-3
    np.testing.assert_allclose(motion.position[-1], target.position, atol=1e-9)
    for k in range(3):
        finite = np.gradient(motion.position[:, k], times)
        np.testing.assert_allclose(finite[2:-2], motion.velocity[2:-2, k], atol=0.02)


def test_the_body_sinks_before_a_step_down_and_no_leg_reaches_far() -> None:
    body = biped_body()
    stance = Stance(body, np.column_stack((body.foot_offset, body.sole_height)), body.foot_rotation)
    feet = FeetState.standing(stance, 0.0, GroundParameters())
    level = feet.body_ground(np.zeros(2), 0.0)
    feet.lift(0, SwingTiming(0.3, 0.3))
    lower = feet.swings[0].target.position - np.array([0.0, 0.0, 0.1])
    feet.swings[0].target = Foothold(lower, np.eye(3))
    assert level == pytest.approx(0.0, abs=1e-9)
    assert feet.body_ground(np.zeros(2), 0.0) == pytest.approx(-0.1 + 0.03 * body.com_height, abs=1e-6)
