"""What the ground does to each foot, from the wrench sensors: sign, bias and the foot's own weight removed; CoP."""

from __future__ import annotations

import numpy as np

from wbc_control.estimation.sensor_intake import Intake
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.parameters.estimator import ContactDetectionParameters
from wbc_control.spatial import Array


class FootWrenches:
    """Sole wrenches and centres of pressure.

    Args:
        model: Robot; feet by name.

    Attributes:
        wrench: (N, 6) force, N, then torque about the sole origin, N·m, of the ground on the foot, sole frame.
        age_s: N ages of the last good reading, s; infinite where a foot never had one.
        cop: (N, 2) centre of pressure in the sole plane, sole frame, m; the last valid one while it is young.
        cop_defined: (N,) whether ``cop`` means anything: not without normal force, once the last valid one aged out.
    """

    def __init__(self, model: RobotModel, parameters: EstimatorParameters) -> None:
        n_feet = len(model.feet)
        self._names, self._weight = model.foot_names, model.weight
        self.wrench = np.zeros((n_feet, 6))
        self.age_s = [np.inf] * n_feet
        self.cop, self.cop_defined = np.zeros((n_feet, 2)), np.zeros(n_feet, dtype=bool)
        self._cop_age = [np.inf] * n_feet
        self._rows = self.wrench.tolist()
        self._sign, self._bias = np.ones((n_feet, 1)), np.zeros((n_feet, 6))
        self.configure(parameters)

    def configure(self, parameters: EstimatorParameters) -> None:
        """Take over sign and bias of every foot's sensor."""
        sensors = parameters.sensors
        self._normal_only = sensors.wrench_axes == "normal"
        self._silent = sensors.wrench_axes == "none"
        self._foot_inertia = sensors.foot_inertia
        for k, name in enumerate(self._names):
            own = sensors.feet.get(name)
            self._sign[k] = own.sign if own is not None and own.sign else sensors.wrench_sign
            bias = own.bias if own is not None else ()
            self._bias[k, : len(bias)] = bias[:6]
        self._plain = self._foot_inertia and not self._bias.any() and bool((self._sign == 1.0).all())

    def reset(self) -> None:
        """Forget all readings."""
        self.cop_defined[:] = False
        self._cop_age = [np.inf] * len(self._cop_age)

    def update(self, intake: Intake, foot_load: Array, time_ns: int) -> None:
        """Newest wrenches, less bias and ``foot_load`` (N, 6), the force each foot's own motion and weight need."""
        if self._plain:
            np.add(intake.now.wrench, foot_load, out=self.wrench)
        else:
            self.wrench[:] = self.corrected(intake.now.wrench, foot_load)
        if self._normal_only:
            self.wrench[:, :2] = 0.0
            self.wrench[:, 3:] = 0.0
        self._rows = self.wrench.tolist()
        self._note_ages(intake, time_ns)

    def corrected(self, raw: Array, foot_load: Array) -> Array:
        """(N, 6) ground wrenches of ``raw`` (N, 6) sensor wrenches: sign, bias and the foot's own weight removed."""
        return raw * self._sign - self._bias + (foot_load if self._foot_inertia else 0.0)

    def _note_ages(self, intake: Intake, time_ns: int) -> None:
        for k, channel in enumerate(intake.wrenches):
            heard = channel.time_ns >= 0 and not self._silent
            self.age_s[k] = max((time_ns - channel.time_ns) * 1e-9, 0.0) if heard else np.inf

    def vertical(self, foot_rotation: Array, up: Array) -> list[float]:
        """Force of each foot along ``up`` (3,), N; rotations (N, 3, 3) sole → the axes of ``up``."""
        return [
            x * fx + y * fy + z * fz
            for (x, y, z), (fx, fy, fz, _, _, _) in zip((up @ foot_rotation).tolist(), self._rows, strict=True)
        ]

    def update_cop(self, in_contact: list[bool], dt: float, contact: ContactDetectionParameters) -> None:
        """Centre of pressure of each loaded foot: (−τ_y, τ_x)/f_z; below the lift-off force there is none."""
        least = max(contact.lift_force * self._weight, 1e-3)
        for k, (_, _, force, torque_x, torque_y, _) in enumerate(self._rows):
            if in_contact[k] and force > least and self.age_s[k] <= contact.wrench_timeout and not self._normal_only:
                self.cop[k, 0], self.cop[k, 1] = -torque_y / force, torque_x / force
                self._cop_age[k] = 0.0
            else:
                self._cop_age[k] += dt
            self.cop_defined[k] = self._cop_age[k] <= contact.cop_hold
