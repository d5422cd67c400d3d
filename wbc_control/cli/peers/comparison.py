"""Our tick next to the peers', in alternating blocks of one run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from wbc_control.cli.peers.link import PeerLink
from wbc_control.cli.peers.own import ROBOT, OwnLoop
from wbc_control.cli.peers.problem import CLOCKS, write_urdf
from wbc_control.errors import ParameterError
from wbc_control.simulation.benchmark import quiet_collector
from wbc_control.simulation.metrics.metric import percentiles

BLOCK, LEAD_IN, WARM_UP = 250, 20, 500
"""Counted ticks of a block, uncounted ones before it, and uncounted ones at the very start."""
RATIOS = ("p50", "p99", "p999")


def compare(
    robot: str,
    peers: Sequence[str],
    pythons: Mapping[str, str],
    steps: int,
    overrides: Mapping[str, Any] | None = None,
    on_step: Callable[[float], None] = lambda done: None,
    clock: str = "wall",
) -> dict[str, Any]:
    """Time everybody on the common problem; only one of them runs at a time.

    Args:
        robot: Must be the common problem's, the G1.
        peers: Names of the peers.
        pythons: Peer → interpreter.
        steps: Counted ticks of each, rounded up to whole blocks.
        overrides: ``node.parameter`` → value for our controller.
        on_step: Called with the number of counted ticks done.
        clock: ``wall``, or ``cpu`` on a machine that has other things to do.

    Returns:
        ``own`` and ``peers``, the ratios being ours over theirs.

    Raises:
        WbcError: Another robot, a peer that is missing, or one that fails.
    """
    if robot != ROBOT:
        raise ParameterError(f"the peers' problem is the {ROBOT}'s", where="--robot", value=robot, bound=ROBOT)
    own = OwnLoop(overrides, CLOCKS[clock])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urdf = write_urdf(own.model.urdf_path, folder)
        links = {}
        for name in dict.fromkeys(peers):
            links[name] = PeerLink(name, pythons[name], urdf, clock)
            stack.callback(links[name].close)
        stack.enter_context(quiet_collector())
        durations = _alternate({"own": own, **links}, steps, on_step)
    return _result(own, links, durations)


def _alternate(loops: Mapping[str, Any], steps: int, on_step: Callable[[float], None]) -> dict[str, list[int]]:
    durations: dict[str, list[int]] = {name: [] for name in loops}
    for loop in loops.values():
        loop.run(WARM_UP, 0)
    while len(durations["own"]) < steps:
        for name, loop in loops.items():
            durations[name] += loop.run(LEAD_IN, BLOCK)
        on_step(len(durations["own"]))
    return durations


def _result(own: OwnLoop, links: Mapping[str, PeerLink], durations: Mapping[str, list[int]]) -> dict[str, Any]:
    rows = {name: percentiles([1e-3 * ns for ns in values]) for name, values in durations.items()}
    core = percentiles([1e-3 * sum(parts) for parts in zip(*own.stages_ns.values())])
    mine = {
        "tick_us": rows["own"],
        "terms_assembly_solve_us": core,
        "stages_us": {stage: percentiles([1e-3 * ns for ns in values]) for stage, values in own.stages_ns.items()},
        "not_solved": own.not_solved,
    }
    peers = {
        name: {
            "version": link.version,
            "tick_us": rows[name],
            "ratio": {key: round(rows["own"][key] / rows[name][key], 3) for key in RATIOS},
        }
        for name, link in links.items()
    }
    return {"own": mine, "peers": peers}


def table(result: Mapping[str, Any]) -> str:
    """The comparison for a person."""
    own = result["own"]
    lines = [f"  common problem of the peers, us{'':<7}" + "".join(f"{name:>9}" for name in own["tick_us"])]
    rows = {"our tick, all limits on": own["tick_us"], "  terms, assembly, solve": own["terms_assembly_solve_us"]}
    rows |= {f"{name} {peer['version']}": peer["tick_us"] for name, peer in result["peers"].items()}
    lines += [f"  {name:<35}" + "".join(f"{value:9.1f}" for value in row.values()) for name, row in rows.items()]
    for name, peer in result["peers"].items():
        ratios = ", ".join(f"{value:.2f} at {key}" for key, value in peer["ratio"].items())
        lines.append(f"  ours / {name}: {ratios}")
    return "\n".join(lines)
