"""Continuous collision: times of impact against closed forms, and a bullet that must not tunnel."""
from functools import partial

import numpy as np
import pytest

from wbc_control.contact_mechanics.impact_substeps import step_with_impacts
from wbc_control.contact_mechanics.mechanism import ContactSet
from wbc_control.contact_mechanics.semi_implicit_step import semi_implicit_step
from wbc_control.contact_mechanics.time_of_impact import ballistic_time_of_impact, conservative_advancement
from wbc_control.errors import DomainError


def test_closed_form_time_of_impact():
    assert ballistic_time_of_impact(1.0, 0.0, -2.0, 5.0) == pytest.approx(1.0)
    assert ballistic_time_of_impact(1.0, -2.0, 0.0, 5.0) == pytest.approx(0.5)
    assert ballistic_time_of_impact(1.0, -2.0, 0.0, 0.4) is None
    assert ballistic_time_of_impact(1.0, -1.0, 2.0, 5.0) is None
    assert ballistic_time_of_impact(1.0, 1.0, 0.0, 5.0) is None
    assert ballistic_time_of_impact(-0.1, -1.0, 0.0, 5.0) == 0.0
    assert ballistic_time_of_impact(-0.1, 1.0, 0.0, 5.0) is None


def test_conservative_advancement_never_passes_a_contact():
    def wall(t):
        return abs(100.0 * t - 1.0)  # a thin wall at 1 m, crossed at 10 ms

    found = conservative_advancement(wall, 100.0, 0.1)
    assert found.hit and found.time == pytest.approx(0.01, abs=1e-7) and found.time <= 0.01
    assert not conservative_advancement(wall, 100.0, 0.005).hit
    cautious = conservative_advancement(wall, 1e6, 0.1, max_iterations=5)
    assert cautious.exhausted and not cautious.hit
    with pytest.raises(DomainError):
        conservative_advancement(wall, 0.0, 0.1)


class ThinWall:
    """A 1 g bullet flying along x at a wall 1 mm thick at x = 1 m; either side is free."""

    def mass_matrix(self, q):
        return 1e-3 * np.eye(3)

    def force(self, q, v):
        return np.zeros(3)

    def integrate(self, q, displacement):
        return q + displacement

    def contacts(self, q):
        side = -1.0 if q[0] <= 1.0 else 1.0
        frame = np.array([[0, 1.0, 0], [0, 0, 1.0], [side, 0, 0]])
        return ContactSet(frame, np.array([side * (q[0] - 1.0) - 0.0005]), 0.0, 0.0)


def test_fast_small_body_does_not_tunnel():
    mechanism, q, v = ThinWall(), np.array([0.0, 0, 0]), np.array([300.0, 0, 0])
    blind = q + 0.01 * v
    assert blind[0] > 1.0
    stepper = partial(semi_implicit_step, mechanism)
    result = step_with_impacts(stepper, mechanism, q, v, 0.01, lambda v: float(np.linalg.norm(v)))
    assert result.complete and result.covered == pytest.approx(0.01)
    assert result.q[0] == pytest.approx(0.9995, abs=1e-4) and abs(result.v[0]) < 1e-9
    assert 2 <= len(result.parts) <= 20
