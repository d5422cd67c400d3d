"""Rotations against Pinocchio, everywhere on the sphere and near half a turn."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from wbc_control import spatial

ANGLES = (0.0, 1e-10, 1e-6, 0.1, 1.5, 2.2, 3.0, 3.14159, np.pi - 1e-7)


def axes(count: int) -> np.ndarray:
    vectors = np.random.default_rng(0).normal(size=(count, 3))
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


@pytest.mark.parametrize("angle", ANGLES)
def test_exp_and_log_agree_with_pinocchio_and_undo_each_other(angle: float) -> None:
    for axis in axes(20):
        vector = angle * axis
        rotation = spatial.exp_so3(vector)
        np.testing.assert_allclose(rotation, pin.exp3(vector), atol=1e-12)
        np.testing.assert_allclose(spatial.log_so3(rotation), vector, atol=1e-6 if angle > 3.1 else 1e-9)


@pytest.mark.parametrize("angle", ANGLES)
def test_quaternions_are_the_same_rotation(angle: float) -> None:
    for axis in axes(20):
        rotation = pin.exp3(angle * axis)
        xyzw = spatial.matrix_to_quaternion(rotation)
        assert xyzw[3] >= 0.0 and np.linalg.norm(xyzw) == pytest.approx(1.0)
        np.testing.assert_allclose(spatial.quaternion_to_matrix(xyzw), rotation, atol=1e-9)
        np.testing.assert_allclose(pin.Quaternion(xyzw).matrix(), rotation, atol=1e-9)


def test_products_conjugates_and_cross() -> None:
    first, second = pin.exp3(np.array([0.3, -1.0, 2.0])), pin.exp3(np.array([-2.0, 0.4, 0.1]))
    a, b = spatial.matrix_to_quaternion(first), spatial.matrix_to_quaternion(second)
    np.testing.assert_allclose(
        spatial.quaternion_to_matrix(spatial.quaternion_multiply(a, b)), first @ second, atol=1e-12
    )
    np.testing.assert_allclose(spatial.quaternion_to_matrix(spatial.quaternion_conjugate(a)), first.T, atol=1e-12)
    u, v = axes(2)
    np.testing.assert_allclose(spatial.skew(u) @ v, np.cross(u, v), atol=1e-15)
    np.testing.assert_allclose(spatial.cross(u, v), np.cross(u, v), atol=1e-15)


def test_angles() -> None:
    np.testing.assert_allclose(
        spatial.roll_pitch_yaw_to_matrix(0.2, -0.4, 1.1), pin.rpy.rpyToMatrix(0.2, -0.4, 1.1), atol=1e-12
    )
    assert spatial.yaw_of(spatial.yaw_matrix(2.5)) == pytest.approx(2.5)
    for angle in (-7.0, -np.pi, 0.0, 3.5, 100.0):
        wrapped = spatial.wrap_angle(angle)
        assert -np.pi <= wrapped < np.pi and np.cos(wrapped) == pytest.approx(np.cos(angle))
