"""ROS parameters from the declarations, judged together, swapped as one snapshot.

On-set callbacks only judge, with the incoming values merged into the current ones, so that rules between parameters
(lift below touch) hold after every call; they always return a reason and never raise, for an exception there would kill
the service call.  Post-set callbacks swap the snapshot that the loop reads at the start of a tick.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

from wbc_control.errors import ParameterError
from wbc_control.parameters import Declaration, StackParameters, changed, declarations, flatten, stack_parameters
from wbc_control.parameters.loading import NODE_FIELDS, SHARED, SHARED_CLASSES, check_consistency

ROS_OWN = ("use_sim_time", "start_type_description_service", "qos_overrides", "bond_disable_heartbeat_timeout")
"""First words of parameters that ROS itself declares."""
_INTEGER_LIMIT = 2**63 - 1


class ParameterBridge:
    """Holds the parameters of one node as a snapshot and keeps it equal to the ROS parameters.

    Args:
        node: The node, created with ``automatically_declare_parameters_from_overrides=True``.
        extra: Values below the ones ROS found for the node (see ``parameter_file.bare_section``).

    Attributes:
        snapshot: Parameters of robot, middleware and this node; the other nodes' parts are defaults.  Replaced as a
            whole, never changed.

    Raises:
        ParameterError: A value the declarations refuse, in one sentence.
    """

    def __init__(self, node: Node, extra: dict[str, Any] | None = None) -> None:
        self._node = node
        self._name = node.get_name()
        self._field = NODE_FIELDS[self._name]
        found = node.get_parameters_by_prefix("")
        given = {name: _plain(p.value) for name, p in found.items() if name.split(".")[0] not in ROS_OWN}
        self.snapshot = self._build((extra or {}) | given)
        self._declared = {d.name: d for d in self._declarations()}
        self._declare(given)
        node.add_on_set_parameters_callback(self._judge)
        node.add_post_set_parameters_callback(self._apply)

    def _build(self, values: dict[str, Any]) -> StackParameters:
        shared = {name: value for name, value in values.items() if name.split(".")[0] in SHARED_CLASSES}
        own = {name: value for name, value in values.items() if name not in shared}
        return stack_parameters({SHARED: shared, self._name: own}, where=self._name)

    def _declarations(self) -> Iterable[Declaration]:
        for group, cls in SHARED_CLASSES.items():
            yield from _expanded(cls, getattr(self.snapshot, group), f"{group}.", live=False)
        part = getattr(self.snapshot, self._field)
        yield from _expanded(type(part), part, "", live=True)

    def _declare(self, given: dict[str, Any]) -> None:
        """Declare what ROS was not given, describe what it was; empty arrays have no ROS type and stay out."""
        for name, declared in self._declared.items():
            descriptor = descriptor_of(declared)
            if name in given:
                self._node.set_descriptor(name, descriptor)
            elif declared.default != ():
                self._node.declare_parameter(name, _to_ros(declared.default), descriptor, ignore_override=True)

    def _judge(self, parameters: list[Parameter[Any]]) -> SetParametersResult:
        try:
            self._merged(parameters)
        except ParameterError as error:
            return SetParametersResult(successful=False, reason=str(error))
        except Exception as error:  # an exception would kill the service call without an answer
            return SetParametersResult(successful=False, reason=f"{type(error).__name__}: {error}")
        return SetParametersResult(successful=True)

    def _apply(self, parameters: list[Parameter[Any]]) -> None:
        try:
            self.snapshot = self._merged(parameters)
        except Exception as error:  # judged before; what still fails leaves the snapshot as it was
            self._node.get_logger().error(f"parameters not applied: {error}")

    def _merged(self, parameters: list[Parameter[Any]]) -> StackParameters:
        incoming = {p.name: _plain(p.value) for p in parameters if p.name in self._declared}
        frozen = [name for name in incoming if not self._declared[name].live]
        if frozen:
            raise ParameterError(
                "is read-only while the node runs: change its file and restart", where=f"parameter '{frozen[0]}'"
            )
        part = changed(getattr(self.snapshot, self._field), incoming)
        merged = dataclasses.replace(self.snapshot, **{self._field: part})
        check_consistency(merged)
        return merged


def descriptor_of(declared: Declaration) -> ParameterDescriptor:
    """ROS's description of one declaration: sentence, unit, range, choices, read-only or live."""
    unit = f" [{declared.unit}]" if declared.unit not in ("", "1") else ""
    descriptor = ParameterDescriptor(
        name=declared.name,
        description=declared.description + unit,
        read_only=not declared.live,
        type=_ros_type(declared).value,
    )
    if declared.choices:
        descriptor.additional_constraints = "one of: " + ", ".join(declared.choices)
    if not declared.type_name.endswith("_array") and (math.isfinite(declared.lower) or math.isfinite(declared.upper)):
        _set_range(descriptor, declared)
    return descriptor


def _set_range(descriptor: ParameterDescriptor, declared: Declaration) -> None:
    if declared.type_name == "double":
        largest = 1.7976931348623157e308
        lower, upper = max(declared.lower, -largest), min(declared.upper, largest)
        descriptor.floating_point_range = [FloatingPointRange(from_value=lower, to_value=upper, step=0.0)]
    elif declared.type_name == "integer":
        lower_int = int(max(declared.lower, -_INTEGER_LIMIT))
        upper_int = int(min(declared.upper, _INTEGER_LIMIT))
        descriptor.integer_range = [IntegerRange(from_value=lower_int, to_value=upper_int, step=0)]


def _expanded(cls: type, instance: Any, prefix: str, live: bool) -> Iterable[Declaration]:
    """Declarations with the instance's values as defaults, rows of tables under their real names."""
    patterns = list(declarations(cls))
    for name, value in flatten(instance).items():
        declared = next(d for d in patterns if _matches(d.name, name))
        yield dataclasses.replace(declared, name=prefix + name, default=value, live=declared.live and live)


def _matches(pattern: str, name: str) -> bool:
    wanted, found = pattern.split("."), name.split(".")
    return len(wanted) == len(found) and all(w in ("<name>", f) for w, f in zip(wanted, found, strict=True))


def _ros_type(declared: Declaration) -> Parameter.Type:
    return Parameter.Type[declared.type_name.upper()]


def _plain(value: Any) -> Any:
    """A ROS value as the declarations want it: arrays as lists of Python numbers."""
    return list(value) if hasattr(value, "__iter__") and not isinstance(value, (str, bytes)) else value


def _to_ros(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
