"""The last stage before the motors: feed-forward plus PD, saturated, rate-limited, with a watchdog."""

from __future__ import annotations

import difflib
import enum
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import ParameterError
from wbc_control.model import RobotModel
from wbc_control.parameters import BridgeParameters
from wbc_control.state import JointCommand, JointState

Array = NDArray[np.float64]


class BridgeMode(enum.Enum):
    """What the bridge is doing."""

    TRACKING = "tracking"
    DAMPING = "damping"


class PdLaw(NamedTuple):
    """What the bridge's last effort was made of, each (n,) in the model's joint order.

    Attributes:
        position: Wanted position, rad (m); the measured one while it damps.
        velocity: Wanted velocity, rad/s; 0 while it damps.
        stiffness: Position gain that holds now, N·m/rad.
        damping: Velocity gain that holds now, N·m·s/rad.
        measured_position: Position it was computed for, rad.
        measured_velocity: Velocity it was computed for, rad/s.
        share: How far the start is, 0..1; 0 while it damps.
    """

    position: Array
    velocity: Array
    stiffness: Array
    damping: Array
    measured_position: Array
    measured_velocity: Array
    share: float


class JointPdBridge:
    """τ = τ_ff + r·kp (q_d − q) + kd (q̇_d − q̇), r rising from 0 to 1 after the start; never a non-finite number out.

    Without a fresh, finite command it damps: τ = −damping · q̇.  The result is limited to the joint's effort limit, then
    to the largest change per period.
    """

    def __init__(self, model: RobotModel, parameters: BridgeParameters) -> None:
        self.model = model
        self._last = np.zeros(model.n)
        self._started_ns: int | None = None
        self._position, self._velocity = np.zeros(model.n), np.zeros(model.n)
        self._stiff, self._low, self._high = np.zeros(model.n), np.zeros(model.n), np.zeros(model.n)
        self._kp = self._kd = np.zeros(0)
        self._goal, self._change, self._ticks_left = (self._kp, self._kd), (self._kp, self._kd), 0
        self._followed: JointCommand | None = None
        self._share = 0.0
        self.mode = BridgeMode.DAMPING
        self.rejected = 0
        self.configure(parameters)

    def configure(self, parameters: BridgeParameters) -> None:
        """Take other parameters; gains move to their new values within ``gain_ramp``, the first ones hold at once.

        Raises:
            ParameterError: Gains for a joint the robot does not have: the real one would run on the default gains.
        """
        self._refuse_unknown(parameters)
        self.parameters = parameters
        rows = [parameters.gains.get(name) for name in self.model.joint_names]
        kp = np.array([parameters.kp if row is None else row.kp for row in rows])
        kd = np.array([parameters.kd if row is None else row.kd for row in rows])
        self._begin_ramp(kp, kd, round(parameters.gain_ramp * parameters.rate) if len(self._kp) else 0)
        self._limit = self.model.limits.effort
        self._step = parameters.torque_rate / parameters.rate
        self._timeout_ns = int(parameters.command_timeout * 1e9)

    def _begin_ramp(self, kp: Array, kd: Array, ticks: int) -> None:
        self._goal, self._ticks_left = (kp, kd), ticks
        if ticks > 0:
            self._change = (kp - self._kp) / ticks, (kd - self._kd) / ticks
        else:
            self._kp, self._kd = kp, kd

    def _ramp_gains(self) -> None:
        """One tick of a change of gains; at its end they are what was asked for, to the last bit."""
        self._ticks_left -= 1
        done = self._ticks_left == 0
        self._kp, self._kd = self._goal if done else (self._kp + self._change[0], self._kd + self._change[1])

    def _refuse_unknown(self, parameters: BridgeParameters) -> None:
        names = self.model.joint_names
        unknown = [name for name in parameters.gains if name not in names]
        if unknown:
            close = difflib.get_close_matches(unknown[0], names, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            where = f"parameter 'gains.{unknown[0]}'"
            raise ParameterError(
                f"the robot has no joint '{unknown[0]}'{hint}", where=where, value=unknown[0], bound=names
            )

    def reset(self) -> None:
        """Start anew: zero torque, gains ramp up again."""
        self._last[:] = 0.0
        self._started_ns = None
        self.mode = BridgeMode.DAMPING

    def brake(self) -> None:
        """From the next update on damp, until a command arrives again: what a node sends before it exits."""
        self.mode, self._started_ns = BridgeMode.DAMPING, None

    def update(self, time_ns: int, command: JointCommand | None, joints: JointState) -> Array:
        """(n,) efforts to send, N·m.

        Args:
            time_ns: Now, ns.
            command: Newest joint command, or None before the first.
            joints: Newest measurement; non-finite entries are replaced by the last finite ones and counted.
        """
        position, velocity = self._finite(joints)
        if self._ticks_left:
            self._ramp_gains()
        if command is not None and self._is_fresh(time_ns, command):
            wanted = self._track(time_ns, command, position, velocity)
            self.mode, self._followed = BridgeMode.TRACKING, command
        else:
            wanted = -self.parameters.damping * velocity
            self.mode, self._started_ns, self._followed = BridgeMode.DAMPING, None, None
        return self._limited(wanted)

    def law(self) -> PdLaw:
        """The last update as a law: targets, gains and measurement; a drive that closes the loop itself is told from it."""
        command, n = self._followed, self.model.n
        if command is None:
            damping = np.full(n, self.parameters.damping)
            return PdLaw(self._position, np.zeros(n), np.zeros(n), damping, self._position, self._velocity, 0.0)
        stiffness = self._share * self._kp
        targets = command.position, command.velocity
        return PdLaw(*targets, stiffness, self._kd, self._position, self._velocity, self._share)

    def _is_fresh(self, time_ns: int, command: JointCommand) -> bool:
        fresh = abs(time_ns - command.time_ns) <= self._timeout_ns
        return fresh and _all_finite(command.effort, command.position, command.velocity)

    def _finite(self, joints: JointState) -> tuple[Array, Array]:
        if _all_finite(joints.position, joints.velocity):
            # Copied: the caller may write the next measurement into the same arrays.
            self._position[:], self._velocity[:] = joints.position, joints.velocity
        else:
            self.rejected += 1
        return self._position, self._velocity

    def _track(self, time_ns: int, command: JointCommand, position: Array, velocity: Array) -> Array:
        if self._started_ns is None:
            self._started_ns = time_ns
        ramp_ns = max(self.parameters.start_ramp * 1e9, 1.0)
        share = self._share = min((time_ns - self._started_ns) / ramp_ns, 1.0)
        stiff = np.subtract(command.position, position, out=self._stiff)
        stiff *= self._kp
        if share < 1.0:
            stiff *= share
        result: Array = command.velocity - velocity
        result *= self._kd
        result += stiff
        result += command.effort
        return result

    def _limited(self, wanted: Array) -> Array:
        last, limit, step = self._last, self._limit, self._step
        effort = np.minimum(np.maximum(wanted, -limit, out=wanted), limit, out=wanted)
        np.maximum(effort, np.subtract(last, step, out=self._low), out=effort)
        np.minimum(effort, np.add(last, step, out=self._high), out=effort)
        # minimum/maximum pass NaN on: the guard is for joints whose limits or gains are infinite.
        if not _all_finite(effort):
            effort = np.nan_to_num(effort, nan=0.0, posinf=0.0, neginf=0.0)
            self.rejected += 1
        last[:] = effort
        return effort


def _all_finite(*arrays: Array) -> bool:
    """Whether every number is finite: a product of an array with itself shows any NaN or infinity, in one BLAS call."""
    return all(math.isfinite(array.dot(array)) for array in arrays)
