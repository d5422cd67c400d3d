"""The torso yields to a push while the ankles are at their end, and never beyond its limit."""

from __future__ import annotations

import numpy as np
import pytest

from wbc_control.planning.lean import TorsoLean, hip_share, yielding_share
from wbc_control.spatial import exp_so3

LIMIT = 0.5


def _yielded(lean: float, share: float, rate: float = 2.0) -> TorsoLean:
    torso = TorsoLean()
    torso.advance(0.01, exp_so3(np.array([0.0, lean, 0.0])), np.array([0.0, rate, 0.0]), 0.0, share, LIMIT)
    return torso


def test_shares_rise_with_need_and_stay_between_0_and_1() -> None:
    margins, errors = np.linspace(0.1, -0.1, 41), np.linspace(0.0, 0.3, 41)
    for shares in ([hip_share(m) for m in margins], [yielding_share(e) for e in errors]):
        assert shares[0] == 0.0 and shares[-1] == 1.0 and (np.diff(shares) >= 0.0).all()


def test_a_robot_in_balance_is_held_upright() -> None:
    assert not _yielded(0.2, share=0.0).yields


def test_a_pushed_torso_is_followed_where_it_is() -> None:
    torso = _yielded(0.2, share=1.0)
    np.testing.assert_allclose(torso.vector, [0.0, 0.2, 0.0], atol=1e-12)
    np.testing.assert_allclose(torso.rate, [0.0, 2.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("lean", [LIMIT, 0.8, 1.2])
def test_beyond_its_limit_it_no_longer_yields(lean: float) -> None:
    assert not _yielded(lean, share=1.0).yields


def test_it_turns_back_upright_and_its_rate_is_the_slope_of_its_lean() -> None:
    torso = _yielded(0.2, share=1.0)
    for _ in range(200):
        torso.advance(0.01, np.eye(3), np.zeros(3), 0.0, 0.0, LIMIT)
    assert not torso.yields
    torso, step = _yielded(0.2, share=1.0), 1e-6
    vectors, rates = torso.preview(np.array([0.05, 0.05 + step]))
    np.testing.assert_allclose((vectors[1] - vectors[0]) / step, rates[0], atol=1e-4)


def test_a_turned_robot_leans_in_world_axes() -> None:
    heading, lean = exp_so3(np.array([0.0, 0.0, 1.2])), exp_so3(np.array([0.1, 0.0, 0.0]))
    torso = TorsoLean()
    torso.advance(0.01, lean @ heading, np.zeros(3), 1.2, 1.0, LIMIT)
    np.testing.assert_allclose(torso.vector, [0.1, 0.0, 0.0], atol=1e-9)
