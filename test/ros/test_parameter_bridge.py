"""ROS parameters come from the declarations and are judged together (C32)."""

from __future__ import annotations

import math

import pytest
import yaml

pytest.importorskip("rclpy", reason="needs rclpy (extra `ros`)")
import rclpy
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions

from wbc_control.errors import WbcError
from wbc_control.model.catalogue import load_robot
from wbc_control.parameters import flatten, read_parameter_file, stack_parameters
from wbc_control.ros.node import StackNode
from wbc_control.ros.parameter_file import bare_section, dump, files_on, foreign_sections

pytestmark = pytest.mark.ros

LIFT, TOUCH = "contact.lift_force", "contact.touch_force"


@pytest.fixture(scope="module")
def parameters():
    return load_robot("humanoid")


def node_from(text, path, name="contact_estimator"):
    """A node started with a parameter file."""
    path.write_text(text, encoding="utf-8")
    context = rclpy.Context()
    rclpy.init(
        context=context, args=["--ros-args", "--params-file", str(path)], signal_handler_options=SignalHandlerOptions.NO
    )
    try:
        return context, StackNode(name, context)
    except WbcError:
        context.try_shutdown()  # else the refused node haunts the graph of later tests
        raise


@pytest.fixture
def node(parameters, tmp_path):
    context, node = node_from(dump(parameters), tmp_path / "p.yaml")
    yield node
    node.destroy_node()
    context.try_shutdown()


def refusal(parameters, tmp_path, section, name, value):
    """The sentence with which a node refuses a value in its file."""
    text = dump(parameters).replace(
        f"\n{section}:\n  ros__parameters:\n", f"\n{section}:\n  ros__parameters:\n    {name}: {value}\n", 1
    )
    assert f"{name}: {value}" in text
    lines = [
        line for line in text.splitlines() if not (line.startswith(f"    {name}: ") and line != f"    {name}: {value}")
    ]
    with pytest.raises(WbcError) as refused:
        node_from("\n".join(lines), tmp_path / "bad.yaml")
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_dump_loads_back(parameters, tmp_path):
    path = tmp_path / "dump.yaml"
    path.write_text(dump(parameters), encoding="utf-8")
    assert stack_parameters(read_parameter_file(path)) == parameters


def test_node_reads_what_was_dumped(node, parameters):
    assert node.parameters.robot == parameters.robot
    assert node.parameters.estimator == parameters.estimator
    assert node.parameters.middleware == parameters.middleware


def test_every_parameter_is_declared_with_its_sentence(node, parameters):
    for name, value in flatten(parameters.estimator).items():
        if value != ():
            found = node.get_parameter(name).value
            assert (tuple(found) if isinstance(value, tuple) else found) == value
            assert node.describe_parameter(name).description


def test_descriptor_carries_range_unit_and_liveness(node):
    live, fixed = node.describe_parameter(TOUCH), node.describe_parameter("rate")
    assert (live.floating_point_range[0].from_value, live.floating_point_range[0].to_value) == (0.0, 1.0)
    assert not live.read_only and fixed.read_only and "[Hz]" in fixed.description
    assert node.describe_parameter("robot.name").read_only


def test_lift_above_touch_is_refused_alone_and_accepted_together(node):
    before = node.parameters
    alone = node.set_parameters([Parameter(LIFT, value=0.5)])[0]
    assert not alone.successful and "0.5" in alone.reason and TOUCH in alone.reason
    assert node.parameters is before
    both = node.set_parameters_atomically([Parameter(LIFT, value=0.5), Parameter(TOUCH, value=0.6)])
    assert both.successful
    assert (node.parameters.estimator.contact.lift_force, node.parameters.estimator.contact.touch_force) == (0.5, 0.6)


