"""Reads a ROS parameter file into typed parameters for the whole stack."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from wbc_control.errors import ParameterError
from wbc_control.parameters.bridge import BridgeParameters
from wbc_control.parameters.building import build, flatten_mapping
from wbc_control.parameters.controller import ControllerParameters
from wbc_control.parameters.estimator import EstimatorParameters
from wbc_control.parameters.middleware import MiddlewareParameters
from wbc_control.parameters.planner import PlannerParameters
from wbc_control.parameters.robot import RobotParameters
from wbc_control.parameters.simulator import SimulatorParameters

SHARED = "/**"
ROS_KEY = "ros__parameters"
SHARED_CLASSES: dict[str, type] = {"robot": RobotParameters, "middleware": MiddlewareParameters}
"""First word of a parameter in the shared section → the class that declares it."""


@dataclass(frozen=True)
class StackParameters:
    """Parameters of the robot and of every node; field metadata names the node."""

    robot: RobotParameters = field(default_factory=RobotParameters)
    estimator: EstimatorParameters = field(default_factory=EstimatorParameters, metadata={"node": "contact_estimator"})
    planner: PlannerParameters = field(default_factory=PlannerParameters, metadata={"node": "centroidal_planner"})
    controller: ControllerParameters = field(default_factory=ControllerParameters, metadata={"node": "whole_body_qp"})
    bridge: BridgeParameters = field(default_factory=BridgeParameters, metadata={"node": "joint_pd_bridge"})
    simulator: SimulatorParameters = field(default_factory=SimulatorParameters, metadata={"node": "mujoco_sim"})
    middleware: MiddlewareParameters = field(default_factory=MiddlewareParameters)


NODE_FIELDS = {f.metadata["node"]: f.name for f in dataclasses.fields(StackParameters) if "node" in f.metadata}
"""Node name → field of :class:`StackParameters`."""

_CLASSES: dict[str, type] = {
    "contact_estimator": EstimatorParameters,
    "centroidal_planner": PlannerParameters,
    "whole_body_qp": ControllerParameters,
    "joint_pd_bridge": BridgeParameters,
    "mujoco_sim": SimulatorParameters,
}


def read_parameter_file(path: str | Path) -> dict[str, dict[str, Any]]:
    """Node name → dotted name → value of a ROS parameter file.

    Raises:
        ParameterError: The file is missing, is not YAML, or not in ROS parameter-file form.
    """
    try:
        content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ParameterError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark else ""
        raise ParameterError(f"is not valid YAML{line}: {getattr(error, 'problem', error)}", where=str(path)) from error
    if not isinstance(content, Mapping):
        raise ParameterError(f"holds no node sections (`NODE: {ROS_KEY}: ...`)", where=str(path))
    return {str(node): _section(str(node), body, str(path)) for node, body in content.items()}


def _section(node: str, body: Any, where: str) -> dict[str, Any]:
    if not isinstance(body, Mapping) or not isinstance(body.get(ROS_KEY), Mapping):
        raise ParameterError(f"section '{node}' has no mapping `{ROS_KEY}`", where=where, value=node)
    return flatten_mapping(body[ROS_KEY])


def stack_parameters(
    sections: Mapping[str, Mapping[str, Any]], where: str = "", overrides: Mapping[str, Any] | None = None
) -> StackParameters:
    """Typed parameters from sections, then ``overrides`` named ``node.parameter`` (or ``robot.parameter``).

    Raises:
        ParameterError: A section or override names no node of the stack, or a value is refused.
    """
    merged = {node.lstrip("/") if node != SHARED else SHARED: dict(values) for node, values in sections.items()}
    for name, value in (overrides or {}).items():
        node, _, parameter = name.partition(".")
        shared = node in SHARED_CLASSES
        merged.setdefault(SHARED if shared else _alias(node), {})[name if shared else parameter] = value
    unknown = [node for node in merged if node != SHARED and node not in _CLASSES]
    if unknown:
        known = ", ".join(_CLASSES)
        raise ParameterError(
            f"'{unknown[0]}' is no node of the stack ({known})", where=where, value=unknown[0], bound=known
        )
    return _assemble(merged, where)


def _alias(node: str) -> str:
    """``simulation.backend`` and ``simulator.backend`` mean the simulator, whichever engine runs."""
    return "mujoco_sim" if node in ("simulation", "simulator") else node


def _assemble(sections: Mapping[str, Mapping[str, Any]], where: str) -> StackParameters:
    shared = sections.get(SHARED, {})
    foreign = [name for name in shared if name.split(".")[0] not in SHARED_CLASSES and name != "use_sim_time"]
    if foreign:
        groups = ", ".join(f"{group}.*" for group in SHARED_CLASSES)
        message = f"section '{SHARED}' may hold only {groups}, found '{foreign[0]}'"
        raise ParameterError(message, where=where, value=foreign[0], bound=groups)
    parts: dict[str, Any] = {}
    for group, cls in SHARED_CLASSES.items():
        own = {name.removeprefix(f"{group}."): value for name, value in shared.items() if name.startswith(f"{group}.")}
        parts[group] = build(cls, own, where)
    for node, name in NODE_FIELDS.items():
        own = {key: value for key, value in sections.get(node, {}).items() if key != "use_sim_time"}
        parts[name] = build(_CLASSES[node], own, where)
    parameters = StackParameters(**parts)
    check_consistency(parameters, where)
    return parameters


def check_consistency(parameters: StackParameters, where: str = "") -> None:
    """Rules that tie several parameters together.

    Raises:
        ParameterError: Names the conflict with both values.
    """
    contact = parameters.estimator.contact
    if contact.lift_force >= contact.touch_force:
        message = f"contact.lift_force {contact.lift_force} must be below contact.touch_force {contact.touch_force}"
        raise ParameterError(message, where=where, value=contact.lift_force, bound=contact.touch_force)
    simulator = parameters.simulator
    ratio = 1.0 / (simulator.control_rate * simulator.timestep)
    if abs(ratio - round(ratio)) > 1e-6 or ratio < 0.999:
        message = f"control period {1e3 / simulator.control_rate:g} ms is no whole multiple of timestep {1e3 * simulator.timestep:g} ms"
        raise ParameterError(message, where=where, value=simulator.timestep, bound=1.0 / simulator.control_rate)
