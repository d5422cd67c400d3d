"""Random values of the value types, and what a reader in another process gets of a message."""

from __future__ import annotations

import numpy as np
from rclpy.serialization import deserialize_message, serialize_message

from wbc_control.spatial import exp_so3
from wbc_control.state import JointState, Plan, PlanSample

NAMES = ("hip", "knee", "ankle", "toe")
FEET = ("l_sole", "r_sole")
TIME = 12_345_678_901_234
RNG = np.random.default_rng(7)


def random_rotation() -> np.ndarray:
    return exp_so3(RNG.normal(size=3))


def through_dds(message):
    """What a reader in another process gets."""
    return deserialize_message(serialize_message(message), type(message))


def random_joints(n: int = len(NAMES)) -> JointState:
    return JointState(TIME, *RNG.normal(size=(3, n)))


def random_sample(time_ns: int) -> PlanSample:
    return PlanSample(
        time_ns=time_ns,
        com_position=RNG.normal(size=3),
        com_velocity=RNG.normal(size=3),
        com_acceleration=RNG.normal(size=3),
        base_rotation=random_rotation(),
        base_angular_velocity=RNG.normal(size=3),
        foot_position=RNG.normal(size=(2, 3)),
        foot_rotation=np.array([random_rotation(), random_rotation()]),
        foot_velocity=RNG.normal(size=(2, 6)),
        foot_acceleration=RNG.normal(size=(2, 6)),
        in_contact=np.array([True, False]),
        contact_weight=RNG.uniform(size=2),
        normal_force=RNG.uniform(0, 300, size=2),
        zmp=RNG.normal(size=2),
    )


def random_plan(count: int = 21) -> Plan:
    return Plan(TIME, tuple(random_sample(TIME + i * 10_000_000) for i in range(count)))


def assert_same(found, wanted, tolerance: float = 0.0) -> None:
    """Every field of two value types agrees."""
    for name in wanted.__slots__:
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=0, atol=tolerance, err_msg=name)
