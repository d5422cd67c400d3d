"""``wbc up``: the nodes and a simulated (or real) robot, without ``ros2 launch``; a status line; Ctrl-C ends it all."""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import sys
import time
from typing import Any

from wbc_control.cli.settings import add_params, add_robot, composition_of, parse_settings
from wbc_control.errors import BackendError, WbcError
from wbc_control.model.catalogue import load_robot
from wbc_control.parameters import StackParameters
from wbc_control.ros.graph import LOCAL_ENVIRONMENT, broadcaster_remaps, processes

SUMMARY = "Start the nodes of the stack and a simulated robot, show a live status line, end everything on Ctrl-C."

_HARDWARE = ("mujoco", "robot")
_REFRESH_S = 0.2
_PLAIN_REFRESH_S = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    add_robot(parser)
    add_params(parser)
    parser.add_argument(
        "--hardware",
        choices=_HARDWARE,
        default="mujoco",
        help="mujoco starts the simulator; robot expects ros2_control",
    )
    parser.add_argument(
        "--composition", default="true", metavar="true|false", help="estimator, QP and bridge in one process (default)"
    )
    parser.add_argument("--namespace", default="", help="namespace of all nodes")
    parser.add_argument("--demo", action="store_true", help="stand, sway, take a push, and again")
    parser.add_argument(
        "--duration", type=float, default=0.0, metavar="S", help="end after this many seconds; 0 runs until Ctrl-C"
    )
    parser.add_argument("--log-level", default="", help="log level of the nodes (debug, info, warn, error)")


def run(args: argparse.Namespace) -> int:
    """Run the nodes until Ctrl-C, SIGTERM or the end of the duration.

    Raises:
        WbcError: ROS is missing, parameters are refused, or a node ended by itself.
    """
    composition = composition_of(args.composition)
    parameters = load_robot(args.robot, parse_settings(args.settings), tuple(args.params))
    if importlib.util.find_spec("rclpy") is None:
        raise WbcError(
            "needs rclpy, the Python client of ROS 2: pip install 'wbc_control[ros]', or source a ROS 2 installation"
        )
    for name, value in LOCAL_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    return _run(args, parameters, composition)


def _run(args: argparse.Namespace, parameters: StackParameters, composition: bool) -> int:
    from wbc_control.ros.bringup import NodeSet, on_simulated_time

    parameters = on_simulated_time(parameters) if args.hardware == "mujoco" else parameters
    remaps = broadcaster_remaps(tuple(parameters.robot.feet)) if args.hardware == "robot" else None
    started = NodeSet(
        processes(args.hardware, composition),
        parameters,
        os.environ,
        namespace=args.namespace,
        log_level=args.log_level,
        remaps=remaps,
    )
    stop = _listen()
    with started as nodes:
        _watch(args, parameters, nodes, stop)
    bad = {name: code for name, code in nodes.exit_codes.items() if code != 0}
    if bad:
        raise BackendError(
            "did not end cleanly: " + ", ".join(f"{name} (exit code {code})" for name, code in bad.items())
        )
    return 0


def _listen() -> list[int]:
    """A list that is filled when SIGINT or SIGTERM arrives."""
    heard: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda found, _frame: heard.append(found))
    return heard


def _watch(args: argparse.Namespace, parameters: StackParameters, nodes: Any, stop: list[int]) -> None:
    """Show the status line until asked to stop."""
    from wbc_control.ros.monitor import Monitor

    terminal = sys.stdout.isatty()
    refresh_s = _REFRESH_S if terminal else _PLAIN_REFRESH_S
    monitor = Monitor(parameters, args.namespace, args.demo)
    start = time.monotonic()
    shown = start - refresh_s
    try:
        while not stop and not (args.duration and time.monotonic() - start >= args.duration):
            nodes.check()
            monitor.poll()
            if time.monotonic() - shown >= refresh_s:
                shown = time.monotonic()
                _show(monitor.line(), terminal)
            time.sleep(0.05)
    finally:
        if terminal:
            print()
        monitor.close()


def _show(line: str, terminal: bool) -> None:
    print(f"\r{line}\x1b[K" if terminal else line, end="" if terminal else "\n", flush=True)
