"""Time stepping against closed forms: sliding, tipping, bouncing, energy, stiff forces, stabilisation."""
import math
from functools import partial

import numpy as np
import pytest

from wbc_control.contact_mechanics.mechanism import ContactSet, StepSettings, contact_bias
from wbc_control.contact_mechanics.pinocchio_mechanism import ContactPoint, PinocchioMechanism
from wbc_control.contact_mechanics.semi_implicit_step import semi_implicit_step
from wbc_control.contact_mechanics.theta_step import IMPLICIT_EULER, VARIATIONAL, theta_step
from wbc_control.errors import DomainError, ModelError

pin = pytest.importorskip("pinocchio")
G = 9.81
HALF = np.array([0.1, 0.08, 0.15])
STEPPERS = {
    "semi-implicit": semi_implicit_step,
    "implicit": partial(theta_step, theta=IMPLICIT_EULER),
    "variational": partial(theta_step, theta=VARIATIONAL),
}


def box_model(mass=3.0, half=HALF, gravity=(0, 0, -G)):
    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
    inertia = pin.Inertia.FromBox(mass, *(2 * np.asarray(half)))
    model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    model.addFrame(pin.Frame("box", joint, 0, pin.SE3.Identity(), pin.FrameType.BODY))
    model.gravity.linear = np.array(gravity, dtype=float)
    return model


def box(friction=0.5, restitution=0.0, all_corners=False, **options):
    corners = [
        ContactPoint("box", (sx * HALF[0], sy * HALF[1], -HALF[2]), friction, restitution)
        for sx in (1, -1) for sy in (1, -1)
    ]
    if all_corners:
        upper = [(p.offset[0], p.offset[1], HALF[2]) for p in corners]
        corners += [ContactPoint("box", offset, friction, restitution) for offset in upper]
    return PinocchioMechanism(box_model(**options), corners)


def standing(height=HALF[2]):
    return np.array([0, 0, height, 0, 0, 0, 1.0])


def ball(restitution):
    return PinocchioMechanism(
        box_model(1.0, (0.05, 0.05, 0.05)), [ContactPoint("box", radius=0.05, friction=0.0, restitution=restitution)]
    )


@pytest.mark.parametrize("name", STEPPERS)
def test_sliding_box_stops_at_the_coulomb_distance(name):
    """x = v²/(2 μ g) within a step's travel, and it stays there."""
    mechanism, q, v = box(0.4), standing(), np.array([1.2, 0, 0, 0, 0, 0.0])
    h = 2e-3
    for _ in range(250):
        step = STEPPERS[name](mechanism, q, v, h, guess=None)
        assert step.solution.status.ok
        q, v = step.q, step.v
    assert q[0] == pytest.approx(1.2**2 / (2 * 0.4 * G), abs=1.2 * h)
    assert np.abs(v).max() < 1e-7 and abs(q[2] - HALF[2]) < 1e-4


@pytest.mark.parametrize(("slope", "friction", "moves"), [(0.3, 0.5, False), (0.6, 0.5, True)])
def test_box_on_a_slope_sticks_below_the_friction_angle(slope, friction, moves):
    gravity = (G * math.sin(math.atan(slope)), 0, -G * math.cos(math.atan(slope)))
    mechanism, q, v = box(friction, gravity=gravity), standing(), np.zeros(6)
    for _ in range(50):
        step = semi_implicit_step(mechanism, q, v, 2e-3)
        q, v = step.q, step.v
    assert (abs(v[0]) > 0.01) == moves
    expected = max(0.0, gravity[0] + friction * gravity[2]) * 0.1
    assert v[0] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(("factor", "tips"), [(0.97, False), (1.03, True)])
def test_box_tips_beyond_the_tipping_angle(factor, tips):
    """With enough friction a box tips when tan(slope) exceeds half length over half height."""
    angle = math.atan(factor * HALF[0] / HALF[2])
    mechanism = box(2.0, gravity=(G * math.sin(angle), 0, -G * math.cos(angle)))
    q, v = standing(), np.zeros(6)
    for _ in range(150):
        step = semi_implicit_step(mechanism, q, v, 2e-3)
        q, v = step.q, step.v
    assert (v[4] > 0.01) == tips


