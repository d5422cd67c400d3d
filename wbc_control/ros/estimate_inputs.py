"""``odom``, ``contact_state`` and ``joint_states`` → the Estimate that another process made."""

from __future__ import annotations

import numpy as np
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message

from wbc_control.ros.conversions.contact import ContactDecoder
from wbc_control.ros.conversions.odometry import decode_odometry, odometry_from_wire
from wbc_control.ros.conversions.stamps import stamp_ns
from wbc_control.ros.inbox import Inbox
from wbc_control.ros.node import StackNode
from wbc_control.ros.sensor_inputs import Clockwork, JointInput
from wbc_control.state import ContactState, Estimate, JointState, RobotState
from wbc_control.state.checks import Array

_MAXIMUM_SKEW_NS = 20_000_000
"""Messages of one state may be this far apart, ns; more, and the estimate does not count as healthy."""


def _odometry(message: Odometry) -> tuple[int, Array, Array]:
    return stamp_ns(message.header.stamp), *decode_odometry(message)


class EstimateInputs:
    """The newest estimate, put together from its topics.

    Attributes:
        trigger: The inbox whose arrival completes an estimate: the estimator publishes it last.
    """

    def __init__(self, node: StackNode) -> None:
        self._node = node
        self._model = node.model
        self.joints = JointInput(node)
        self._contact_inbox = node.inbox("contact_state", raw=True)
        self._odometry_inbox = node.inbox("odom", raw=True)
        self._decoder = ContactDecoder(node.model.foot_names)
        self._clockwork = Clockwork(node)
        self._contact: tuple[ContactState, bool] | None = None
        self._base: tuple[int, Array, Array] | None = None

    @property
    def trigger(self) -> Inbox:
        """``odom`` of a floating base, ``contact_state`` of a fixed one."""
        return self._odometry_inbox if self._model.floating_base else self._contact_inbox

    @property
    def jumped(self) -> bool:
        """Whether time jumped back with the last estimate."""
        return self._clockwork.jumped

    def collect(self) -> Estimate | None:
        """The estimate; None until all parts have spoken, and while none of them is new."""
        self._take()
        joints = self.joints.newest
        if joints is None or self._contact is None or (self._model.floating_base and self._base is None):
            return None
        contact, healthy = self._contact
        now = self._clockwork.accept(self._base[0] if self._base is not None else contact.time_ns)
        return None if now is None else self._estimate(now, joints, contact, healthy)

    def _take(self) -> None:
        self.joints.take()
        wire = self._contact_inbox.take_newest()
        if wire is not None:
            self._contact = self._decoder.decode_wire(wire) or self._contact
        wire = self._odometry_inbox.take_newest()
        if wire is not None:
            self._base = odometry_from_wire(wire) or _odometry(deserialize_message(wire, Odometry))

    def _estimate(self, now: int, joints: JointState, contact: ContactState, healthy: bool) -> Estimate:
        model = self._model
        q, v = model.standing_configuration() if not model.floating_base else np.empty(model.nq), np.zeros(model.nv)
        if self._base is not None and model.floating_base:
            q[:7], v[:6] = self._base[1], self._base[2]
        q = model.with_joint_positions(q, joints.position)
        v[model.v_index] = joints.velocity
        reason = self._fault(now, joints, contact, healthy, q, v)
        return Estimate(RobotState(now, q, v), contact, not reason, reason)

    def _fault(self, now: int, joints: JointState, contact: ContactState, healthy: bool, q: Array, v: Array) -> str:
        skew = max(abs(joints.time_ns - now), abs(contact.time_ns - now))
        if not healthy:
            return "contact_estimator does not trust its sensors (see /diagnostics)"
        if skew > _MAXIMUM_SKEW_NS:
            return f"joint_states, contact_state and odom are {1e-6 * skew:.0f} ms apart"
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            return "the state holds a number that is not finite"
        return ""
