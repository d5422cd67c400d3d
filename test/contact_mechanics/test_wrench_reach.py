"""How far a wrench may go: closed forms of a sole, and agreement with the membership programme."""
import numpy as np
import pytest

from wbc_control.contact_mechanics.grasp import Grasp
from wbc_control.contact_mechanics.wrench_set import WrenchSet
from wbc_control.errors import DomainError

HALF_LENGTH, HALF_WIDTH, FRICTION, WEIGHT = 0.1, 0.05, 0.5, 300.0
CORNERS = np.array([[sx * HALF_LENGTH, sy * HALF_WIDTH, 0.0] for sx in (1, -1) for sy in (1, -1)])
STANDING = np.array([0, 0, WEIGHT, 0, 0, 0.0])


def sole(limit=np.inf):
    return WrenchSet(Grasp(CORNERS, np.tile([0, 0, 1.0], (4, 1)), FRICTION, np.zeros(3)), limit)


@pytest.mark.parametrize(
    ("along", "exact"),
    [
        ((1, 0, 0, 0, 0, 0), FRICTION * WEIGHT),  # slides; x is an edge of the eight-facet cone
        ((0, 0, 0, 0, 1, 0), HALF_LENGTH * WEIGHT),  # tips over its toes
        ((0, 0, 0, 1, 0, 0), HALF_WIDTH * WEIGHT),  # over its side
        ((0, 0, -1, 0, 0, 0), WEIGHT),  # lifts off
        ((0, 0, 1, 0, 0, 0), np.inf),
    ],
)
def test_reach_of_a_sole_in_closed_form(along, exact):
    assert sole().reach(STANDING, np.array(along, dtype=float)) == pytest.approx(exact, rel=1e-9)


def test_force_limits_bound_the_reach():
    assert sole(100.0).reach(STANDING, np.array([0, 0, 1.0, 0, 0, 0])) == pytest.approx(100.0)


def test_reach_is_where_membership_ends():
    rng = np.random.default_rng(1)
    for _ in range(10):
        along = rng.normal(size=6) * [1, 1, 0.3, 0.05, 0.1, 0.05]
        reach = sole().reach(STANDING, along)
        if np.isfinite(reach):
            assert sole().contains(STANDING + 0.999 * reach * along).inside
            assert not sole().contains(STANDING + 1.001 * reach * along).inside


def test_infeasible_start_and_bad_input():
    assert sole().reach(-STANDING, np.array([1.0, 0, 0, 0, 0, 0])) is None
    with pytest.raises(DomainError):
        sole().reach(STANDING, np.full(6, np.nan))
