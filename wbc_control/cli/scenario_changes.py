"""``--change``: a scenario changed from the command line."""

from __future__ import annotations

import argparse

from wbc_control.cli.settings import parse_changes
from wbc_control.simulation.running import scenario_file
from wbc_control.simulation.scenario import Scenario, load_content, read_scenario
from wbc_control.simulation.sweep import set_path


def add_changes(parser: argparse.ArgumentParser) -> None:
    """``--change``."""
    parser.add_argument(
        "--change",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change the scenario: duration=10.0, terrain.friction=0.3, 'fault=[{t: 2.0, kind: kill, topic: imu/data}]'",
    )


def changed_scenario(name_or_path: str, changes: list[str]) -> Scenario:
    """A scenario with what ``--change`` says written into it; errors as :func:`parse_changes` and of the scenario."""
    path = scenario_file(name_or_path)
    content = load_content(path)
    if not changes or not isinstance(content, dict):
        return read_scenario(content, path.stem, str(path))
    for key, value in parse_changes(changes).items():
        set_path(content, key, value)
    return read_scenario(content, path.stem, f"{path} with {' '.join(changes)}")
