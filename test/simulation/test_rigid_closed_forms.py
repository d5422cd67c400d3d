"""Both physics engines against closed forms, through the interface of the backends: slide, tip, bounce, fly."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mujoco", reason="compares with MuJoCo (extra `sim`)")

_FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "contact_engines.py"
ENGINES = ("rigid", "mujoco")


@pytest.fixture(scope="module")
def cases() -> Any:
    if not _FILE.is_file():
        pytest.skip("the benchmarks are not part of this installation")
    spec = importlib.util.spec_from_file_location("contact_engines", _FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    import sys

    sys.modules["contact_engines"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("speed", "friction"), [(1.2, 0.4), (0.9, 0.5)])
def test_sliding_box_stops_at_the_coulomb_distance(cases: Any, engine: str, speed: float, friction: float) -> None:
    """v²/(2 μ g) within the way of one step (below μ = half length / half height, where it would tip over)."""
    distance, exact = cases.sliding_distance(engine, speed, friction)
    assert distance == pytest.approx(exact, abs=1e-3 * speed)


@pytest.mark.parametrize("engine", ENGINES)
def test_box_tips_at_the_closed_angle(cases: Any, engine: str) -> None:
    """On a slope: it stands 1 % below atan(half length / half height) and falls 1 % above."""
    exact = math.atan(cases.HALF_M[0] / cases.HALF_M[2])
    assert not cases.tips(engine, 0.99 * exact)
    assert cases.tips(engine, 1.01 * exact, seconds=1.2)


@pytest.mark.parametrize(("engine", "tolerance"), [("rigid", 0.01), ("mujoco", 0.12)])
def test_ball_bounces_to_the_closed_height(cases: Any, engine: str, tolerance: float) -> None:
    """e² of the height. MuJoCo's spring-damper yields e only about (its impedance grows with the depth)."""
    for restitution in (0.5, 0.8):
        apexes = cases.bounces(engine, restitution)
        assert apexes[0] == pytest.approx(0.5 * restitution**2, rel=tolerance)
        assert apexes[1] == pytest.approx(0.5 * restitution**4, rel=2.5 * tolerance)


@pytest.mark.parametrize("engine", ENGINES)
def test_free_flight_drifts_as_a_first_order_scheme_does(cases: Any, engine: str) -> None:
    """Of a box tumbling at 7 rad/s for a second, steps of 1 ms: m g v h / 2 in energy, under 0.4 % in momentum."""
    drift = cases.flight_drift(engine)
    assert drift.energy < 0.025 and drift.momentum < 0.004


@pytest.mark.slow
def test_g1_stands_with_one_centre_of_pressure_on_both_engines(cases: Any) -> None:
    """Means within 3 mm (in fact within hundredths), single instants too."""
    rigid, mujoco = (cases.standing_centres("g1", engine, 1.5)[:, 1:] for engine in ENGINES)
    assert len(rigid) == len(mujoco) == 500
    assert abs(rigid.mean(axis=0) - mujoco.mean(axis=0)).max() < 1e-3
    assert abs(rigid - mujoco).max() < 3e-3
