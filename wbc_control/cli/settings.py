"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

import yaml

from wbc_control.errors import ParameterError
from wbc_control.parameters.loading import SHARED, read_parameter_file
from wbc_control.ros.graph import truth

DEFAULT_ROBOT = "g1"


def add_robot(parser: argparse.ArgumentParser) -> None:
    """``--robot`` and ``--set``."""
    parser.add_argument(
        "--robot", default=DEFAULT_ROBOT, metavar="R", help="shipped robot or parameter file (default: %(default)s)"
    )
    add_settings(parser)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """``--set``."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NODE.PARAM=VALUE",
        dest="settings",
        help="change a parameter; may be repeated",
    )


def add_params(parser: argparse.ArgumentParser) -> None:
    """``--params``."""
    parser.add_argument(
        "--params",
        action="append",
        default=[],
        metavar="FILE",
        help="ROS parameter file laid over the robot's; may be repeated",
    )


def overrides_of(args: argparse.Namespace) -> dict[str, Any]:
    """``node.parameter`` → value of ``--params`` files in their order, then of ``--set``."""
    found: dict[str, Any] = {}
    for file in args.params:
        for node, values in read_parameter_file(file).items():
            prefix = "" if node == SHARED else f"{node.lstrip('/')}."
            found.update({f"{prefix}{name}": value for name, value in values.items()})
    return found | parse_settings(args.settings)


def composition_of(word: str) -> bool:
    """``--composition`` in any spelling of a boolean.

    Raises:
        ParameterError: Not a boolean word.
    """
    try:
        return truth(word)
    except ValueError as error:
        raise ParameterError(str(error), where="--composition", value=word) from error


def parse_settings(words: Iterable[str]) -> dict[str, Any]:
    """``node.param=value`` words → name → value, each value typed as YAML types it.

    Raises:
        ParameterError: A word without ``=``, a name without node, or a value that is not YAML.
    """
    return dict(_parse(word, "node.parameter", "--set") for word in words)


def parse_changes(words: Iterable[str]) -> dict[str, Any]:
    """``key=value`` words that change a scenario → dotted key → value, typed as YAML types it.

    Raises:
        ParameterError: A word without ``=``, or a value that is not YAML.
    """
    return dict(_parse(word, "key", "--change") for word in words)


def _parse(word: str, kind: str, option: str) -> tuple[str, Any]:
    name, equals, text = word.partition("=")
    if not equals or not name or (kind != "key" and "." not in name):
        raise ParameterError(f"'{word}' is not of the form {kind}=value", where=option, value=word)
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ParameterError(f"value '{text}' of '{name}' is not valid YAML", where=option, value=text) from error
    # YAML 1.1 takes on, off, yes and no for booleans; here they are words, some of them choices of a parameter.
    is_word = isinstance(value, bool) and text.strip().lower() not in ("true", "false")
    return name.strip(), text.strip() if is_word else value
