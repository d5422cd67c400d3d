"""Many randomised runs of one scenario on all cores, and how sure their success rate is."""

from __future__ import annotations

import copy
import itertools
import math
import multiprocessing
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wbc_control.errors import ScenarioError, WbcError
from wbc_control.parameters.loading import NODE_FIELDS
from wbc_control.simulation.running import prepare
from wbc_control.simulation.scenario import read_scenario

_PARAMETER_ROOTS = (*NODE_FIELDS, "simulation", "robot")
_CONFIDENCE_95 = 1.959963984540054


@dataclass(frozen=True)
class Variation:
    """One varied quantity.

    Attributes:
        key: Dotted path in the scenario (``terrain.friction``, ``push.0.impulse.1``) or ``node.parameter``.
        low: First value.
        high: Last value.
        count: Number of grid values, or None to draw uniformly for every trial.
    """

    key: str
    low: float
    high: float
    count: int | None

    @property
    def grid(self) -> list[float | None]:
        """Grid values, or a single None where each trial draws its own."""
        return [None] if self.count is None else np.linspace(self.low, self.high, self.count).tolist()


def parse_variation(word: str) -> Variation:
    """``key=a:b:n`` is n values from a to b, ``key=a:b`` a uniform draw, ``key=a`` a constant.

    Raises:
        ScenarioError: Anything else.
    """
    key, equals, text = word.partition("=")
    try:
        numbers = [float(part) for part in text.split(":")]
    except ValueError:
        numbers = []
    whole = len(numbers) < 3 or (len(numbers) == 3 and numbers[2].is_integer() and numbers[2] >= 1)
    if not key or not equals or not numbers or not whole or not all(map(math.isfinite, numbers)):
        raise ScenarioError(f"'{word}' is not of the form key=a:b:n, key=a:b or key=a", where="--vary", value=word)
    count = int(numbers[2]) if len(numbers) == 3 else (1 if len(numbers) == 1 else None)
    return Variation(key, numbers[0], numbers[min(1, len(numbers) - 1)], count)


@dataclass(frozen=True)
class Trial:
    """One run to make: everything a worker process needs.

    Attributes:
        robot: Name or parameter file.
        name: Of the scenario.
        content: Scenario as parsed YAML, variations applied.
        overrides: Parameters, variations applied.
        values: What was varied, for the result.
        point: Grid values alone, which trials of one point share.
    """

    robot: str
    name: str
    content: dict[str, Any]
    overrides: dict[str, Any]
    values: dict[str, float]
    point: dict[str, float] = field(default_factory=dict)


def make_trials(
    robot: str,
    name: str,
    content: Mapping[str, Any],
    overrides: Mapping[str, Any],
    variations: Sequence[Variation],
    per_point: int,
) -> list[Trial]:
    """``per_point`` trials with seeds of their own at every point of the grid that the variations span.

    Raises:
        ScenarioError: A key leads nowhere in the scenario.
    """
    generator = np.random.default_rng(int(content.get("seed", 0)))
    trials: list[Trial] = []
    for grid in itertools.product(*(variation.grid for variation in variations)):
        point = {v.key: value for v, value in zip(variations, grid) if value is not None}
        for _ in range(per_point):
            drawn = {v.key: float(generator.uniform(v.low, v.high)) for v in variations if v.count is None}
            values = {v.key: point.get(v.key, drawn.get(v.key, 0.0)) for v in variations}
            trials.append(
                _trial(robot, name, content, overrides, values, point, seed=len(trials) + int(content.get("seed", 0)))
            )
    return trials


def _trial(
    robot: str,
    name: str,
    content: Mapping[str, Any],
    overrides: Mapping[str, Any],
    values: dict[str, float],
    point: dict[str, float],
    seed: int,
) -> Trial:
    varied, parameters = copy.deepcopy(dict(content)), dict(overrides)
    varied["seed"] = seed
    for key, value in values.items():
        if key.split(".")[0] in _PARAMETER_ROOTS:
            parameters[key] = value
        else:
            set_path(varied, key, value)
    read_scenario(varied, name, f"{name} with {values}")
    return Trial(robot, name, varied, parameters, values, point)


def set_path(content: dict[str, Any], key: str, value: Any) -> None:
    """Write ``value`` at a dotted path; missing mappings are made, list entries must exist.

    Raises:
        ScenarioError: The path runs into a value or beyond a list.
    """
    *parents, last = key.split(".")
    place: Any = content
    for step in parents:
        place = place.setdefault(step, {}) if isinstance(place, dict) else _entry(place, step, key)
    if isinstance(place, dict):
        place[last] = value
    else:
        _entry(place, last, key)
        place[int(last)] = value


def _entry(place: Any, step: str, key: str) -> Any:
    if not isinstance(place, list) or not step.isdigit() or int(step) >= len(place):
        raise ScenarioError(f"'{key}' leads nowhere in the scenario (at '{step}')", where="--vary", value=key)
    return place[int(step)]


def run_trial(trial: Trial) -> dict[str, Any]:
    """Run one trial; a robot or parameter that is refused counts as an error, with its sentence."""
    try:
        run = prepare(trial.robot, read_scenario(trial.content, trial.name), trial.overrides)
        report = run.finish(run.loop.run([run.report]))
    except WbcError as error:
        return {"values": trial.values, "point": trial.point, "success": False, "error": str(error)}
    return {
        "values": trial.values,
        "point": trial.point,
        "seed": trial.content["seed"],
        "success": not report["fell"],
        "sim_time_s": report["sim_time_s"],
        "fall_reason": report["fall_reason"],
        "com_rmse_m": report["tracking"]["com_rmse_m"],
        "distance_m": report["distance_m"],
    }


def run_trials(trials: Sequence[Trial], jobs: int) -> Iterator[dict[str, Any]]:
    """Results as they finish, in order, from ``jobs`` processes (in this one for a single job)."""
    if jobs <= 1:
        yield from map(run_trial, trials)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, initializer=_ignore_interrupt) as pool:
        yield from pool.imap(run_trial, trials)


def _ignore_interrupt() -> None:
    """Ctrl-C belongs to the parent, which then ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def summarise(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Success rate with its 95 % interval, over all trials and at every grid point."""
    points: dict[str, list[Mapping[str, Any]]] = {}
    for result in results:
        points.setdefault(", ".join(f"{key}={value:g}" for key, value in result["point"].items()), []).append(result)
    rows = [{"point": name, **success_rate(r["success"] for r in group)} for name, group in points.items()]
    return {**success_rate(r["success"] for r in results), "points": rows, "trials": list(results)}


def success_rate(successes: Iterable[bool]) -> dict[str, Any]:
    """Number, successes, rate and Wilson's 95 % interval."""
    outcomes = list(successes)
    won = sum(outcomes)
    low, high = wilson_interval(won, len(outcomes))
    return {"n": len(outcomes), "successes": won, "rate": won / len(outcomes), "low": low, "high": high}


def wilson_interval(successes: int, n: int, z: float = _CONFIDENCE_95) -> tuple[float, float]:
    """Confidence interval of a proportion by Wilson's score (JASA 1927); sound at 0 and n successes too."""
    rate = successes / n
    centre = rate + z * z / (2.0 * n)
    spread = z * math.sqrt(rate * (1.0 - rate) / n + z * z / (4.0 * n * n))
    scale = 1.0 + z * z / n
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
