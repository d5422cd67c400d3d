"""``wbc simulate``: one scenario from start to end."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any

from wbc_control.cli.progress import Progress
from wbc_control.cli.scenario_changes import add_changes, changed_scenario
from wbc_control.cli.settings import add_params, add_robot, composition_of, overrides_of
from wbc_control.errors import WbcError
from wbc_control.simulation.benchmark import quiet_collector
from wbc_control.simulation.closed_loop import Observer, Period
from wbc_control.simulation.headless import prepare_headless
from wbc_control.simulation.report import write_json
from wbc_control.simulation.running import Run, prepare
from wbc_control.simulation.scenario import Scenario

SUMMARY = "Run a scenario to its end and report. In process and in lockstep, or through the real nodes with --ros."

_FILM_SIZE = (960, 544)
_ROS_RUN = "wbc_control.nodes.scenario_sim"
"""Module with ``run_scenario(robot, scenario, overrides, composition, observer) -> report``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument(
        "scenario",
        metavar="SCENARIO",
        help="shipped scenario (stand, sway, squat, push, ...) or the path of a .yaml file",
    )
    add_robot(parser)
    add_params(parser)
    add_changes(parser)
    parser.add_argument("--ros", action="store_true", help="run through the real nodes, in real time")
    parser.add_argument(
        "--composition",
        default="true",
        metavar="true|false",
        help="with --ros: estimator, QP and bridge in one process (default)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE.mcap",
        help="record sensors, estimate, plan, commands and ground truth (.mcap needs the package mcap; .csv nothing)",
    )
    parser.add_argument(
        "--record-every", type=int, default=1, metavar="N", help="of --record: every N-th control period (default: 1)"
    )
    parser.add_argument("--video", type=Path, metavar="FILE.mp4", help="film the run (needs imageio-ffmpeg)")
    parser.add_argument("--picture", type=Path, metavar="FILE.png", help="render the last instant")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="plot the run (needs matplotlib)")


def run(args: argparse.Namespace) -> int:
    """Run the scenario; 0 if the robot did not fall."""
    scenario, overrides = changed_scenario(args.scenario, args.change), overrides_of(args)
    for path in (args.json, args.record, args.video, args.picture, args.plot):
        _check_writable(path)
    report = _through_nodes(args, scenario, overrides) if args.ros else _in_process(args, scenario, overrides)
    if args.json:
        write_json(report, args.json)
    print(summary(report))
    return 1 if report["fell"] else 0


def _check_writable(path: Path | None) -> None:
    """Find out before a long run that its result cannot be kept."""
    if path is not None and not path.absolute().parent.is_dir():
        raise WbcError(f"folder '{path.absolute().parent}' does not exist", where=str(path), value=str(path))


def _through_nodes(args: argparse.Namespace, scenario: Scenario, overrides: dict[str, Any]) -> dict[str, Any]:
    if args.video or args.picture or args.plot:
        raise WbcError("--video, --picture and --plot work in process, not with --ros", where="wbc simulate")
    if args.record:
        raise WbcError("--record works in process; with --ros use `ros2 bag record -s mcap`", where="wbc simulate")
    composition = composition_of(args.composition)
    module, bar = importlib.import_module(_ROS_RUN), _Bar(scenario)
    try:
        report: dict[str, Any] = module.run_scenario(args.robot, scenario, overrides, composition, bar)
    finally:
        bar.close()
    return report


def _in_process(args: argparse.Namespace, scenario: Scenario, overrides: dict[str, Any]) -> dict[str, Any]:
    drawing = bool(args.video or args.picture)
    if drawing:
        prepare_headless()
    prepared = prepare(args.robot, scenario, overrides, with_visuals=drawing)
    with_extras: list[Any] = _extras(args, prepared)
    bar = _Bar(scenario)
    try:
        with quiet_collector():
            outcome = prepared.loop.run([prepared.report, bar, *with_extras])
    finally:
        bar.close()
        _close(with_extras)
    if args.picture:
        _take_picture(prepared, args.picture)
    return prepared.finish(outcome)


