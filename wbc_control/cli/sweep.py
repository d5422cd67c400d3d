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
from wbc_control.simulation.sweep import Trial, make_trials, parse_variation, run_trials, summarise
from wbc_control.simulation.sweep_picture import draw_polar
from wbc_control.simulation.sweep_pushes import format_push_table, parse_ratios, push_table, push_trials

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
    parser.add_argument(
        "--directions", type=int, metavar="N", help="push from N sides: sets the impulse of the scenario's one push"
    )
    parser.add_argument(
        "--ratios",
        default="0.95",
        metavar="A,B,...",
        help="with --directions: impulses over the pendulum's zero-step limit m·ω·d (default: %(default)s)",
    )
    parser.add_argument("--polar", type=Path, metavar="FILE", help="with --directions: polar diagram (PNG, PDF, SVG)")


def run(args: argparse.Namespace) -> int:
    """Run all trials; 0 unless none succeeded."""
    _check(args)
    scenario = find_scenario(args.scenario)
    trials = _trials(args, scenario.name)
    progress, results = Progress(f"sweep {scenario.name}", len(trials)), []
    for result in run_trials(trials, min(args.jobs, len(trials))):
        results.append(result)
        progress.update(len(results))
    progress.close()
    summary = plain({"robot": args.robot, "scenario": scenario.name, **summarise(results)})
    if args.directions:
        summary["pushes"] = push_table(results)
    if args.json:
        write_json(summary, args.json)
    if args.polar:
        draw_polar(summary["pushes"], f"{args.robot}, {scenario.name}", args.polar)
    print(table(summary))
    return 0 if summary["successes"] else 1


def _check(args: argparse.Namespace) -> None:
    for name, value in (("--trials", args.trials), ("--jobs", args.jobs), ("--directions", args.directions)):
        if value is not None and value < 1:
            raise ScenarioError(f"is {value}, wanted at least 1", where=name, value=value, bound=1)
    if args.polar and not args.directions:
        raise ScenarioError("needs --directions N: only pushes from all sides have a polar diagram", where="--polar")


def _trials(args: argparse.Namespace, name: str) -> list[Trial]:
    content, overrides = load_content(scenario_file(args.scenario)), parse_settings(args.settings)
    variations = [parse_variation(word) for word in args.vary]
    if not args.directions:
        return make_trials(args.robot, name, content, overrides, variations, args.trials)
    ratios = parse_ratios(args.ratios)
    return push_trials(args.robot, name, content, overrides, variations, args.trials, args.directions, ratios)


def table(summary: dict[str, Any]) -> str:
    """The result for a person."""
    lines = [f"{summary['robot']}, {summary['scenario']}: {_rate(summary)}"]
    if "pushes" in summary:
        lines.append(format_push_table(summary["pushes"]))
    else:
        lines += [f"  {row['point']:<40} {_rate(row)}" for row in summary["points"] if row["point"]]
    errors = sorted({trial["error"] for trial in summary["trials"] if trial.get("error")})
    return "\n".join(lines + [f"  error: {error}" for error in errors])


def _rate(row: dict[str, Any]) -> str:
    interval = f"95 % interval {100 * row['low']:.0f}..{100 * row['high']:.0f} %"
    return f"{row['successes']} of {row['n']} ({100 * row['rate']:.0f} %, {interval})"
