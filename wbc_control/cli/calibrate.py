"""``wbc calibrate``: sign, bias and thresholds of the foot sensors, written to a parameter file."""

from __future__ import annotations

import argparse
from pathlib import Path

from wbc_control.cli.progress import Progress
from wbc_control.cli.scenario_changes import add_changes, changed_scenario
from wbc_control.cli.settings import add_params, add_robot, overrides_of
from wbc_control.errors import DomainError
from wbc_control.estimation.calibration import FootCalibration, write_parameters

SUMMARY = (
    "Find sign, bias, noise and thresholds of every foot sensor: a crane lifts the robot so that every foot hangs free, "
    "each joint is moved a little to see that it answers to its name, then the robot stands. Runs in simulation, with the "
    "noise and the faults of a scenario. The result is a parameter file for --params."
)

_NAMED = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    add_robot(parser)
    add_params(parser)
    add_changes(parser)
    parser.add_argument(
        "--scenario", default="stand", metavar="S", help="noise, faults and start (default: %(default)s)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("calibration.yaml"), metavar="FILE", help="result (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Calibrate, print and write.

    Raises:
        DomainError: A joint does not answer to its name; nothing is written then.
    """
    from wbc_control.simulation.calibration_run import run_calibration

    overrides = overrides_of(args)
    progress = Progress(f"calibrate {args.robot}", 15.0)
    try:
        result = run_calibration(args.robot, changed_scenario(args.scenario, args.change), overrides, progress.update)
    finally:
        progress.close()
    if result.causes:
        raise DomainError(_in_short(result.causes), where=f"calibration of {args.robot}", value=result.causes)
    print("\n".join(line(foot) for foot in result.feet))
    write_parameters(args.out, result.feet)
    print(f"written to {args.out}; use it with --params {args.out}")
    return 0


def _in_short(causes: list[str]) -> str:
    more = f"; and {len(causes) - _NAMED} more" if len(causes) > _NAMED else ""
    return "; ".join(causes[:_NAMED]) + more


def line(foot: FootCalibration) -> str:
    """One foot for a person."""
    force = ", ".join(f"{x:.1f}" for x in foot.bias[:3])
    shares = f"touch {100 * foot.touch_share:.1f} %, lift {100 * foot.lift_share:.1f} % of weight"
    return f"{foot.name}: sign {foot.sign:+g}, bias [{force}] N, noise {foot.noise:.2f} N, {shares}"
