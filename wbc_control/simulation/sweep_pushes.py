"""Pushes from all sides at a robot, sized by what a standing pendulum could take: trials, and the table of their result."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbc_control.errors import ScenarioError
from wbc_control.simulation.metrics.truth import TrueKinematics
from wbc_control.simulation.pushes import lipm_zero_step_limit
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario
from wbc_control.simulation.sweep import Trial, Variation, make_trials, success_rate

Array = NDArray[np.float64]

_STANDS_AFTER_S = 2.5
"""Time after which a robot that starts in its standing posture has come to rest over its feet, s."""


def parse_ratios(text: str) -> tuple[float, ...]:
    """``0.5,1,2`` as rising positive numbers.

    Raises:
        ScenarioError: Anything else.
    """
    try:
        ratios = tuple(sorted({float(part) for part in text.split(",")}))
    except ValueError:
        ratios = ()
    if not ratios or not all(0.0 < ratio < math.inf for ratio in ratios):
        raise ScenarioError(f"'{text}' is not a list of positive numbers like 0.5,1,2", where="--ratios", value=text)
    return ratios


def zero_step_limits(
    robot: str, content: Mapping[str, Any], overrides: Mapping[str, Any], directions_rad: Array
) -> list[float]:
    """m·ω·d of the standing robot, N·s, for each direction (k,) in world, rad.

    The robot is brought to rest in the scenario's world, without its commands and pushes, so that d runs from where the
    centre of mass really is to the border of the support of the soles that really touch.
    """
    still = {key: value for key, value in content.items() if key not in ("command", "push", "fault", "set")}
    run = prepare(robot, read_scenario({**still, "duration": _STANDS_AFTER_S}, "stand"), overrides)
    run.loop.run()
    truth, kinematics = run.loop.backend.ground_truth(), TrueKinematics(run.model)
    run.backend.close()
    kinematics.update(truth)
    corners = np.vstack([kinematics.corners_of(truth, foot) for foot in range(len(run.model.feet))])
    height = run.loop.ground.height(float(truth.q[0]), float(truth.q[1]))
    ways = [np.array([math.cos(angle), math.sin(angle)]) for angle in directions_rad.tolist()]
    return [lipm_zero_step_limit(run.model.mass, kinematics.com, height, corners, way) for way in ways]


def push_trials(
    robot: str,
    name: str,
    content: Mapping[str, Any],
    overrides: Mapping[str, Any],
    variations: Sequence[Variation],
    per_point: int,
    directions: int,
    ratios: Sequence[float],
) -> list[Trial]:
    """Trials of the scenario's one push, from ``directions`` sides and at every ratio of the zero-step limit.

    Raises:
        ScenarioError: The scenario has not exactly one push.
    """
    if len(content.get("push", [])) != 1:
        message = f"has {len(content.get('push', []))} pushes; wanted one, whose impulse the sweep sets"
        raise ScenarioError(message, where=f"scenario '{name}', 'push'", value=content.get("push"), bound=1)
    angles = 2.0 * math.pi * np.arange(directions) / directions
    limits = zero_step_limits(robot, content, overrides, angles)
    trials: list[Trial] = []
    for angle, limit in zip(angles.tolist(), limits):
        for ratio in ratios:
            size = ratio * limit
            pushed = copy.deepcopy(dict(content))
            pushed["push"][0]["impulse"] = [size * math.cos(angle), size * math.sin(angle), 0.0]
            pushed["seed"] = int(content.get("seed", 0)) + len(trials)
            case = {"direction_deg": round(math.degrees(angle), 6), "ratio": ratio, "limit_ns": limit}
            trials += [_labelled(t, case) for t in make_trials(robot, name, pushed, overrides, variations, per_point)]
    return trials


def _labelled(trial: Trial, case: Mapping[str, float]) -> Trial:
    return dataclasses.replace(trial, values={**case, **trial.values}, point={**case, **trial.point})


def push_table(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row a direction: its limit, successes at each ratio, and the largest ratio up to which all trials stood."""
    sides: dict[float, list[Mapping[str, Any]]] = {}
    for result in results:
        sides.setdefault(result["values"]["direction_deg"], []).append(result)
    return [_row(direction, group) for direction, group in sorted(sides.items())]


def _row(direction: float, group: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    ratios = sorted({result["values"]["ratio"] for result in group})
    rates = {r: success_rate(t["success"] for t in group if t["values"]["ratio"] == r) for r in ratios}
    survived = 0.0
    for ratio in ratios:
        if rates[ratio]["successes"] < rates[ratio]["n"]:
            break
        survived = ratio
    cells = [{"ratio": ratio, "n": rates[ratio]["n"], "successes": rates[ratio]["successes"]} for ratio in ratios]
    return {
        "direction_deg": direction,
        "limit_ns": group[0]["values"]["limit_ns"],
        "survived_ratio": survived,
        "ratios": cells,
    }


def format_push_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table for a person."""
    ratios = [cell["ratio"] for cell in rows[0]["ratios"]]
    head = "direction, deg   limit, N·s   " + "".join(f"{ratio:>9.2f}" for ratio in ratios) + "   stood up to"
    lines = [head]
    for row in rows:
        cells = "".join(f"{cell['successes']} of {cell['n']}".rjust(9) for cell in row["ratios"])
        lines.append(f"{row['direction_deg']:>14.0f} {row['limit_ns']:>12.1f}   {cells} {row['survived_ratio']:>13.2f}")
    worst = min(row["survived_ratio"] for row in rows)
    return "\n".join([*lines, f"all directions stood up to {worst:.2f} of the zero-step limit"])