@pytest.mark.parametrize("name", STEPPERS)
@pytest.mark.parametrize("restitution", [0.5, 0.9])
def test_bouncing_ball_keeps_its_coefficient(name, restitution):
    """Successive apex heights have the ratio e²."""
    mechanism, q, v = ball(restitution), standing(0.55), np.zeros(6)
    apexes, previous = [], 0.0
    for _ in range(2000):
        step = STEPPERS[name](mechanism, q, v, 1e-3)
        if previous > 0.0 >= step.v[2] and step.q[2] > 0.06:
            apexes.append(step.q[2] - 0.05)
        previous, q, v = step.v[2], step.q, step.v
        if len(apexes) == 2:
            break
    assert apexes[0] == pytest.approx(0.5 * restitution**2, rel=0.02)
    assert apexes[1] == pytest.approx(0.5 * restitution**4, rel=0.03)


def test_slow_impacts_do_not_bounce_and_resting_is_rest():
    mechanism, q, v = ball(0.8), standing(0.05), np.array([0, 0, -0.005, 0, 0, 0])
    for _ in range(100):
        step = semi_implicit_step(mechanism, q, v, 1e-3)
        q, v = step.q, step.v
        assert v[2] < 1e-9 or abs(v[2]) < 0.02
    assert abs(v[2]) < 1e-9 and abs(q[2] - 0.05) < 1e-4


def double_pendulum():
    model = pin.Model()
    parent = 0
    for i in range(2):
        offset = pin.SE3(np.eye(3), np.array([0, 0, -0.5 * (i > 0)]))
        parent = model.addJoint(parent, pin.JointModelRY(), offset, f"j{i}")
        rod = pin.Inertia.FromCylinder(1.0, 0.02, 0.5)
        model.appendBodyToJoint(parent, rod, pin.SE3(np.eye(3), np.array([0, 0, -0.25])))
    return PinocchioMechanism(model, [])


def energy_drift(mechanism, name, q, v, h, steps):
    start = mechanism.energy(q, v)
    values = []
    for _ in range(steps):
        step = STEPPERS[name](mechanism, q, v, h)
        q, v = step.q, step.v
        values.append(mechanism.energy(q, v) - start)
    return np.array(values)


def test_variational_scheme_keeps_the_energy_of_a_rigid_body():
    """A tumbling box: to rounding without gravity, to second order with it; semi-implicit Euler does neither."""
    q, v = standing(10.0), np.array([1.0, 0, 2.0, 3.0, -4.0, 5.0])
    floating = PinocchioMechanism(box_model(gravity=(0, 0, 0)), [])
    assert np.abs(energy_drift(floating, "variational", q, v, 1e-2, 100)).max() < 1e-9
    assert np.abs(energy_drift(floating, "semi-implicit", q, v, 1e-2, 100)).max() > 0.01
    thrown = PinocchioMechanism(box_model(), [])
    coarse, fine = (np.abs(energy_drift(thrown, "variational", q, v, h, n)).max() for h, n in ((2e-2, 50), (1e-2, 100)))
    assert fine < 0.02 and coarse / fine == pytest.approx(4.0, rel=0.15)


def test_energy_drift_of_a_double_pendulum():
    """1 m of chaotic pendulum, 2 s: the variational scheme is at least 20 times better than the others."""
    mechanism, q, v = double_pendulum(), np.array([1.5, 0.5]), np.zeros(2)
    drift = {name: np.abs(energy_drift(mechanism, name, q, v, 4e-3, 500)).max() for name in STEPPERS}
    assert drift["variational"] < 0.01
    assert drift["semi-implicit"] > 5 * drift["variational"]
    assert drift["implicit"] > 20 * drift["variational"]


class Oscillator:
    """Unit mass on a stiff spring: ω = 1000 rad/s, x in m."""

    def mass_matrix(self, q):
        return np.eye(1)

    def force(self, q, v):
        return -1e6 * q

    def integrate(self, q, displacement):
        return q + displacement

    def contacts(self, q):
        return ContactSet(np.zeros((0, 1)), np.zeros(0), 0.0, 0.0)


