"""Ground heights: each terrain by hand, the height field against its triangles, boxes against sampling."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from wbc_control.simulation.scenario import read_scenario
from wbc_control.simulation.terrain import Box, Ground, HeightField, make_ground
from wbc_control.spatial import roll_pitch_yaw_to_matrix


def _ground(**terrain: Any) -> Ground:
    return make_ground(read_scenario({"duration": 1.0, "terrain": terrain}, "x").terrain)


def test_flat() -> None:
    ground = _ground(type="flat", height=0.4, friction=0.3)
    assert ground.height(3.0, -7.0) == 0.4 and ground.friction == 0.3


def test_slope_goes_up_stays_and_comes_down() -> None:
    ground = _ground(type="slope", pitch_deg=10.0, start=1.0, length=2.0, top=1.0)
    rise = 2.0 * math.tan(math.radians(10.0))
    for x, wanted in ((0.5, 0.0), (2.0, rise / 2.0), (3.5, rise), (5.0, rise / 2.0), (7.0, 0.0)):
        assert ground.height(x, 0.3) == pytest.approx(wanted, abs=1e-9)


def test_stairs_up_and_down() -> None:
    ground = _ground(type="stairs", height=0.1, depth=0.3, count=3, start=0.6, top=1.0)
    for x, wanted in ((0.5, 0.0), (0.7, 0.1), (1.0, 0.2), (1.5, 0.3), (2.1, 0.3), (2.4, 0.2), (2.7, 0.1), (2.9, 0.0)):
        assert ground.height(x, 0.0) == pytest.approx(wanted)


def test_beam_is_level_with_the_start_and_the_ground_below() -> None:
    ground = _ground(type="beam", width=0.3, drop=0.5)
    assert ground.height(0.0, 0.1) == pytest.approx(0.0)
    assert ground.height(0.0, 0.2) == pytest.approx(-0.5)


def test_boxes_stand_on_the_plane() -> None:
    ground = _ground(type="boxes", height=0.2, boxes=[{"position": [1.0, 0.0, 0.05], "size": [0.4, 0.4, 0.1]}])
    assert ground.height(1.1, 0.1) == pytest.approx(0.3)
    assert ground.height(1.3, 0.1) == pytest.approx(0.2)


def test_rough_is_flat_at_the_start_bounded_and_repeatable() -> None:
    ground, same, other = (_ground(type="rough", amplitude=0.02, seed=seed) for seed in (1, 1, 2))
    assert abs(ground.height(0.0, 0.0)) < 1e-12
    heights = [ground.height(x, y) for x in np.linspace(1.0, 8.0, 40) for y in (-0.5, 0.2)]
    assert 0.005 < max(heights) <= 0.02 and -0.02 <= min(heights) < -0.005
    assert ground.height(3.1, 0.2) == same.height(3.1, 0.2) != other.height(3.1, 0.2)


def test_tilted_box_height_is_the_topmost_point_of_its_solid() -> None:
    generator = np.random.default_rng(5)
    for _ in range(30):
        rotation = roll_pitch_yaw_to_matrix(*generator.uniform(-1.0, 1.0, 3))
        box = Box(generator.normal(size=3), generator.uniform(0.1, 1.0, 3), rotation)
        x, y = box.center[:2] + generator.uniform(-1.0, 1.0, 2)
        column = np.array([[x, y, z] for z in np.linspace(-6.0, 6.0, 4001)])
        inside = (np.abs((column - box.center) @ rotation) <= box.half_size).all(axis=1)
        if inside.any():
            assert box.height(x, y) == pytest.approx(column[inside, 2].max(), abs=4e-3)
        else:
            assert box.height(x, y) == -math.inf or abs(box.height(x, y)) < 6.0


def test_height_field_meets_its_grid_and_is_continuous() -> None:
    heights = np.random.default_rng(2).normal(size=(5, 7))
    field = HeightField(-1.0, 2.0, 0.5, heights)
    assert field.height(-1.0 + 0.5 * 3, 2.0 + 0.5 * 2) == pytest.approx(heights[2, 3])
    assert field.height(0.5 * 6 - 1.0, 4.0) == pytest.approx(heights[4, 6])
    assert field.height(-1.01, 2.5) == -math.inf
    for a, b in (
        ((0.2499, 2.2501), (0.2501, 2.2499)),
        ((0.2501, 2.5001), (0.2501, 2.4999)),
        ((0.1999, 2.2), (0.2001, 2.2)),
    ):
        assert field.height(*a) == pytest.approx(field.height(*b), abs=2e-3)


def test_mujoco_sees_the_same_surface() -> None:
    """A ray from above meets the ground where :meth:`Ground.height` says."""
    mujoco = pytest.importorskip("mujoco", reason="needs MuJoCo (extra `sim`)")
    from wbc_control.parameters import SimulatorParameters
    from wbc_control.simulation.mujoco_shapes import add_ground

    for terrain in ("slope", "stairs", "rough", "beam"):
        ground, spec = _ground(type=terrain), mujoco.MjSpec()
        add_ground(spec, ground, SimulatorParameters().ground)
        model = spec.compile()
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        for x, y in np.random.default_rng(0).uniform([-0.5, -1.0], [5.0, 1.0], (50, 2)):
            geom, start = np.zeros(1, dtype=np.int32), np.array([x, y, 5.0])
            distance = _ray(mujoco, model, data, start, geom)
            assert 5.0 - distance == pytest.approx(ground.height(x, y), abs=1e-5), (terrain, x, y)


def _ray(mujoco: Any, model: Any, data: Any, start: Any, geom: Any) -> float:
    down = np.array([0.0, 0.0, -1.0])
    try:
        return float(mujoco.mj_ray(model, data, start, down, None, 1, -1, geom))
    except TypeError:
        return float(mujoco.mj_ray(model, data, start, down, None, 1, -1, geom, None))
