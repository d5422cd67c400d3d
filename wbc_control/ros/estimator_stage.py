"""The estimator as a stage of a process: its core, its live parameters and its topics."""

from __future__ import annotations

import numpy as np

from wbc_control.estimation import Estimator
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.ros.conversions.centroidal import CentroidalEncoder, PointEncoder
from wbc_control.ros.conversions.contact import ContactEncoder
from wbc_control.ros.conversions.odometry import OdometryEncoder
from wbc_control.ros.node import StackNode
from wbc_control.ros.transforms import TransformOutput
from wbc_control.state import Estimate, SensorSample
from wbc_control.state.checks import Array, BoolArray


class EstimatorStage:
    """Estimator behind ``contact_estimator``'s topics.

    Args:
        node: The node ``contact_estimator``.

    Attributes:
        sent: Estimates published so far.
    """

    def __init__(self, node: StackNode) -> None:
        self.node = node
        self._applied = node.parameters
        self.core = Estimator(node.model, node.parameters.estimator)
        self._contact = ContactEncoder(node.model.foot_names)
        self._odometry = OdometryEncoder(node.model.base_link)
        self._centroidal = CentroidalEncoder(standing_inertia(node.model))
        self._com = PointEncoder()
        self._transform = TransformOutput(node)
        self.sent = 0

    def reset(self) -> None:
        """Forget everything: time jumped or the node was activated anew."""
        self.core.reset()

    def step(self, sample: SensorSample, planned_contact: BoolArray | None) -> Estimate:
        """One tick of the estimator, with the parameters that hold now."""
        if self.node.parameters is not self._applied:
            self._applied = self.node.parameters
            self.core.parameters = self._applied.estimator
        return self.core.update(sample, planned_contact)

    def publish(self, estimate: Estimate) -> None:
        """Contact, then ``odom``, which completes an estimate for who waits for it; what nobody waits for after that."""
        state = estimate.robot
        self.sent += 1
        self.node.publish("contact_state", self._contact.encode(estimate.contact, estimate.healthy))
        if self.node.model.floating_base and np.isfinite(state.q).all() and np.isfinite(state.v).all():
            self.node.publish("odom", self._odometry.encode(state.time_ns, state.q, state.v))
            self._transform.publish(state.time_ns, state.q)
        if estimate.healthy:
            centroidal = self.core.centroidal()
            self.node.publish("centroidal_state", self._centroidal.encode(centroidal))
            self.node.publish("com", self._com.encode(centroidal.time_ns, centroidal.com_position))


def standing_inertia(model: RobotModel) -> Array:
    """(3, 3) centroidal inertia in the standing posture, kg·m²; the identity where there is no base to turn.

    The angular rows of the centroidal momentum matrix under the base's angular velocity (Orin, Goswami, Lee 2013).
    """
    if not model.floating_base:
        return np.eye(3)
    terms = Kinodynamics(model)
    terms.update(model.standing_configuration(), np.zeros(model.nv))
    return np.array(terms.momentum_map[3:, 3:6])