def test_implicit_euler_damps_what_semi_implicit_blows_up():
    states = {}
    for name, stepper in STEPPERS.items():
        q, v = np.array([1e-3]), np.zeros(1)
        for _ in range(100):
            step = stepper(Oscillator(), q, v, 5e-3)
            q, v = step.q, step.v
            assert step.defect < 1e-3 or name == "semi-implicit"
        states[name] = 0.5 * v[0] ** 2 + 0.5e6 * q[0] ** 2
    assert states["implicit"] < 1e-10
    assert states["variational"] == pytest.approx(0.5, rel=1e-6)
    assert not states["semi-implicit"] < 1e6


@pytest.mark.parametrize("name", STEPPERS)
def test_contacts_never_create_energy(name):
    """A tumbling box thrown on the ground, all restitutions 0: energy falls in every step with contact."""
    mechanism = box(0.5, all_corners=True)
    start = mechanism.energy(standing(0.3), np.zeros(6))
    q, v = standing(0.3), np.array([1.0, 0.5, -1.0, 2.0, -3.0, 1.0])
    settings = StepSettings(erp=0.0)
    for _ in range(300):
        before = mechanism.energy(q, v)
        step = STEPPERS[name](mechanism, q, v, 2e-3, settings=settings)
        q, v = step.q, step.v
        mean = 0.5 * (step.solution.velocity + (step.contacts.jacobian @ v).reshape(-1, 3))
        assert (step.solution.impulse * mean).sum() < 1e-5
        if len(step.solution.impulse) and step.solution.impulse.any():
            assert mechanism.energy(q, v) < before + 1e-2
    assert mechanism.energy(q, v) < 0.8 * start


def test_baumgarte_pushes_out_at_the_stated_rate_and_bound():
    contacts = ContactSet(np.eye(3), np.array([-0.01]), 0.5, 0.0)
    h = 1e-3
    slow = contact_bias(contacts, np.zeros(3), h, StepSettings(erp=0.05, slop=0.0, baumgarte=True))
    assert slow[0] == pytest.approx(-0.05 * 0.01 / h)
    bounded = contact_bias(
        contacts, np.zeros(3), h, StepSettings(erp=1.0, max_correction_speed=0.3, baumgarte=True)
    )
    assert bounded[0] == -0.3
    assert contact_bias(contacts, np.zeros(3), h, StepSettings())[0] == 0.0


@pytest.mark.parametrize("name", STEPPERS)
def test_penetration_is_removed_without_giving_speed(name):
    """5 mm deep: out again, never faster than gravity makes it; Baumgarte's correction throws the box up."""
    peaks = {}
    for baumgarte in (False, True):
        settings = StepSettings(baumgarte=baumgarte)
        mechanism, q, v = box(), standing(HALF[2] - 0.005), np.zeros(6)
        peaks[baumgarte] = 0.0
        for _ in range(60):
            step = STEPPERS[name](mechanism, q, v, 1e-3, settings=settings)
            q, v = step.q, step.v
            peaks[baumgarte] = max(peaks[baumgarte], v[2])
        if not baumgarte:
            assert abs(q[2] - HALF[2]) < 1e-4
    assert peaks[False] < 1e-6 < 0.1 < peaks[True]


def test_bad_steps_are_refused():
    mechanism = box()
    for duration in (0.0, -1e-3, math.nan):
        with pytest.raises(DomainError):
            semi_implicit_step(mechanism, standing(), np.zeros(6), duration)
    with pytest.raises(DomainError):
        theta_step(mechanism, standing(), np.zeros(6), 1e-3, theta=0.3)
    with pytest.raises(DomainError):
        semi_implicit_step(mechanism, standing(), np.full(6, np.nan), 1e-3)
    with pytest.raises(DomainError):
        ContactSet(np.eye(3), np.zeros(1), 0.5, 1.5)
    with pytest.raises(DomainError):
        StepSettings(erp=2.0)
    with pytest.raises(ModelError):
        PinocchioMechanism(box_model(), [ContactPoint("nowhere")])
