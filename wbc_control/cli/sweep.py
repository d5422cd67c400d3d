"""``wbc sweep``: how often does it work?"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from wbc_control.cli.progress import Progress
from wbc_control.cli.settings import add_robot, parse_settings
from wbc_control.errors import ScenarioError
from wbc_control.simulation.report import plain, write_json
from wbc_control.simulation.running import find_scenario, scenario_file
from wbc_control.simulation.scenario import load_content
from wbc_control.simulation.sweep import make_trials, parse_variation, run_trials, summarise

SUMMARY = "Run a scenario many times, each time varied and with a new seed; success rate with its 95 % interval."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("scenario", metavar="SCENARIO", help="shipped scenario or the path of a .yaml file")
    add_robot(parser)
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="KEY=A:B[:N]",
        help="scenario key (terrain.friction, push.0.impulse.1) or node.parameter; N values, or one draw a trial",
    )
    parser.add_argument("--trials", type=int, default=10, help="runs at every point of the grid (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results as JSON")


def run(args: argparse.Namespace) -> int:
    """Run all trials; 0 unless none succeeded."""
    for name, value in (("--trials", args.trials), ("--jobs", args.jobs)):
        if value < 1:
            raise ScenarioError(f"is {value}, wanted at least 1", where=name, value=value, bound=1)
    scenario = find_scenario(args.scenario)
    content = load_content(scenario_file(args.scenario))
    variations = [parse_variation(word) for word in args.vary]
    trials = make_trials(args.robot, scenario.name, content, parse_settings(args.settings), variations, args.trials)
    progress, results = Progress(f"sweep {scenario.name}", len(trials)), []
    for result in run_trials(trials, min(args.jobs, len(trials))):
        results.append(result)
        progress.update(len(results))
    progress.close()
    summary = plain({"robot": args.robot, "scenario": scenario.name, **summarise(results)})
    if args.json:
        write_json(summary, args.json)
    print(table(summary))
    return 0 if summary["successes"] else 1


def table(summary: dict[str, Any]) -> str:
    """The result for a person."""
    lines = [f"{summary['robot']}, {summary['scenario']}: {_rate(summary)}"]
    lines += [f"  {row['point']:<40} {_rate(row)}" for row in summary["points"] if row["point"]]
    errors = sorted({trial["error"] for trial in summary["trials"] if trial.get("error")})
    return "\n".join(lines + [f"  error: {error}" for error in errors])


def _rate(row: dict[str, Any]) -> str:
    interval = f"95 % interval {100 * row['low']:.0f}..{100 * row['high']:.0f} %"
    return f"{row['successes']} of {row['n']} ({100 * row['rate']:.0f} %, {interval})"
