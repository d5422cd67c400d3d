"""Every declaration is sane, every wrong value is refused with its name, and parameters survive being written out."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from wbc_control.errors import ParameterError
from wbc_control.model.share import config_path, known_robots
from wbc_control.parameters import Declaration, StackParameters, build, changed, declarations, flatten
from wbc_control.parameters.loading import NODE_FIELDS, SHARED_CLASSES, read_parameter_file, stack_parameters
from wbc_control.parameters.robot import RobotParameters
from wbc_control.parameters.validation import coerce

CLASSES = {**SHARED_CLASSES, **{node: type(getattr(StackParameters(), name)) for node, name in NODE_FIELDS.items()}}
NAMED = {f"{node}.{d.name}": d for node, cls in CLASSES.items() for d in declarations(cls)}
ALL = [pytest.param(d, id=name) for name, d in NAMED.items()]
NUMBERS = [pytest.param(d, id=name) for name, d in NAMED.items() if isinstance(d.default, float)]
WRONG = {"bool": 1, "integer": 2.5, "double": "fast", "string": 3.0}


@pytest.mark.parametrize("one", ALL)
def test_a_declaration_has_a_sentence_and_bounds_that_hold_its_default(one: Declaration) -> None:
    assert len(one.description.split()) >= 2 or one.unit
    assert one.lower < one.upper and not one.description.endswith(".")
    assert coerce(one, one.default, "") == one.default


@pytest.mark.parametrize("one", ALL)
def test_the_wrong_type_is_refused(one: Declaration) -> None:
    kind = one.type_name.removesuffix("_array")
    value = [WRONG[kind]] if one.type_name.endswith("_array") else WRONG[kind]
    with pytest.raises(ParameterError, match=f"parameter '{re.escape(one.name)}'.*wanted"):
        coerce(one, value, "robot.yaml")


@pytest.mark.parametrize("one", NUMBERS)
def test_integers_and_non_finite_values_are_no_doubles(one: Declaration) -> None:
    with pytest.raises(ParameterError, match=r"is the integer 1, wanted a double: write 1\.0"):
        coerce(one, 1, "")
    for value in (math.nan, math.inf, -math.inf):
        with pytest.raises(ParameterError, match="wanted a finite number"):
            coerce(one, value, "")


@pytest.mark.parametrize("one", NUMBERS)
def test_bounds_belong_to_the_range_and_nothing_beyond_does(one: Declaration) -> None:
    for bound, outside in ((one.lower, -math.inf), (one.upper, math.inf)):
        if not math.isfinite(bound):
            continue
        assert coerce(one, bound, "") == bound
        with pytest.raises(ParameterError, match="outside") as caught:
            coerce(one, math.nextafter(bound, outside), "")
        assert caught.value.bound


def test_a_refusal_names_file_parameter_value_and_choices() -> None:
    with pytest.raises(ParameterError) as caught:
        build(CLASSES["whole_body_qp"], {"solver.backend": "simplex"}, "g1.yaml")
    for part in ("g1.yaml", "'solver.backend'", "'simplex'", "daqp"):
        assert part in str(caught.value)


@pytest.mark.parametrize("values", [[1.0, math.nan, 0.0], [1.0, 2, 0.0], [True, 0.0, 0.0], 1.0, "1.0"])
def test_arrays_are_judged_element_by_element(values: Any) -> None:
    with pytest.raises(ParameterError, match=r"feet\.l\.origin"):
        build(RobotParameters, {"feet.l.origin": values})


def test_booleans_are_no_numbers() -> None:
    with pytest.raises(ParameterError, match="double"):
        coerce(NAMED["joint_pd_bridge.kp"], True, "")
    with pytest.raises(ParameterError, match="integer"):
        coerce(NAMED["whole_body_qp.solver.max_iterations"], True, "")


@pytest.mark.parametrize("node", CLASSES)
def test_a_misspelt_name_is_answered_with_the_right_one(node: str) -> None:
    name = next(d.name for d in declarations(CLASSES[node]) if "<" not in d.name)
    with pytest.raises(ParameterError, match=f"unknown parameter '{name}x'; did you mean '{name}'"):
        build(CLASSES[node], {f"{name}x": 1.0})


@pytest.mark.parametrize("robot", known_robots())
def test_written_out_and_read_back_is_the_same(robot: str) -> None:
    parameters = stack_parameters(read_parameter_file(config_path(robot)))
    parts = {**{group: group for group in SHARED_CLASSES}, **NODE_FIELDS}
    for node, field in parts.items():
        part = getattr(parameters, field)
        assert build(CLASSES[node], flatten(part)) == part
        assert changed(part, {}) == part
    assert flatten(parameters.robot)["name"]