def test_atomic_set_is_all_or_nothing(node):
    before = node.parameters
    result = node.set_parameters_atomically([Parameter(TOUCH, value=0.5), Parameter(LIFT, value=0.9)])
    assert not result.successful and node.parameters is before
    assert node.get_parameter(TOUCH).value == before.estimator.contact.touch_force


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, 7.0])
def test_numbers_out_of_bounds_are_refused_with_a_reason(node, value):
    result = node.set_parameters([Parameter(TOUCH, value=value)])[0]
    assert not result.successful and result.reason


def test_an_integer_for_a_double_is_refused_with_a_reason(node):
    result = node.set_parameters([Parameter(TOUCH, value=1)])[0]
    assert not result.successful and result.reason


@pytest.mark.parametrize(("name", "value"), [("rate", 500.0), ("robot.name", "other"), ("middleware.autostart", False)])
def test_structure_is_read_only(node, name, value):
    result = node.set_parameters([Parameter(name, value=value)])[0]
    assert not result.successful and "read" in result.reason


def test_a_change_swaps_one_snapshot(node):
    before = node.parameters
    assert node.set_parameters([Parameter(TOUCH, value=0.2)])[0].successful
    assert node.parameters is not before and before.estimator.contact.touch_force != 0.2
    assert node.parameters.robot is before.robot


def test_integer_for_a_double_in_a_file_says_what_to_write(parameters, tmp_path):
    assert "write 1.0" in refusal(parameters, tmp_path, "contact_estimator", TOUCH, "1")


def test_nan_in_a_file_is_refused(parameters, tmp_path):
    assert "finite" in refusal(parameters, tmp_path, "contact_estimator", TOUCH, ".nan")


def test_wrong_array_length_in_a_file_is_refused(parameters, tmp_path):
    text = dump(parameters)
    line = next(line for line in text.splitlines() if ".origin:" in line)
    start = text.index(line)
    broken = text[:start] + line + "\n    - 0.0" + text[start + len(line) :]
    with pytest.raises(WbcError) as refused:
        node_from(broken, tmp_path / "bad.yaml")
    assert "origin" in str(refused.value)


def test_unknown_parameter_in_a_file_suggests_the_known_one(parameters, tmp_path):
    text = dump(parameters).replace(TOUCH, "contact.touch_forse")
    with pytest.raises(WbcError, match=r"did you mean 'contact.touch_force'"):
        node_from(text, tmp_path / "bad.yaml")


def test_a_section_that_names_no_node_is_found(parameters, tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(
        "contact_estimater:\n  ros__parameters: {rate: 500.0}\n/ns/whole_body_qp:\n  ros__parameters: {rate: 1000.0}\n"
    )
    assert foreign_sections([str(path)]) == [(str(path), "contact_estimater")]
    assert files_on(["--ros-args", "--params-file", str(path), "-r", "a:=b"]) == [str(path)]
    assert bare_section([str(path)], "whole_body_qp") == {}


def dumped_by_ros(node) -> str:
    """What ``ros2 param dump`` writes: every parameter of the node, nested at the dots, under its full name."""
    tree: dict = {}
    for name, parameter in sorted(node.get_parameters_by_prefix("").items()):
        branch = tree
        *groups, leaf = name.split(".")
        for group in groups:
            branch = branch.setdefault(group, {})
        value = parameter.value
        branch[leaf] = list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else value
    return yaml.dump({node.get_fully_qualified_name(): {"ros__parameters": tree}})


def test_what_ros2_param_dump_writes_loads_back(node, tmp_path):
    assert node.set_parameters([Parameter(TOUCH, value=0.2)])[0].successful
    text = dumped_by_ros(node)
    context, again = node_from(text, tmp_path / "dumped.yaml")
    try:
        assert again.parameters == node.parameters
    finally:
        again.destroy_node()
        context.try_shutdown()
    sections = read_parameter_file(tmp_path / "dumped.yaml")
    assert "contact_estimator" in {name.lstrip("/") for name in sections}


def test_dump_for_a_namespace_names_it(parameters, tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(dump(parameters, "one"), encoding="utf-8")
    assert "/one/whole_body_qp" in read_parameter_file(path)
