"""Changes live parameters of a running stack, all or none."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from wbc_control.errors import ParameterError
from wbc_control.parameters import StackParameters, changed, declarations
from wbc_control.parameters.loading import NODE_FIELDS, check_consistency


def apply_live(parameters: StackParameters, values: Mapping[str, Any]) -> StackParameters:
    """The parameters with ``node.parameter`` → value applied.

    Raises:
        ParameterError: Unknown node or parameter, read-only, refused by its declaration, or in conflict.
    """
    by_node: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        node, _, parameter = name.partition(".")
        if node not in NODE_FIELDS:
            known = ", ".join(NODE_FIELDS)
            raise ParameterError(f"'{node}' is no node with live parameters ({known})", value=name, bound=known)
        by_node.setdefault(node, {})[parameter] = value
    for node, own in by_node.items():
        field = NODE_FIELDS[node]
        current = getattr(parameters, field)
        new = changed(current, own, node)
        refuse_read_only(type(current), own, node)
        parameters = dataclasses.replace(parameters, **{field: new})
    check_consistency(parameters)
    return parameters


def refuse_read_only(cls: type, values: Mapping[str, Any], where: str) -> None:
    """Refuse names whose declaration is not live.

    Raises:
        ParameterError: Names the first of them.
    """
    for declared in declarations(cls):
        pattern = re.escape(declared.name).replace("<name>", r"[^.]+")
        frozen = [name for name in values if not declared.live and re.fullmatch(pattern, name)]
        if frozen:
            message = "cannot change while running: it decides the structure; set it in the parameter file and restart"
            raise ParameterError(message, where=f"{where}, parameter '{frozen[0]}'", value=values[frozen[0]])
