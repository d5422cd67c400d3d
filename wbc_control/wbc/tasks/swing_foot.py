"""Move a foot through the air."""

from __future__ import annotations

from wbc_control.model import Kinodynamics
from wbc_control.parameters.controller import TaskParameters
from wbc_control.spatial import log_so3
from wbc_control.state import PlanSample
from wbc_control.wbc.contacts import FULL, RAMP
from wbc_control.wbc.task import Array, Task, feedback_gains


class SwingFootTask(Task):
    """Pose of one sole while it is not in contact: position for a point foot, position and orientation otherwise."""

    def __init__(self, foot: int, name: str, is_point: bool, parameters: TaskParameters) -> None:
        super().__init__(f"swing of {name}", 3 if is_point else 6, parameters.weight, parameters.priority)
        self._foot = foot
        self._kp, self._kd = feedback_gains(parameters)

    def applies(self, modes: tuple[int, ...]) -> bool:
        """While the foot does not bear its full load."""
        return modes[self._foot] != FULL

    def share(self, modes: tuple[int, ...], contact_weight: Array) -> float | None:
        """Hands over to the contact's motion as the contact weight rises."""
        return 1.0 - float(contact_weight[self._foot]) if modes[self._foot] == RAMP else None

    def write(self, terms: Kinodynamics, reference: PlanSample, A: Array, b: Array) -> None:
        """See :class:`Task`."""
        foot, rows = self._foot, self.rows
        A[:] = terms.J_foot[foot, :rows]
        b[:] = (reference.foot_acceleration[foot] - terms.foot_drift[foot])[:rows]
        b += self._kd * (reference.foot_velocity[foot] - terms.foot_velocity[foot])[:rows]
        b[:3] += self._kp * (reference.foot_position[foot] - terms.foot_position[foot])
        if rows == 6:
            b[3:] += self._kp * log_so3(reference.foot_rotation[foot] @ terms.foot_rotation[foot].T)
