"""``wbc check``: the first hour with a robot of one's own, before anything moves."""

from __future__ import annotations

import argparse
from pathlib import Path

from wbc_control.cli.settings import add_params, add_settings, overrides_of
from wbc_control.parameters import StackParameters

SUMMARY = (
    "Look a robot over from its description and parameters: inertias, limits, frames, standing posture, soles, sensors, "
    "gains. Nothing moves and nothing is simulated. Exit code 1 if there is an error; warnings alone pass."
)

_DESCRIPTIONS = (".urdf", ".xacro")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument(
        "robot", metavar="ROBOT", help="a URDF or xacro, a parameter file (.yaml), or a shipped robot's name"
    )
    add_params(parser)
    add_settings(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings as JSON")


def run(args: argparse.Namespace) -> int:
    """Print every finding; 1 if one of them is an error."""
    from wbc_control.checking import Level, look_over
    from wbc_control.simulation.report import write_json

    findings = look_over(parameters_of(args))
    for found in findings:
        print(f"{found.level.value:<8}{found.subject:<9}{found.text}")
    errors = sum(found.level is Level.ERROR for found in findings)
    warnings = sum(found.level is Level.WARNING for found in findings)
    print(f"{args.robot}: {errors} errors, {warnings} warnings")
    if args.json:
        rows = [{"level": f.level.name.lower(), "subject": f.subject, "text": f.text} for f in findings]
        write_json({"robot": args.robot, "errors": errors, "warnings": warnings, "findings": rows}, args.json)
    return 1 if errors else 0


def parameters_of(args: argparse.Namespace) -> StackParameters:
    """Parameters of the robot; those of a bare description are all defaults but its path."""
    from wbc_control.model import load_robot
    from wbc_control.parameters import stack_parameters

    overrides = overrides_of(args)
    if not args.robot.endswith(_DESCRIPTIONS):
        return load_robot(args.robot, overrides)
    path = args.robot if args.robot.startswith("package://") else str(Path(args.robot).absolute())
    own = {"/**": {"robot.name": Path(args.robot).stem, "robot.urdf": path}}
    return stack_parameters(own, args.robot, overrides)
