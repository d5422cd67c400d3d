"""``wbc benchmark``: how long one control tick takes, stage by stage."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from wbc_control.cli.progress import Progress
from wbc_control.cli.settings import DEFAULT_ROBOT, composition_of, parse_settings
from wbc_control.simulation.report import plain, write_json

SUMMARY = (
    "Measure the latency of one control tick, sensors in to torques out, estimator and PD included. A robot sways in "
    "simulation; a fresh stack is then fed the same sensor samples and timed."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument(
        "--robot",
        nargs="+",
        default=[DEFAULT_ROBOT],
        metavar="R",
        help="shipped robots or parameter files (default: %(default)s)",
    )
    parser.add_argument("--steps", type=int, default=3000, help="ticks to measure (default: %(default)s)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NODE.PARAM=VALUE",
        dest="settings",
        help="change a parameter; may be repeated",
    )
    parser.add_argument("--ros", action="store_true", help="also the round trip through the nodes, next to a bare echo")
    parser.add_argument(
        "--composition", default="true", metavar="true|false", help="with --ros: estimator, QP and bridge in one process"
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write the result as JSON; a list where there are several robots"
    )


def run(args: argparse.Namespace) -> int:
    """Measure every robot in turn."""
    from wbc_control.simulation.benchmark import WARM_UP_STEPS, measure

    settings = parse_settings(args.settings)
    results: list[dict[str, Any]] = []
    for robot in args.robot:
        progress = Progress(f"benchmark {robot}", WARM_UP_STEPS + args.steps)
        results.append(plain(measure(robot, args.steps, settings, progress.update)))
        progress.close()
        if args.ros:
            results[-1]["ros"] = plain(_measure_ros(robot, args, settings))
        print(table(results[-1]))
    if args.json:
        write_json(results[0] if len(results) == 1 else results, args.json)
    return 0


def _measure_ros(robot: str, args: argparse.Namespace, settings: dict[str, Any]) -> dict[str, Any]:
    """Round trip through the nodes."""
    from wbc_control.nodes.ros_benchmark import measure_ros

    progress = Progress(f"benchmark {robot} --ros", 2 * args.steps)
    try:
        return measure_ros(robot, args.steps, settings, composition_of(args.composition), progress.update)
    finally:
        progress.close()


def table(result: dict[str, Any]) -> str:
    """The result for a person."""
    lines = [f"{result['robot']}: {result['steps']} ticks, {result['threads']} thread, us"]
    lines.append(f"  {'':<12}" + "".join(f"{name:>9}" for name in result["tick_us"]))
    for name, row in {"tick": result["tick_us"], **result["stages_us"]}.items():
        lines.append(f"  {name:<12}" + "".join(f"{value:9.1f}" for value in row.values()))
    for name, row in result.get("ros", {}).items():
        if name.endswith("_us") and row:
            lines.append(f"  {'ros ' + name[:-3]:<20}" + "".join(f"{value:9.1f}" for value in row.values()))
    if "ros" in result:
        lines.append("  no command in time  {missed} of {periods} periods, echo {echo_missed}".format(**result["ros"]))
    return "\n".join(lines)
