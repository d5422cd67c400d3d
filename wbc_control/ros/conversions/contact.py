"""Contact of the feet ↔ sensor_msgs/JointState.

One row a foot under the foot's name: position = probability, velocity = slip speed, m/s, effort = normal force, N.
What a JointState has no column for rides on pseudo-names after the feet, which a plot may ignore:

====================  =================  ============  =================
name                  position           velocity      effort
====================  =================  ============  =================
``<foot>/decision``   in contact, 0 or 1  confidence   phase (ContactPhase)
``estimate``          healthy, 0 or 1    0             0
====================  =================  ============  =================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState as JointStateMessage

from wbc_control.ros.conversions.joints import JointStateDecoder, JointStateEncoder
from wbc_control.state import ContactState, JointState

DECISION = "/decision"
ESTIMATE = "estimate"


def row_names(feet: Sequence[str]) -> list[str]:
    """All names of the message, feet first."""
    return [*feet, *(foot + DECISION for foot in feet), ESTIMATE]


class ContactEncoder:
    """Writes a contact state, and whether the estimate behind it is healthy, into one preallocated message."""

    def __init__(self, feet: Sequence[str]) -> None:
        self._encoder = JointStateEncoder(row_names(feet))
        self._rows = np.zeros((3, 2 * len(feet) + 1))
        self._feet = len(feet)

    def encode(self, contact: ContactState, healthy: bool) -> JointStateMessage:
        """The message; see the module's table."""
        feet, rows = self._feet, self._rows
        rows[:, :feet] = contact.probability, contact.slip_speed, contact.normal_force
        rows[:, feet : 2 * feet] = contact.in_contact, contact.confidence, contact.phase
        rows[0, -1] = healthy
        return self._encoder.write(contact.time_ns, *rows)


class ContactDecoder:
    """Reads it back, feet by name.

    A message without the pseudo-names (written by another estimator) counts as contact where the probability is
    above one half, fully trusted.

    Attributes:
        refused: Messages that could not be used.
        reason: Why the last one was refused.
    """

    def __init__(self, feet: Sequence[str]) -> None:
        self._full = JointStateDecoder(row_names(feet), "contact_state")
        self._plain = JointStateDecoder(feet, "contact_state")
        self._feet = len(feet)

    @property
    def refused(self) -> int:
        """Messages that could not be used."""
        return self._plain.refused

    @property
    def reason(self) -> str:
        """Why the last one was refused."""
        return self._plain.reason

    def decode(self, message: Any) -> tuple[ContactState, bool] | None:
        """The contact state and whether the estimate is healthy; None (counted) when feet are missing."""
        full = self._full.joint_state(message) if len(message.name) > 2 * self._feet else None
        return self._of_rows(full) if full is not None else self._of_feet(self._plain.joint_state(message))

    def decode_wire(self, wire: bytes) -> tuple[ContactState, bool] | None:
        """The same from the message's bytes."""
        full = self._full.joint_state_from_wire(wire)
        return self._of_rows(full) if full is not None else self._of_feet(self._plain.joint_state_from_wire(wire))

    def _of_rows(self, state: JointState) -> tuple[ContactState, bool]:
        feet = self._feet
        first, second = slice(0, feet), slice(feet, 2 * feet)
        contact = ContactState(
            state.time_ns,
            state.position[second] > 0.5,
            state.position[first],
            state.effort[first],
            state.velocity[first],
            state.effort[second],
            state.velocity[second],
        )
        return contact, bool(state.position[-1] > 0.5)

    def _of_feet(self, state: JointState | None) -> tuple[ContactState, bool] | None:
        if state is None:
            return None
        touching = state.position > 0.5
        phase = np.where(touching, 2.0, 1.0)
        ones = np.ones(self._feet)
        return ContactState(state.time_ns, touching, state.position, state.effort, state.velocity, phase, ones), True
