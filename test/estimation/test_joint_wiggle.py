"""Who answers when a joint is moved: every kind of wrong answer is named, a soft robot's swinging along is not."""

from __future__ import annotations

import numpy as np
import pytest

from wbc_control.estimation.joint_wiggle import wiggle_causes, wiggle_size

NAMES = ("hip", "knee", "ankle")


@pytest.mark.parametrize("seed", range(5))
def test_obedient_joints_raise_no_complaint_however_the_others_swing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    asked = rng.choice([-0.08, 0.08], 3)
    answers = np.diag(asked * rng.uniform(0.25, 1.5, 3)) + 0.06 * rng.normal(size=(3, 3)) * (1 - np.eye(3))
    assert wiggle_causes(NAMES, asked.tolist(), answers) == []


def test_exchanged_joints_are_named_both_ways() -> None:
    causes = wiggle_causes(NAMES, [0.1, 0.1, 0.1], 0.1 * np.eye(3)[[1, 0, 2]])
    assert len(causes) == 2 and all("order of the joints" in cause for cause in causes)
    assert "'hip' was moved but 'knee' answered" in causes[0]


def test_a_joint_that_moves_the_wrong_way_or_not_at_all_is_named() -> None:
    causes = wiggle_causes(NAMES, [0.1, 0.1, 0.1], np.diag([0.1, -0.1, 0.001]))
    assert "'knee' moved the wrong way" in causes[0] and "'ankle' did not move" in causes[1]


def test_joints_left_alone_are_not_judged() -> None:
    assert wiggle_causes(NAMES, [0.0, 0.0, 0.0], np.eye(3)[[1, 2, 0]]) == []


@pytest.mark.parametrize(("position", "wanted"), [(0.9, -0.1), (-0.9, 0.1), (0.0, -0.1)])
def test_joints_are_moved_away_from_the_nearer_stop(position: float, wanted: float) -> None:
    assert wiggle_size(position, -1.0, 1.0, 0.1) == wanted
    assert wiggle_size(position, -0.05, 0.05, 0.1) == 0.0
