"""Entry point of ``wbc``: finds the verb, runs it, turns errors into one line and an exit code.

A verb is a module with ``SUMMARY: str``, ``add_arguments(parser)`` and ``run(args) -> int``.  Only the chosen verb is
imported, so that ``wbc --help`` needs neither a simulator nor ROS.

Exit codes: 0 success, 1 the verb failed (the robot fell, a check did not pass, bad input found while running), 2 wrong
usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from wbc_control.errors import WbcError

VERBS: dict[str, tuple[str, str]] = {
    "up": ("wbc_control.cli.up", "start the nodes and a simulated robot, with a live status line"),
    "simulate": ("wbc_control.cli.simulate", "run a scenario to its end and report"),
    "check": ("wbc_control.cli.check", "look a robot's model, soles, sensors and gains over before it moves"),
    "calibrate": ("wbc_control.cli.calibrate", "find sign, bias and thresholds of the foot sensors"),
    "benchmark": ("wbc_control.cli.benchmark", "measure the latency of one control tick, stage by stage"),
    "report": ("wbc_control.cli.report", "turn a recording into one page of plots"),
    "sweep": ("wbc_control.cli.sweep", "many randomised runs, success rate with its confidence interval"),
}
"""Verb → its module and one line for the help; the order is that of the help."""

INTERRUPTED, FAILED, WRONG_USAGE = 130, 1, 2
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``wbc`` with ``arguments`` (those of the process by default); the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for variable in _ONE_THREAD:  # matrices here are small: more BLAS threads only add jitter
        os.environ.setdefault(variable, "1")
    try:
        return _dispatch(words)
    except WbcError as error:
        print(f"wbc: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("wbc: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return FAILED


def _dispatch(words: list[str]) -> int:
    overview = _overview()
    if not words or words[0] not in VERBS:
        overview.parse_args(words or ["--help"])
        return WRONG_USAGE
    verb = words[0]
    module = _load(verb)
    parser = argparse.ArgumentParser(prog=f"wbc {verb}", description=module.SUMMARY)
    module.add_arguments(parser)
    return int(module.run(parser.parse_args(words[1:])))


def _overview() -> argparse.ArgumentParser:
    """The parser of ``wbc`` itself: help, version, and the list of verbs."""
    lines = "\n".join(f"  {verb:<11}{summary}" for verb, (_, summary) in VERBS.items())
    parser = argparse.ArgumentParser(
        prog="wbc",
        description="Whole-body control of legged robots.",
        epilog=f"verbs:\n{lines}\n\n`wbc VERB --help` explains one of them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"wbc {_version()}")
    parser.add_argument("verb", choices=tuple(VERBS), metavar="VERB", help="what to do; see below")
    return parser


def _version() -> str:
    try:
        return importlib.metadata.version("wbc_control")
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def _load(verb: str) -> ModuleType:
    """The verb's module.

    Raises:
        WbcError: Something it needs is not installed; names it and the extra that brings it.
    """
    try:
        return importlib.import_module(VERBS[verb][0])
    except ModuleNotFoundError as error:
        raise WbcError(
            f"needs the Python module '{error.name}'{_hint(error.name or '')}", where=f"wbc {verb}"
        ) from error


def _hint(module: str) -> str:
    extras = {"mujoco": "sim", "rclpy": "ros"}
    extra = extras.get(module.split(".")[0])
    return f": pip install 'wbc_control[{extra}]'" if extra else ""


if __name__ == "__main__":
    sys.exit(main())
