"""Delassus operator: representations agree with J M⁻¹ Jᵀ of Pinocchio; spectrum; refusals."""
import numpy as np
import pytest

from wbc_control.contact_mechanics.delassus import (
    DenseDelassus,
    FactoredDelassus,
    delassus_from_dynamics,
    delassus_spectrum,
)
from wbc_control.errors import DomainError, ShapeError

pin = pytest.importorskip("pinocchio")


@pytest.fixture(scope="module")
def humanoid():
    model = pin.buildSampleModelHumanoidRandom()
    data = model.createData()
    q = pin.neutral(model)
    mass = pin.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    pin.computeJointJacobians(model, data, q)
    names = ["lleg6_joint", "rleg6_joint", "larm6_joint", "rarm6_joint"]
    rows = [
        pin.getJointJacobian(model, data, model.getJointId(n), pin.LOCAL_WORLD_ALIGNED)[:3] for n in names
    ]
    return mass, np.vstack(rows)


def test_representations_agree_with_the_definition(humanoid):
    mass, jacobian = humanoid
    expected = jacobian @ np.linalg.solve(mass, jacobian.T)
    impulse = np.random.default_rng(0).normal(size=(len(jacobian) // 3, 3))
    for dense in (True, False):
        operator = delassus_from_dynamics(mass, jacobian, dense=dense)
        np.testing.assert_allclose(operator.dense(), expected, atol=1e-10)
        np.testing.assert_allclose(operator.apply(impulse).ravel(), expected @ impulse.ravel(), atol=1e-10)
        for i, block in enumerate(operator.blocks):
            np.testing.assert_allclose(block, expected[3 * i : 3 * i + 3, 3 * i : 3 * i + 3], atol=1e-10)


def test_accumulators_track_single_changes(boxes):
    rng = np.random.default_rng(1)
    factored = boxes(8).delassus
    epsilon = FactoredDelassus(factored.factor, factored.columns, factored.size, 0.3)
    full = FactoredDelassus(rng.normal(size=(8, 5, 3)))
    for operator in (factored, epsilon, full, DenseDelassus(factored.dense())):
        impulse, free = rng.normal(size=(8, 3)), rng.normal(size=(8, 3))
        accumulator = operator.accumulator(free, impulse)
        for contact in (0, 3, 3, 7):
            change = rng.normal(size=3)
            impulse[contact] += change
            accumulator.add(contact, change.tolist())
        expected = operator.apply(impulse) + free
        np.testing.assert_allclose([accumulator.velocity(i) for i in range(8)], expected, atol=1e-12)
        np.testing.assert_allclose(operator.dense() @ impulse.ravel(), (expected - free).ravel(), atol=1e-12)


def test_memory_is_linear_in_contacts_where_sparse(boxes):
    small, large = boxes(40).delassus, boxes(400).delassus
    assert large.factor.nbytes + large.columns.nbytes == 10 * (small.factor.nbytes + small.columns.nbytes)


def test_spectrum_finds_rank_and_condition(boxes):
    one_box = delassus_spectrum(boxes(4).delassus)
    assert one_box.rank == 6  # twelve impulses on one rigid body: statically indeterminate
    regularised = DenseDelassus(boxes(4).delassus.dense(), 0.1)
    assert delassus_spectrum(regularised).rank == 12
    assert delassus_spectrum(regularised).condition < one_box.largest / 0.1 + 2
    diagonal = delassus_spectrum(DenseDelassus(np.diag([1.0, 2.0, 8.0])))
    assert diagonal.condition == pytest.approx(8.0)
    assert delassus_spectrum(DenseDelassus(np.zeros((3, 3)))).condition == np.inf
    wide = np.random.default_rng(0).normal(size=(6, 4, 3))
    assert delassus_spectrum(FactoredDelassus(wide)).rank == 4


def test_bad_operators_are_refused(humanoid):
    mass, jacobian = humanoid
    skewed = np.eye(3)
    skewed[0, 1] = 0.2
    for bad, error in (
        (skewed, DomainError),
        (np.full((3, 3), np.nan), DomainError),
        (np.eye(4), ShapeError),
        (-np.eye(3), DomainError),
    ):
        with pytest.raises(error):
            DenseDelassus(bad)
    with pytest.raises(DomainError):
        DenseDelassus(np.eye(3), -1.0)
    with pytest.raises(DomainError) as caught:
        delassus_from_dynamics(-mass, jacobian)
    assert caught.value.value < 0
    with pytest.raises(ShapeError):
        delassus_from_dynamics(mass, jacobian[:, :-1])
    with pytest.raises(DomainError):
        FactoredDelassus(np.ones((1, 2, 3)), np.array([[0, 5]]), 3)
    with pytest.raises(DomainError):
        FactoredDelassus(np.ones((1, 2, 3)), np.array([[1, 1]]), 3)
