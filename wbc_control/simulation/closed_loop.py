"""One run of the control stack against a backend, in lockstep: deterministic, as fast as the machine allows.

Each control period at time t: sensors of the backend → noise → sensor faults → the stack's tick → command faults →
actuation delay → physics to t + period.  Observers see every period and write nothing back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wbc_control.model import RobotModel
from wbc_control.simulation.actuation import Actuation
from wbc_control.simulation.backend import Backend, GroundTruth, InitialState
from wbc_control.simulation.commands import CommandSchedule, ParameterSchedule
from wbc_control.simulation.falling import FallDetector
from wbc_control.simulation.faults import FaultInjector
from wbc_control.simulation.pushes import Push, PushSchedule, quantised
from wbc_control.simulation.reading import refuse_unknown
from wbc_control.simulation.scenario import InitialSettings, PushSettings, Scenario
from wbc_control.simulation.sensors import SensorNoise
from wbc_control.simulation.terrain import Ground
from wbc_control.spatial import matrix_to_quaternion, yaw_matrix
from wbc_control.state import SensorSample, VelocityCommand

Array = NDArray[np.float64]


class Controller(Protocol):
    """What a run needs of the control stack."""

    def tick(self, sample: SensorSample, velocity: VelocityCommand | None) -> Array:
        """(n,) joint efforts, N·m, for one control period."""

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Change parameters named ``node.parameter`` while running."""


@dataclass(frozen=True, slots=True)
class Period:
    """One control period as observers see it.

    Attributes:
        index: Number of the period, from 0.
        time_ns: Its start, ns.
        truth: True state at its start; contacts are those of the physics step that led there.
        sample: Sensors as the controller got them.
        velocity: Velocity command of the scenario, or None.
        effort: (n,) what the controller asked for, N·m.
        applied_effort: (n,) what reached the motors, N·m, before their own limits.
        tick_ns: Wall time of the controller's tick, ns.
    """

    index: int
    time_ns: int
    truth: GroundTruth
    sample: SensorSample
    velocity: VelocityCommand | None
    effort: Array
    applied_effort: Array
    tick_ns: int


class Observer(Protocol):
    """Watches a run: a metric, a recorder, a progress bar, a camera."""

    def observe(self, period: Period) -> None:
        """Called once a control period, after the controller and before the physics."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Attributes:
        fell: Whether the robot fell.
        reason: Why it counts as fallen, one sentence; empty otherwise.
        sim_time_s: Simulated time.
        wall_time_s: Wall time.
        periods: Control periods run.
    """

    fell: bool
    reason: str
    sim_time_s: float
    wall_time_s: float
    periods: int


def initial_state(model: RobotModel, settings: InitialSettings) -> InitialState:
    """The scenario's start: standing posture, changed where it says so, at its place on the ground.

    Raises:
        ScenarioError: The posture names a joint the robot does not have.
    """
    q = model.standing_configuration()
    positions = model.joint_positions(q)
    for joint, angle in settings.posture.items():
        refuse_unknown({joint: None}, dict.fromkeys(model.joint_names), "scenario, 'initial', 'posture'")
        positions[model.joint_names.index(joint)] = angle
    model.with_joint_positions(q, positions)
    if model.floating_base:
        q[:2] = settings.x, settings.y
        q[3:7] = matrix_to_quaternion(yaw_matrix(np.radians(settings.yaw_deg)))
    return InitialState(q, np.zeros(model.nv), settings.drop)


class ClosedLoop:
    """The parts of one run, wired.

    Args:
        model: The robot.
        controller: The control stack, or anything that ticks like it.
        backend: The world.
        ground: Its ground, to judge falls.
        scenario: What happens.
        controller_name: Name of the forwarding controller, whose ``commands`` topic a fault may name.

    Raises:
        ScenarioError: The scenario names a topic, joint or link the robot does not have.
    """

    def __init__(
        self,
        model: RobotModel,
        controller: Controller,
        backend: Backend,
        ground: Ground,
        scenario: Scenario,
        controller_name: str,
    ) -> None:
        self.model, self.controller, self.backend, self.scenario = model, controller, backend, scenario
        self.ground = ground
        self._initial = initial_state(model, scenario.initial)
        seed, feet = scenario.seed, model.foot_names
        self._noise = SensorNoise(scenario.noise, seed, model.n, len(feet))
        self._faults = FaultInjector(scenario.fault, feet, controller_name, seed)
        self._actuation = Actuation(scenario.actuation, backend.period_ns, model.n)
        self.pushes = PushSchedule([self._push(p) for p in scenario.push])
        self._commands, self._changes = CommandSchedule(scenario.command), ParameterSchedule(scenario.set)
        self._falling = FallDetector(model, ground)

    def _push(self, settings: PushSettings) -> Push:
        frames = self.model.pinocchio.frames
        if settings.link:
            known = dict.fromkeys(frame.name for frame in frames)
            refuse_unknown({settings.link: None}, known, "scenario, 'push', 'link'")
        torso = frames[self.model.torso_frame_id].name
        return quantised(settings, self.backend.period_ns, torso)

    def run(self, observers: Iterable[Observer] = ()) -> Outcome:
        """Reset the backend and run to the end of the scenario or to a fall."""
        observers = tuple(observers)
        periods = max(1, round(1e9 * self.scenario.duration / self.backend.period_ns))
        self.backend.reset(self._initial)
        start = perf_counter_ns()
        truth, reason, index = self.backend.ground_truth(), "", 0
        while index < periods and not reason:
            period = self._tick(index, truth)
            for observer in observers:
                observer.observe(period)
            self.backend.step(period.applied_effort)
            index += 1
            truth = self.backend.ground_truth()
            reason = self._falling.judge(truth)
        wall_s = 1e-9 * (perf_counter_ns() - start)
        return Outcome(bool(reason), reason, 1e-9 * index * self.backend.period_ns, wall_s, index)

    def _tick(self, index: int, truth: GroundTruth) -> Period:
        now = index * self.backend.period_ns
        changes = self._changes.due(now)
        if changes:
            self.controller.set_parameters(changes)
        self.pushes.update(self.backend, now)
        sample = self._faults.apply(self._noise.apply(self.backend.read_sensors()))
        velocity = self._commands.at(now)
        before = perf_counter_ns()
        effort = self.controller.tick(sample, velocity)
        tick_ns = perf_counter_ns() - before
        applied = self._actuation.apply(self._faults.apply_effort(effort, now))
        return Period(index, now, truth, sample, velocity, effort, applied, tick_ns)
