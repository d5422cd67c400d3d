"""Calibration of a simulated robot: a crane lifts it, each joint is wiggled, then it stands; its sensors are logged.

The stack that keeps it standing uses no foot sensors, because they are what is to be found out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import DomainError
from wbc_control.estimation.calibration import FootCalibration, calibrate
from wbc_control.estimation.joint_wiggle import wiggle_causes, wiggle_size
from wbc_control.joint_control import JointPdBridge
from wbc_control.simulation.closed_loop import initial_state
from wbc_control.simulation.crane import Crane
from wbc_control.simulation.faults import FaultInjector
from wbc_control.simulation.running import Run, prepare
from wbc_control.simulation.scenario import Scenario
from wbc_control.simulation.sensors import SensorNoise
from wbc_control.state import JointCommand, SensorSample

Array = NDArray[np.float64]

STAND_S, LIFT_S, HANG_S, WIGGLE_S = 2.0, 1.5, 2.0, 0.25
"""How long it stands, rises, hangs, and each joint is moved."""
_LOG_S = 0.5
_RISE_M, _WIGGLE_RAD = 0.1, 0.08
_BLIND = {"contact_estimator.sensors.wrench_axes": "none", "contact_estimator.start.check": False}


@dataclass(frozen=True)
class CalibrationResult:
    """What calibration found.

    Attributes:
        feet: Sign, bias, noise and thresholds of every foot's sensor; empty where the joints are in doubt.
        causes: What is wrong with the joints; empty when each answers to its name.
    """

    feet: list[FootCalibration]
    causes: list[str]


def run_calibration(
    robot: str,
    scenario: Scenario,
    overrides: Mapping[str, Any] | None = None,
    on_time: Callable[[float], None] = lambda done_s: None,
) -> CalibrationResult:
    """Calibrate a simulated robot whose sensors have the scenario's noise and faults.

    Args:
        robot: Shipped robot's name or parameter file.
        scenario: Noise, faults, start and seed; its duration and commands do not matter.
        overrides: ``node.parameter`` → value.
        on_time: Called now and then with the simulated time, s.

    Raises:
        DomainError: The robot has no feet, or its sensors cannot be explained by sign, bias and noise.
        WbcError: Robot, scenario or parameters are unusable.
    """
    run = prepare(robot, scenario, {**(overrides or {}), **_BLIND})
    if not run.model.feet or not run.model.floating_base:
        raise DomainError("has no feet, so there is no foot sensor to calibrate", where=run.parameters.robot.name)
    try:
        hanging = _Session(run, scenario, on_time)
        causes = hanging.wiggle_in_the_air()
        if causes:
            return CalibrationResult([], causes)
        lifted = dict.fromkeys(run.model.foot_names, hanging.hang(HANG_S))
        standing = _Session(run, scenario, on_time).stand()
    finally:
        run.backend.close()
    return CalibrationResult(calibrate(run.model, standing, lifted), [])


class _Session:
    """One robot, its world and its sensors, period by period."""

    def __init__(self, run: Run, scenario: Scenario, on_time: Callable[[float], None]) -> None:
        self._run, self._model, self._backend, self._on_time = run, run.model, run.backend, on_time
        self._stack: Any = run.loop.controller
        feet, seed = run.model.foot_names, scenario.seed
        self._noise = SensorNoise(scenario.noise, seed, run.model.n, len(feet))
        self._faults = FaultInjector(scenario.fault, feet, run.parameters.bridge.controller, seed)
        self._bridge = JointPdBridge(run.model, run.parameters.bridge)
        run.backend.reset(initial_state(run.model, scenario.initial))
        self._count = 0
        self._crane: Crane | None = None

    def _sense(self) -> SensorSample:
        self._count += 1
        if self._count % 100 == 0:
            self._on_time(1e-9 * self._count * self._backend.period_ns)
        return self._faults.apply(self._noise.apply(self._backend.read_sensors()))

    def _periods(self, duration_s: float) -> int:
        return round(1e9 * duration_s / self._backend.period_ns)

    def stand(self) -> list[SensorSample]:
        """Samples of the last half second of standing on all feet."""
        log = []
        for _ in range(self._periods(STAND_S)):
            log.append(self._sense())
            self._backend.step(self._stack.tick(log[-1], None))
        return log[-self._periods(_LOG_S) :]

    def wiggle_in_the_air(self) -> list[str]:
        """Lift the robot, move every joint in turn, and judge who answered."""
        positions = self._model.joint_positions(self._model.standing_configuration())
        self._target = positions.copy()
        self._crane = Crane(self._model, self._backend, _RISE_M, LIFT_S)
        self.hang(LIFT_S)
        limits, n = self._model.limits, self._model.n
        asked = [
            wiggle_size(*row, _WIGGLE_RAD)
            for row in zip(
                positions.tolist(), limits.position_lower.tolist(), limits.position_upper.tolist(), strict=True
            )
        ]
        answers = np.zeros((n, n))
        for k, size in enumerate(asked):
            if size:
                before = self.hang(WIGGLE_S)[-1].joints.position
                self._target[k] = positions[k] + size
                answers[k] = self.hang(WIGGLE_S)[-1].joints.position - before
                self._target[k] = positions[k]
        return wiggle_causes(self._model.joint_names, asked, answers)

    def hang(self, duration_s: float) -> list[SensorSample]:
        """Samples of the last half second of a time in which joints hold their targets and the crane the base."""
        log, still = [], np.zeros(self._model.n)
        for _ in range(self._periods(duration_s)):
            sample = self._sense()
            log.append(sample)
            if self._crane is not None:
                self._crane.pull()
            # The motors hold the true joints: what the encoders claim must not drive a robot that is being examined.
            true = self._backend.read_sensors().joints
            command = JointCommand(sample.time_ns, self._target.copy(), still, still)
            self._backend.step(self._bridge.update(sample.time_ns, command, true))
        return log[-self._periods(_LOG_S) :]
