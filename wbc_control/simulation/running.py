"""From a robot's name and a scenario to a wired run: parameters, model, world, stack, report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wbc_control.errors import BackendError, ParameterError, ScenarioError
from wbc_control.model import RobotModel, load_robot
from wbc_control.model.share import share_folder
from wbc_control.parameters import SimulatorParameters, StackParameters
from wbc_control.simulation.backend import Backend
from wbc_control.simulation.carried_bodies import scenario_payload
from wbc_control.simulation.closed_loop import ClosedLoop, Controller, Outcome
from wbc_control.simulation.report import Report
from wbc_control.simulation.scenario import Scenario, load_scenario
from wbc_control.simulation.terrain import Ground, make_ground
from wbc_control.stack.live_parameters import apply_live

ControllerFactory = Callable[[RobotModel, StackParameters], Controller]

_SUFFIXES = (".yaml", ".yml")


def find_scenario(name_or_path: str) -> Scenario:
    """A shipped scenario by name (``stand``) or any scenario by the path of its file.

    Raises:
        ScenarioError: Neither a file nor a shipped name, or the file is unusable.
    """
    return load_scenario(scenario_file(name_or_path))


def scenario_file(name_or_path: str) -> Path:
    """Path of a shipped scenario's name, or the path itself; ScenarioError for an unknown name."""
    path = Path(name_or_path)
    if path.suffix in _SUFFIXES:
        return path
    shipped = {file.stem: file for file in sorted(share_folder("config/scenarios").glob("*.yaml"))}
    if name_or_path not in shipped:
        message = f"unknown scenario '{name_or_path}': choose {', '.join(shipped)}, or give the path of a .yaml file"
        raise ScenarioError(message, value=name_or_path, bound=tuple(shipped))
    return shipped[name_or_path]


@dataclass(frozen=True)
class Run:
    """A wired run; call :meth:`ClosedLoop.run` with ``report`` among the observers.

    Attributes:
        parameters: Of the stack.
        model: The robot.
        backend: The world.
        loop: Stack and world in lockstep.
        report: Collects the metrics.
    """

    parameters: StackParameters
    model: RobotModel
    backend: Backend
    loop: ClosedLoop
    report: Report

    def finish(self, outcome: Outcome) -> dict[str, Any]:
        """The report, and the backend released."""
        report = self.report.build(outcome)
        self.backend.close()
        return report


def prepare(
    robot: str,
    scenario: Scenario,
    overrides: Mapping[str, Any] | None = None,
    with_visuals: bool = False,
    controller: ControllerFactory | None = None,
) -> Run:
    """Wire a run.

    Args:
        robot: Shipped robot's name or parameter file.
        scenario: What happens.
        overrides: ``node.parameter`` → value.
        with_visuals: Whether pictures will be taken.
        controller: Makes the controller; the whole control stack without one.

    Raises:
        WbcError: Any input is unusable; one sentence says why.
    """
    parameters = load_robot(robot, overrides)
    check_changes(parameters, scenario)
    model = RobotModel.from_parameters(parameters.robot)
    ground = make_ground(scenario.terrain)
    backend = make_backend(model, parameters, scenario, ground, with_visuals)
    loop = ClosedLoop(
        model,
        (controller or _control_stack)(model, parameters),
        backend,
        ground,
        scenario,
        parameters.bridge.controller,
    )
    return Run(parameters, model, backend, loop, Report(loop, parameters))


def check_changes(parameters: StackParameters, scenario: Scenario) -> None:
    """Try the scenario's live parameter changes in order, so that a wrong one does not end a run half way.

    Raises:
        ParameterError: As :func:`wbc_control.stack.live_parameters.apply_live`, with the time of the change.
    """
    for change in scenario.set:
        try:
            parameters = apply_live(parameters, change.values)
        except ParameterError as error:
            where = f"scenario '{scenario.name}', 'set' at t = {change.t:g} s"
            raise ParameterError(str(error), where=where, value=error.value, bound=error.bound) from error


def _control_stack(model: RobotModel, parameters: StackParameters) -> Controller:
    from wbc_control.stack import ControlStack

    return ControlStack(model, parameters)


def make_backend(
    model: RobotModel, parameters: StackParameters, scenario: Scenario, ground: Ground, with_visuals: bool = False
) -> Backend:
    """The world that ``mujoco_sim.backend`` names.

    Raises:
        BackendError: The engine is missing, or cannot carry the robot.
    """
    return make_world(model, parameters.simulator, ground, scenario_payload(model, scenario.payload), with_visuals)


def make_world(
    model: RobotModel,
    simulator: SimulatorParameters,
    ground: Ground | None = None,
    payload: Mapping[str, float] | None = None,
    with_visuals: bool = False,
) -> Backend:
    """The engine that ``simulator.backend`` names, with the robot on ``ground`` (flat without one).

    Raises:
        BackendError: The engine is missing, or cannot carry the robot or the ground.
    """
    if simulator.backend == "rigid":
        from wbc_control.simulation.rigid_backend import RigidBackend

        return RigidBackend(model, simulator, ground, payload)
    try:
        from wbc_control.simulation.mujoco_backend import MujocoBackend
    except ModuleNotFoundError as error:
        raise BackendError(
            f"needs '{error.name}': pip install 'wbc_control[sim]'", where="simulation.backend=mujoco"
        ) from error
    return MujocoBackend(model, simulator, ground, payload, with_visuals)
