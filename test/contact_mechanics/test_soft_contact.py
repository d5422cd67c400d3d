"""Soft contact, tangential spring, friction law and energy checks: inverses, units, energy never created."""
import math

import numpy as np
import pytest

from wbc_control.contact_mechanics.contact_energy import check_dissipation, contact_energy, mechanical_energy
from wbc_control.contact_mechanics.friction_law import FrictionLaw
from wbc_control.contact_mechanics.soft_contact import HuntCrossley, LinearContact, damped_contact, hertz_stiffness
from wbc_control.contact_mechanics.tangential_stiffness import TangentialSpring
from wbc_control.errors import DomainError, ShapeError

LAWS = [HuntCrossley(1e7, 0.8), HuntCrossley(1e7), LinearContact(1e5, 50.0), LinearContact(1e5)]


@pytest.mark.parametrize("law", LAWS)
def test_force_and_penetration_are_inverse(law):
    for rate in (-0.02, 0.0, 0.1):
        for penetration in np.geomspace(1e-4, 1e-2, 9):
            force = law.force(penetration, rate, 0.3)
            assert force > 0
            assert law.penetration(force, rate, 0.3) == pytest.approx(penetration, rel=1e-9)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("bad", [0.0, -1e-3, math.nan, math.inf, -math.inf])
def test_no_pull_and_no_nan_out(law, bad):
    assert law.force(bad, 0.1, 0.3) == 0.0
    assert law.penetration(bad, 0.1, 0.3) == 0.0


@pytest.mark.parametrize("law", [LAWS[0], LAWS[2]])
def test_damped_law_separating_faster_than_it_can_follow_does_not_pull(law):
    assert law.force(1e-4, -1e3, 0.3) == 0.0 and HuntCrossley(1e7, 0.8).penetration(1.0, -1e3, 0.3) == 0.0


def impact(law, mass, speed, steps=20000):
    """Rebound speed and work done on the mass of a one-dimensional impact (velocity Verlet, fine steps)."""
    h = 40.0 / steps * math.sqrt(mass / 1e6)
    x, v, work = 0.0, speed, 0.0
    for _ in range(steps):
        force = law.force(x, v, speed) if x > 0 else 0.0
        middle = v - 0.5 * h * force / mass
        x += h * middle
        v = middle - 0.5 * h * (law.force(x, middle, speed) if x > 0 else 0.0) / mass
        work += force * middle * h
        if x <= 0.0 and v < 0.0:
            return -v, work
    raise AssertionError("no rebound")


@pytest.mark.parametrize(("restitution", "accuracy"), [(0.95, 0.01), (0.9, 0.02), (0.8, 0.05)])
@pytest.mark.parametrize("speed", [0.05, 0.5])
def test_corrected_hunt_crossley_rebounds_with_its_restitution(restitution, accuracy, speed):
    """Erratum: with δ̇⁻ in the formula the rebound ratio does not depend on the speed."""
    rebound, work = impact(HuntCrossley(1e8, restitution), 2.0, speed)
    assert rebound / speed == pytest.approx(restitution, abs=accuracy)
    assert work > 0  # the contact took more than it gave


@pytest.mark.parametrize("law", [HuntCrossley(1e8), LinearContact(1e6)])
def test_elastic_contacts_return_all_energy(law):
    rebound, _ = impact(law, 2.0, 0.3)
    assert rebound == pytest.approx(0.3, rel=1e-3)


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.6])
def test_low_restitution_still_loses_energy(restitution):
    rebound, _ = impact(HuntCrossley(1e8, restitution), 2.0, 0.3)
    assert restitution - 0.01 <= rebound / 0.3 < 1.0


def test_stored_energy_is_the_work_of_a_slow_press():
    for law in LAWS:
        depth = np.linspace(0, 5e-3, 20001)
        work = np.trapezoid([law.force(d) for d in depth], depth)
        assert law.energy(depth[-1]) == pytest.approx(work, rel=1e-5)


def test_hertz_stiffness_of_steel_and_its_linearisation():
    """10 mm steel ball on steel: E* = 115 GPa, k = 4/3 E* √R; the tangent stiffness is by differences of the force."""
    stiffness = hertz_stiffness(0.01, 210e9, 0.3, 210e9, 0.3)
    assert stiffness == pytest.approx(4 / 3 * 210e9 / (2 * 0.91) * 0.1, rel=1e-9)
    law = HuntCrossley(stiffness)
    depth = law.penetration(100.0)
    slope = (law.force(depth * 1.001) - law.force(depth * 0.999)) / (0.002 * depth)
    assert law.linear_stiffness(100.0) == pytest.approx(slope, rel=1e-5)


