"""Friction cones: projection axioms, linearisation error, bad input; exercises 4.1 and 4.2 of the theory text."""
import math

import numpy as np
import pytest

from wbc_control.contact_mechanics.friction_cone import (
    FrictionCone,
    clamp_tangent,
    cone_distance,
    in_cone,
    project_cone,
    project_dual_cone,
)
from wbc_control.contact_mechanics.polyhedral_cone import polyhedral_cone
from wbc_control.errors import DomainError

FRICTIONS = [0.0, 0.3, 1.0, 2.5]


@pytest.fixture
def vectors():
    rng = np.random.default_rng(0)
    random = rng.normal(size=(500, 3)) * 10.0 ** rng.uniform(-3, 3, size=(500, 1))
    special = np.array([[0, 0, 0], [0, 0, 1], [0, 0, -1], [1, 0, 0], [0.3, 0, 1], [1, 0, -1]], dtype=float)
    return np.vstack([random, special])


@pytest.mark.parametrize("friction", FRICTIONS)
def test_moreau_identity(vectors, friction):
    """v = Π_K(v) + Π_K°(v), the parts orthogonal, with K° = −K*."""
    primal = project_cone(vectors, friction)
    polar = -project_dual_cone(-vectors, friction)
    np.testing.assert_allclose(primal + polar, vectors, rtol=1e-12, atol=1e-12)
    scale = np.linalg.norm(vectors, axis=1) ** 2 + 1e-12
    assert (np.abs(np.einsum("ni,ni->n", primal, polar)) / scale).max() < 1e-12
    assert in_cone(primal, friction, 1e-9).all()


@pytest.mark.parametrize("friction", FRICTIONS)
def test_projection_is_nearest_and_idempotent(vectors, friction):
    primal = project_cone(vectors, friction)
    np.testing.assert_allclose(project_cone(primal, friction), primal, rtol=1e-12, atol=1e-12)
    rng = np.random.default_rng(1)
    rivals = clamp_tangent(rng.normal(size=(200, 3)) * 10, friction)
    for vector, point in zip(vectors, primal):
        assert np.linalg.norm(vector - point) <= np.linalg.norm(vector - rivals, axis=1).min() + 1e-9


@pytest.mark.parametrize("friction", FRICTIONS)
def test_dual_cone_has_no_negative_product_with_the_cone(vectors, friction):
    inside = project_cone(vectors, friction)
    dual = project_dual_cone(vectors, friction)
    products = inside @ dual.T
    scale = np.linalg.norm(inside, axis=1)[:, None] * np.linalg.norm(dual, axis=1) + 1e-12
    assert (products / scale).min() > -1e-12


def test_projection_formula_against_the_plane_geometry():
    """In the plane of the axis the boundary is a ray: the foot is the product with its unit direction."""
    direction = np.array([0.6, 0.0, 1.0]) / math.hypot(0.6, 1.0)
    force = np.array([2.0, 0.0, 0.5])
    np.testing.assert_allclose(project_cone(force, 0.6), (force @ direction) * direction)


def test_dual_of_dual_is_the_cone():
    assert FrictionCone(0.4).dual.dual.friction == pytest.approx(0.4)
    assert FrictionCone(1.0).half_angle == pytest.approx(math.pi / 4)
    with pytest.raises(DomainError):
        _ = FrictionCone(0.0).dual


@pytest.mark.parametrize("friction", [-0.1, math.nan, math.inf])
def test_bad_friction_is_refused_with_value_and_bound(friction):
    for build in (FrictionCone, polyhedral_cone):
        with pytest.raises(DomainError) as caught:
            build(friction)
        assert caught.value.bound is not None
        np.testing.assert_equal(caught.value.value, friction)


def test_nan_is_never_inside():
    assert not in_cone(np.array([math.nan, 0.0, 1.0]), 1.0)


@pytest.mark.parametrize(("facets", "lost"), [(4, 0.2929), (8, 0.0761), (16, 0.0192)])
def test_inscribed_error_is_the_lost_capacity(facets, lost):
    cone = polyhedral_cone(0.7, facets)
    assert cone.relative_error == pytest.approx(lost, abs=5e-5)
    angles = np.linspace(0.0, 2 * math.pi, 1441)
    rows = np.column_stack([np.cos(angles), np.sin(angles)]) @ cone.half_spaces[:, :2].T
    capacity = -cone.half_spaces[0, 2] / rows.max(axis=1)
    assert capacity.min() / 0.7 == pytest.approx(1.0 - cone.relative_error, rel=1e-4)
    assert capacity.max() / 0.7 == pytest.approx(1.0)


@pytest.mark.parametrize(("facets", "ratio"), [(4, math.sqrt(2)), (8, 1.0824), (16, 1.0196)])
def test_circumscribed_overshoot(facets, ratio):
    cone = polyhedral_cone(0.7, facets, approximation="circumscribed")
    assert cone.worst_ratio == pytest.approx(ratio, rel=1e-4)
    tangent = np.hypot(cone.generators[:, 0], cone.generators[:, 1]) / cone.generators[:, 2]
    np.testing.assert_allclose(tangent, 0.7 * ratio, rtol=1e-4)


@pytest.mark.parametrize("approximation", ["inscribed", "circumscribed"])
@pytest.mark.parametrize("facets", [3, 4, 7, 16])
@pytest.mark.parametrize("rotation", [0.0, 0.3, math.pi / 4])
def test_generators_and_half_spaces_describe_one_cone(approximation, facets, rotation):
    cone = polyhedral_cone(0.6, facets, approximation=approximation, rotation=rotation)
    np.testing.assert_allclose(np.linalg.norm(cone.generators, axis=1), 1.0)
    slack = cone.half_spaces @ cone.generators.T
    assert slack.max() < 1e-12
    assert (np.abs(slack) < 1e-12).sum() == 2 * facets
    rng = np.random.default_rng(2)
    made = rng.uniform(size=(300, facets)) @ cone.generators
    assert (made @ cone.half_spaces.T).max() < 1e-12
    if approximation == "inscribed":  # C12
        assert cone_distance(made, 0.6).max() < 1e-12


def test_four_facets_turned_by_45_degrees_are_axis_aligned():
    cone = polyhedral_cone(1.0, 4, rotation=math.pi / 4)
    bound = 1.0 / math.sqrt(2)
    assert cone.contains(np.array([bound, bound, 1.0]), 1e-12)
    assert not cone.contains(np.array([bound + 0.01, 0.0, 1.0]))


def test_too_few_facets_and_unknown_kind_are_refused():
    with pytest.raises(DomainError):
        polyhedral_cone(0.5, 2)
    with pytest.raises(DomainError):
        polyhedral_cone(0.5, 4, approximation="roughly")
    with pytest.raises(DomainError):
        polyhedral_cone(0.5, 4, rotation=math.nan)


def test_exercise_4_1_box_sticks():
    """10 kg, μ = 0.5, 40 N: limit 49 N, it sticks, and the contact force balances the load."""
    force = np.array([-40.0, 0.0, 10 * 9.8])
    assert FrictionCone(0.5).contains(force)
    assert 0.5 * force[2] == pytest.approx(49.0)
    assert not FrictionCone(0.5).contains(np.array([-49.1, 0.0, 98.0]))


def test_exercise_4_2_four_generators():
    k = 1 / math.sqrt(1.49)
    expected = k * np.array([[0.7, 0, 1], [0, 0.7, 1], [-0.7, 0, 1], [0, -0.7, 1]])
    np.testing.assert_allclose(polyhedral_cone(0.7, 4).generators, expected, atol=1e-12)
    assert k == pytest.approx(0.819, abs=5e-4)
