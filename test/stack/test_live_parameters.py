"""Every parameter of every node: the live ones change, the others are refused, and a refusal changes nothing."""

from __future__ import annotations

import math
from typing import Any

import pytest

from wbc_control.errors import ParameterError
from wbc_control.parameters import Declaration, StackParameters, declarations, flatten
from wbc_control.parameters.loading import NODE_FIELDS
from wbc_control.stack.live_parameters import apply_live

START = StackParameters()
ALL = [
    pytest.param(node, d, id=f"{node}.{d.name}")
    for node, field in NODE_FIELDS.items()
    for d in declarations(type(getattr(START, field)))
]
COUPLED = ("contact.lift_force", "contact.touch_force")


def another(one: Declaration) -> Any:
    """An allowed value other than the default."""
    if isinstance(one.default, bool):
        return not one.default
    if isinstance(one.default, int):
        return one.default + 1 if one.default < one.upper else one.default - 1
    if isinstance(one.default, float):
        low, high = max(one.lower, one.default - 1.0), min(one.upper, one.default + 1.0)
        return 0.5 * (one.default + (high if high > one.default else low))
    if isinstance(one.default, str):
        return next((choice for choice in one.choices if choice != one.default), f"{one.default}x")
    return one.default + one.default[:1]


@pytest.mark.parametrize(("node", "one"), ALL)
def test_live_ones_change_and_the_others_are_refused(node: str, one: Declaration) -> None:
    name, value = one.name.replace("<name>", "some_key"), another(one)
    if one.name in COUPLED:
        value = one.default * (0.9 if "lift" in one.name else 1.1)
    if one.live:
        new = apply_live(START, {f"{node}.{name}": value})
        before, after = flatten(getattr(START, NODE_FIELDS[node])), flatten(getattr(new, NODE_FIELDS[node]))
        assert after[name] == value
        assert {key: after[key] for key in before if key != name} == {k: v for k, v in before.items() if k != name}
    else:
        with pytest.raises(ParameterError, match=r"cannot change while running|whole multiple") as caught:
            apply_live(START, {f"{node}.{name}": value})
        assert caught.value.value == value


@pytest.mark.parametrize("bad", [math.nan, math.inf, 5, "stiff", True, -1.0])
@pytest.mark.parametrize("first", [True, False])
def test_one_refused_value_refuses_the_whole_change(bad: Any, first: bool) -> None:
    good = {"whole_body_qp.com.weight": 7.0}
    values = {"joint_pd_bridge.kp": bad, **good} if first else {**good, "joint_pd_bridge.kp": bad}
    with pytest.raises(ParameterError, match="'kp'"):
        apply_live(START, values)
    assert StackParameters() == START