def test_damping_ratio_round_trip():
    law = damped_contact(1e6, 0.2, 30.0)
    assert law.damping_ratio(30.0) == pytest.approx(0.2)


@pytest.mark.parametrize(
    "build",
    [
        lambda: HuntCrossley(0.0), lambda: HuntCrossley(1e6, 1.1), lambda: LinearContact(-1.0),
        lambda: LinearContact(1.0, -1.0), lambda: hertz_stiffness(0.0, 1, 0.3, 1, 0.3),
        lambda: hertz_stiffness(1, 1, 0.6, 1, 0.3), lambda: damped_contact(1.0, -0.1, 1.0),
        lambda: TangentialSpring(0.0, 0.5), lambda: TangentialSpring(1.0, -0.5),
        lambda: FrictionLaw(0.3, 0.5), lambda: FrictionLaw(0.5, -0.1), lambda: FrictionLaw(0.5, 0.3, 0.0),
    ],
)
def test_bad_laws_are_refused(build):
    with pytest.raises(DomainError) as caught:
        build()
    assert caught.value.bound is not None


def test_tangential_spring_sticks_slips_and_never_gives_more_than_it_got():
    spring = TangentialSpring(1e5, 0.5)
    stuck = spring.update((1e-4, 0.0), 100.0)
    assert stuck.force == pytest.approx((-10.0, 0.0)) and not stuck.sliding
    slid = spring.update((1e-2, 0.0), 100.0)
    assert slid.sliding and slid.force[0] == pytest.approx(-50.0) and slid.dissipated > 0
    rng = np.random.default_rng(0)
    for _ in range(500):
        before, held = np.array(spring.update((0.0, 0.0), 1e9).force), spring.energy
        motion = rng.normal(size=2) * 1e-3
        result = spring.update(tuple(motion), rng.uniform(0, 200))
        pushed = -before @ motion + 0.5e5 * motion @ motion  # work against the spring if it did not slip
        assert spring.energy + result.dissipated == pytest.approx(held + pushed, abs=1e-9)
        assert result.dissipated >= 0
    assert spring.update((0.0, 0.0), 0.0).force == (0.0, 0.0) and spring.energy == 0.0


def test_friction_law_limits():
    law = FrictionLaw(0.6, 0.4, 0.01)
    assert law.coefficient(0.0) == pytest.approx(0.6)
    assert law.coefficient(1.0) == pytest.approx(0.4)
    assert law.coefficient(0.01) == pytest.approx(0.4 + 0.2 / math.e)
    velocity = np.array([0.3, -0.4])
    force = law.sliding_force(100.0, velocity)
    assert force @ velocity < 0 and np.linalg.norm(force) == pytest.approx(40.0, rel=1e-6)
    assert (law.sliding_force(-5.0, velocity) == 0).all() and (law.sliding_force(5.0, np.zeros(2)) == 0).all()
    assert law.holds(100.0, np.array([59.0, 0])) and not law.holds(100.0, np.array([61.0, 0]))


def test_dissipation_of_a_damped_oscillator_and_of_a_pumped_one():
    time = np.linspace(0, 2, 400)
    report = check_dissipation(time, 3.0 * np.exp(-1.5 * time))
    assert report.passive and report.decay_rate == pytest.approx(1.5)
    pumped = check_dissipation(time, np.exp(-time) + 0.1 * (time > 1))
    assert not pumped.passive and time[pumped.worst_index] == pytest.approx(1.0, abs=0.01)
    assert pumped.worst_creation == pytest.approx(0.1, abs=0.01)
    driven = check_dissipation(time, time, work=2 * time)
    assert driven.passive and driven.total_loss == pytest.approx(2.0)
    assert math.isnan(check_dissipation(time, time - 1).decay_rate)
    with pytest.raises(ShapeError):
        check_dissipation(time[:1], time[:1])
    for bad in (time[::-1], np.zeros_like(time), np.full_like(time, np.nan)):
        with pytest.raises(DomainError):
            check_dissipation(bad, time)


def test_energy_functions():
    assert mechanical_energy(2 * np.eye(2), np.array([1.0, 2.0]), 3.0) == pytest.approx(8.0)
    assert contact_energy(np.array([100.0, 100.0]), np.array([0.1, -0.1])) == pytest.approx(0.5)
