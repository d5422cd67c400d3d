"""Speed–torque line of the motors: what torque is left at the present speed."""

from __future__ import annotations

import numpy as np

from wbc_control.errors import ParameterError
from wbc_control.model import Kinodynamics, RobotModel
from wbc_control.parameters.controller import JointLimitParameters
from wbc_control.wbc.limits.limit import Array, TorqueLimit


class MotorLimit(TorqueLimit):
    """Driving torque falls on a line from τ_max at the corner speed to 0 at the no-load speed; braking keeps τ_max.

    In the driving quadrants a DC motor's voltage runs out: τ ≤ τ_max (ω₀ − ω)/(ω₀ − ω_c) (e.g. Hughes and
    Drury, *Electric
    Motors and Drives*, §3.4); when braking the counter-voltage helps.

    Raises:
        ParameterError: A no-load speed that does not exceed the corner speed.
    """

    key, name = "motor", "motor speed-torque limit"

    def __init__(self, model: RobotModel, parameters: JointLimitParameters) -> None:
        self._model = model
        corner, no_load = _speeds(model, parameters)
        self.active = bool(np.isfinite(no_load).any())
        finite = np.isfinite(no_load)
        self._no_load = np.where(finite, no_load, 0.0)
        # Joints without a line keep the full torque: slope 0, share 1.
        self._slope = np.where(finite, 1.0 / np.where(finite, no_load - corner, 1.0), 0.0)
        self._offset = np.where(finite, 0.0, 1.0)
        self._limit = (1.0 - parameters.torque_margin) * model.limits.effort
        self._opposite = -self._limit
        # Up to here the whole torque is left.
        self._corner, self._speed = np.where(finite, corner, np.inf), np.zeros(model.n)

    def narrow(self, terms: Kinodynamics, lower: Array, upper: Array) -> None:
        """See :class:`Limit`."""
        speed = terms.v[self._model.v_joints]
        if (np.abs(speed, out=self._speed) <= self._corner).all():
            np.minimum(upper, self._limit, out=upper)
            np.maximum(lower, self._opposite, out=lower)
            return
        np.minimum(upper, self._limit * self._share(speed), out=upper)
        np.maximum(lower, self._opposite * self._share(-speed), out=lower)

    def _share(self, speed: Array) -> Array:
        """(n,) share of τ_max that can drive in the direction in which ``speed`` is positive."""
        share: Array = np.clip((self._no_load - speed) * self._slope + self._offset, 0.0, 1.0)
        return share


def _speeds(model: RobotModel, parameters: JointLimitParameters) -> tuple[Array, Array]:
    """Corner and no-load speed of each joint, rad/s; infinite where there is no line."""
    common = parameters.motor_no_load > parameters.motor_corner
    corner = parameters.motor_corner * model.limits.velocity
    no_load = parameters.motor_no_load * model.limits.velocity if common else np.full(model.n, np.inf)
    for i, name in enumerate(model.joint_names):
        own = parameters.motors.get(name)
        if own is None or own.no_load_speed <= 0.0:
            continue
        if not own.no_load_speed > own.corner_speed:
            where = f"limits.motors.{name}.no_load_speed"
            raise ParameterError(
                "must exceed the corner speed", where=where, value=own.no_load_speed, bound=own.corner_speed
            )
        corner[i], no_load[i] = own.corner_speed, own.no_load_speed
    return corner, no_load
