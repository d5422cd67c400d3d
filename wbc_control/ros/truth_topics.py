"""What only a simulator knows, on topics below ``simulation/ground_truth``: for reports and eyes, never for control."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from wbc_control.ros.conversions.joints import JointStateEncoder
from wbc_control.ros.conversions.odometry import OdometryEncoder
from wbc_control.ros.node import StackNode

TRUE_FRAME = "world"


class Truth(Protocol):
    """The fields of a simulator's ground truth that are published."""

    @property
    def q(self) -> Any:
        """(nq,) configuration."""

    @property
    def v(self) -> Any:
        """(nv,) velocity."""

    @property
    def foot_force(self) -> Any:
        """(n_feet, 3) N, world."""

    @property
    def in_contact(self) -> Any:
        """(n_feet,) bool."""


class TruthTopics:
    """True base, joints and contacts.

    Args:
        node: The simulator's node.
    """

    def __init__(self, node: StackNode) -> None:
        model = node.model
        self._node = node
        self._model = model
        self._odometry = OdometryEncoder(model.base_link, TRUE_FRAME)
        self._joints = JointStateEncoder(model.joint_names)
        self._contact = JointStateEncoder(model.foot_names)
        self._no_effort, self._no_slip = np.zeros(model.n), np.zeros(len(model.feet))

    def publish(self, truth: Truth, stamp_ns: int) -> None:
        """Send the true state of one instant."""
        model, node = self._model, self._node
        if model.floating_base:
            node.publish("true_odom", self._odometry.encode(stamp_ns, truth.q, truth.v))
        positions, velocities = model.joint_positions(truth.q), truth.v[model.v_index]
        node.publish("true_joints", self._joints.write(stamp_ns, positions, velocities, self._no_effort))
        contact = np.asarray(truth.in_contact, dtype=float)
        node.publish("true_contact", self._contact.write(stamp_ns, contact, self._no_slip, truth.foot_force[:, 2]))
