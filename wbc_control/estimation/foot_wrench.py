"""What the ground does to each foot, from the wrench sensors: sign, bias and the foot's own weight removed; CoP."""

from __future__ import annotations

import math

import numpy as np

from wbc_control.estimation.sensor_intake import Intake
from wbc_control.model import RobotModel
from wbc_control.parameters import EstimatorParameters
from wbc_control.parameters.estimator import ContactDetectionParameters
from wbc_control.spatial import Array
from wbc_control.state.checks import BoolArray

_NEVER = math.inf


class FootWrenches:
    """Sole wrenches and centres of pressure.

    Args:
        model: Robot; feet by name.

    Attributes:
        wrench: (N, 6) force, N, then torque about the sole origin, N·m, of the ground on the foot, sole frame.
        age_s: N ages of the last good reading, s; infinite where a foot never had one.
    """

    def __init__(self, model: RobotModel, parameters: EstimatorParameters) -> None:
        n_feet = len(model.feet)
        self._names, self._weight = model.foot_names, model.weight
        self.wrench = np.zeros((n_feet, 6))
        self.age_s = [_NEVER] * n_feet
        self.reset()
        self._sign, self._bias = np.ones((n_feet, 1)), np.zeros((n_feet, 6))
        self.configure(parameters)

    def configure(self, parameters: EstimatorParameters) -> None:
        """Take over sign and bias of every foot's sensor."""
        sensors, self._contact = parameters.sensors, parameters.contact
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
        n_feet = len(self._names)
        self._cop, self._cop_age, self._loaded = [(0.0, 0.0)] * n_feet, [_NEVER] * n_feet, [False] * n_feet

    def update(self, intake: Intake, load: Array, time_ns: int) -> None:
        """Newest wrenches, less bias and (N, 6) ``load``, the force each foot's own motion and weight need.

        The result replaces ``load`` in place and becomes :attr:`wrench`.
        """
        if self._plain:
            np.add(load, intake.now.wrench, load)
        else:
            load[:] = self.corrected(intake.now.wrench, load)
        if self._normal_only:
            load[:, :2] = 0.0
            load[:, 3:] = 0.0
        self.wrench = load
        self._note_ages(intake, time_ns)

    def corrected(self, raw: Array, foot_load: Array) -> Array:
        """(N, 6) ground wrenches of ``raw`` (N, 6) sensor wrenches: sign, bias and the foot's own weight removed."""
        return raw * self._sign - self._bias + (foot_load if self._foot_inertia else 0.0)

    def _note_ages(self, intake: Intake, time_ns: int) -> None:
        for k, channel in enumerate(intake.wrenches):
            heard, age_ns = channel.time_ns, time_ns - channel.time_ns
            unknown = heard < 0 or self._silent
            self.age_s[k] = _NEVER if unknown else age_ns * 1e-9 if age_ns > 0 else 0.0

    def note_cop(self, in_contact: list[bool], dt: float, contact: ContactDetectionParameters) -> None:
        """Remember the centres of pressure of the loaded feet, and how old those of the others are; every few ticks."""
        self._loaded, self._contact = in_contact, contact
        for k, now in enumerate(self._present_cop()):
            self._cop_age[k] = self._cop_age[k] + dt if now is None else 0.0
            if now is not None:
                self._cop[k] = now

    def _present_cop(self) -> list[tuple[float, float] | None]:
        """(−τ_y, τ_x)/f_z of each loaded foot; below the lift-off force there is none."""
        least, timeout = max(self._contact.lift_force * self._weight, 1e-3), self._contact.wrench_timeout
        found: list[tuple[float, float] | None] = []
        for k, (_, _, force, torque_x, torque_y, _) in enumerate(self.wrench.tolist()):
            valid = self._loaded[k] and force > least and self.age_s[k] <= timeout and not self._normal_only
            found.append((-torque_y / force, torque_x / force) if valid else None)
        return found

    @property
    def cop(self) -> Array:
        """(N, 2) centre of pressure in the sole plane, sole frame, m; the last valid one while it is young."""
        present = self._present_cop()
        return np.array([old if now is None else now for now, old in zip(present, self._cop, strict=True)]).reshape(
            -1, 2
        )

    @property
    def cop_defined(self) -> BoolArray:
        """(N,) whether ``cop`` means anything: not without normal force, once the last valid one aged out."""
        present, hold = self._present_cop(), self._contact.cop_hold
        defined = [now is not None or age <= hold for now, age in zip(present, self._cop_age, strict=True)]
        return np.array(defined, dtype=bool)