def _extras(args: argparse.Namespace, prepared: Run) -> list[Observer]:
    """Recording, film and plot, as asked."""
    extras: list[Observer] = []
    if args.record:
        from wbc_control.simulation.recording import Recorder

        extras.append(Recorder(prepared.loop, prepared.parameters, args.record, args.record_every))
    if args.video:
        from wbc_control.simulation.camera import Camera, Film

        camera = Camera(_mujoco(prepared), *_FILM_SIZE)
        extras.append(Film(camera, args.video, prepared.backend.period_ns))
    if args.plot:
        from wbc_control.simulation.plotting import Plotter

        extras.append(Plotter(prepared.loop, args.plot))
    return extras


def _mujoco(prepared: Run) -> Any:
    """The MuJoCo backend, which alone can draw."""
    from wbc_control.simulation.mujoco_backend import MujocoBackend

    if not isinstance(prepared.backend, MujocoBackend):
        raise WbcError("pictures need simulation.backend=mujoco", where="wbc simulate")
    return prepared.backend


def _close(extras: list[Any]) -> None:
    for extra in extras:
        extra.close()


def _take_picture(prepared: Run, path: Path) -> None:
    from wbc_control.simulation.camera import Camera, save_picture

    camera = Camera(_mujoco(prepared))
    save_picture(camera.picture(), path)
    camera.close()


class _Bar:
    """Progress in simulated seconds."""

    def __init__(self, scenario: Scenario) -> None:
        self._progress = Progress(scenario.name, scenario.duration)

    def observe(self, period: Period) -> None:
        """Redraw now and then."""
        if period.index % 50 == 0:
            self._progress.update(1e-9 * period.time_ns)

    def close(self) -> None:
        """Wipe the bar."""
        self._progress.close()


def summary(report: dict[str, Any]) -> str:
    """The report in a few lines for a person."""
    verdict = f"FELL at {report['sim_time_s']:.2f} s: {report['fall_reason']}" if report["fell"] else "did not fall"
    pace = f"{report['sim_time_s']:g} s, {report['real_time_factor']:.1f} x real time"
    lines = [f"{report['robot']}, {report['scenario']}: {verdict} ({pace})"]
    lines += _tick_lines(report) + _motion_lines(report)
    for push in report["pushes"]:
        lines.append(f"  push        {push['impulse']:g} N·s at {push['t']:g} s: {_push_verdict(push)}")
    return "\n".join(lines)


def _tick_lines(report: dict[str, Any]) -> list[str]:
    tick = report["tick_us"]
    if not tick:
        return []
    times = f"{tick['p50']:.0f} us median, {tick['p99']:.0f} us p99, {tick['max']:.0f} us worst"
    return [f"  tick        {times}; {report['deadline_misses']} late"]


def _motion_lines(report: dict[str, Any]) -> list[str]:
    com, creep = _number(report["tracking"]["com_rmse_m"], 1e3), _number(report["feet_creep_mm_per_10s"])
    lines = [f"  tracking    CoM {com} mm rmse, feet creep {creep} mm / 10 s"]
    margin = report.get("zmp_margin")
    if margin:
        worst, mean = _number(margin["min"]), _number(margin["mean"])
        use = f"friction use {report['friction_use_max']:.2f}"
        lines.append(f"  balance     zmp_margin {worst} least, {mean} mean; {use}")
    return lines


def _push_verdict(push: dict[str, Any]) -> str:
    if not push["survived"]:
        return "fell"
    recovery = (
        f"recovered in {push['recovery_s']:.2f} s" if push["recovery_s"] is not None else "survived, not recovered"
    )
    share = f", {push['ratio']:.2f} of the pendulum's zero-step limit" if push["ratio"] is not None else ""
    return recovery + share


def _number(value: float | None, scale: float = 1.0) -> str:
    return "undefined" if value is None else f"{scale * value:.3g}"
