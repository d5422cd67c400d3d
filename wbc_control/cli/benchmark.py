"""``wbc benchmark``: how long one control tick takes, stage by stage."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from wbc_control.cli.peers.problem import CLOCKS
from wbc_control.cli.peers.process import PEERS
from wbc_control.cli.progress import Progress
from wbc_control.cli.settings import DEFAULT_ROBOT, add_settings, composition_of, parse_settings
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
    add_settings(parser)
    parser.add_argument("--ros", action="store_true", help="also the round trip through the nodes, next to a bare echo")
    parser.add_argument(
        "--composition",
        default="true",
        metavar="true|false",
        help="with --ros: estimator, QP and bridge in one process",
    )
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        choices=tuple(PEERS),
        help="also our controller next to this one on one problem (of the G1), in alternating blocks; may be repeated",
    )
    parser.add_argument(
        "--peer-python",
        action="append",
        default=[],
        metavar="[PEER=]PATH",
        help="interpreter that has the peer installed (default: this one); may be repeated",
    )
    parser.add_argument(
        "--clock",
        default="wall",
        choices=tuple(CLOCKS),
        help="of --peer: cpu leaves out what other processes take (default: %(default)s)",
    )
    parser.add_argument(
        "--scaling", action="store_true", help="also the controller's tick over joints, contacts and friction facets"
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
        peers = _measure_peers(robot, args, settings) if args.peer else {}
        progress = Progress(f"benchmark {robot}", WARM_UP_STEPS + args.steps)
        results.append(plain(measure(robot, args.steps, settings, progress.update)))
        progress.close()
        if args.ros:
            results[-1]["ros"] = plain(_measure_ros(robot, args, settings))
        results[-1] |= plain(peers)
        print(table(results[-1]))
    if args.scaling:
        results[0]["scaling"] = plain(_measure_scaling(args.steps))
        print(scaling_table(results[0]["scaling"]))
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


def _measure_peers(robot: str, args: argparse.Namespace, settings: dict[str, Any]) -> dict[str, Any]:
    """Our tick next to the peers'."""
    from wbc_control.cli.peers.comparison import compare

    progress = Progress(f"benchmark {robot} --peer {' '.join(args.peer)}", args.steps)
    try:
        pythons = peer_pythons(args.peer_python)
        return compare(robot, args.peer, pythons, args.steps, settings, progress.update, args.clock)
    finally:
        progress.close()


def peer_pythons(words: list[str]) -> dict[str, str]:
    """Peer → interpreter, from words ``PATH`` (for all) or ``PEER=PATH``."""
    found = dict.fromkeys(PEERS, sys.executable)
    for word in words:
        peer, equals, path = word.partition("=")
        found |= {peer: path} if equals and peer in PEERS else dict.fromkeys(PEERS, word)
    return found


def _measure_scaling(steps: int) -> list[dict[str, Any]]:
    """Controller's tick over joints, contacts and facets."""
    from wbc_control.simulation.benchmark_scaling import CASES, measure_scaling

    progress = Progress("benchmark --scaling", len(CASES))
    try:
        return measure_scaling(steps, progress.update)
    finally:
        progress.close()


def scaling_table(rows: list[dict[str, Any]]) -> str:
    """Rows of the scaling for a person."""
    names = ("joints", "contacts", "facets", "variables", "equalities", "rows", "p10", "p50", "p99")
    lines = ["scaling of the controller's tick, us", f"  {'robot':<12}" + "".join(f"{name:>11}" for name in names)]
    for row in rows:
        cells = "".join(f"{row[name]:>11}" for name in names[:6]) + "".join(f"{row[name]:11.1f}" for name in names[6:])
        lines.append(f"  {row['robot']:<12}{cells}")
    return "\n".join(lines)


def table(result: dict[str, Any]) -> str:
    """The result for a person."""
    lines = [f"{result['robot']}: {result['steps']} ticks, {result['threads']} thread, us"]
    lines.append(f"  {'':<12}" + "".join(f"{name:>9}" for name in result["tick_us"]))
    for name, row in {"tick": result["tick_us"], **result["stages_us"]}.items():
        lines.append(f"  {name:<12}" + "".join(f"{value:9.1f}" for value in row.values()))
    if "peers" in result:
        from wbc_control.cli.peers.comparison import table as peers_table

        lines.append(peers_table(result))
    for name, row in result.get("ros", {}).items():
        if name.endswith("_us") and row:
            lines.append(f"  {'ros ' + name[:-3]:<20}" + "".join(f"{value:9.1f}" for value in row.values()))
    if "ros" in result:
        lines.append("  no command in time  {missed} of {periods} periods, echo {echo_missed}".format(**result["ros"]))
    return "\n".join(lines)
