"""Runs the nodes of one process: ROS up, parameters served in the background, the loop in front, a clean end.

The loop is a :class:`Program`.  Data-driven ones wait for a message and tick on it; periodic ones keep absolute
deadlines.  SIGINT and SIGTERM let the tick in progress finish, then ``finish`` sends the last words (for the bridge:
finite damping), and the process ends with exit code 0.
"""

from __future__ import annotations

import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from wbc_control.errors import ParameterError
from wbc_control.ros.deadlines import Deadlines, Pace
from wbc_control.ros.inbox import Inbox, Waiter
from wbc_control.ros.node import StackNode, explained
from wbc_control.ros.parameter_file import files_on, foreign_sections
from wbc_control.ros.process import Stop, end_with_parent, request_real_time, settle_memory, step_back

SLICE_NS = 20_000_000
"""Longest uninterrupted wait: a request to stop is heard within this time."""
SETTLE_TICKS = 200
"""Ticks after which what is alive counts as permanent."""


class Program(ABC):
    """What a process does.

    Attributes:
        nodes: The nodes that live in it.
        period_ns: Nominal distance of two ticks, ns.
        deadlines: Grid of a periodic program, set by the runner before the first tick.
    """

    nodes: Sequence[StackNode]
    period_ns: int
    deadlines: Deadlines | None = None

    @abstractmethod
    def tick(self) -> None:
        """One tick; must not raise for anything that arrives over the network."""

    def idle(self) -> None:
        """Called instead of a tick when the awaited data is late; at most once a period."""

    def triggers(self) -> Sequence[Inbox]:
        """Inboxes whose arrival is a tick; empty for a periodic program."""
        return ()

    def every_second(self, pace: Pace, missed: int) -> None:
        """Diagnostics."""

    def finish(self) -> None:
        """Last words before the publishers go."""


def run(build: Callable[[Any], Program], arguments: Sequence[str] | None = None) -> int:
    """Run a process to its end.

    Args:
        build: Makes the program in a ROS context.
        arguments: Command line without the program's name; ``sys.argv`` without them.

    Returns:
        Exit code: 0 after a request to stop, 1 after an error that is said in one line.
    """
    return explained(lambda: _run(build, sys.argv[1:] if arguments is None else list(arguments)))


def _run(build: Callable[[Any], Program], arguments: list[str]) -> int:
    stop = Stop()
    stop.listen()
    orphaned = end_with_parent()
    _warn_about_files(arguments)
    context = rclpy.Context()
    _initialise(context, arguments)
    try:
        program = build(context)
        _serve_and_loop(program, context, stop, orphaned)
    finally:
        context.try_shutdown()
    return 0


def _initialise(context: Any, arguments: list[str]) -> None:
    try:
        rclpy.init(args=arguments, context=context, signal_handler_options=SignalHandlerOptions.NO)
    except Exception as error:  # rcl reports bad arguments and unreadable files with several private types
        raise ParameterError(f"ROS refused the command line: {str(error).splitlines()[0]}") from error


def _warn_about_files(arguments: Sequence[str]) -> None:
    for path, section in foreign_sections(files_on(arguments)):
        print(f"warning: {path}: section '{section}' names no node of the stack and is ignored", file=sys.stderr)


def _serve_and_loop(program: Program, context: Any, stop: Stop, orphaned: Callable[[], bool]) -> None:
    first = program.nodes[0]
    for refusal in request_real_time(first.parameters.middleware.rt):
        first.get_logger().warn(refusal)
    executor = SingleThreadedExecutor(context=context)
    for node in program.nodes:
        executor.add_node(node)
        node.autostart()
    thread = threading.Thread(target=_serve, args=(executor,), name="services", daemon=True)
    thread.start()
    try:
        _loop(program, context, stop, orphaned)
        program.finish()
    finally:
        executor.shutdown(timeout_sec=1.0)
        thread.join(timeout=2.0)
        for node in program.nodes:
            node.destroy_node()


def _serve(executor: SingleThreadedExecutor) -> None:
    step_back()
    try:
        executor.spin()
    except ExternalShutdownException:
        return


def _loop(program: Program, context: Any, stop: Stop, orphaned: Callable[[], bool]) -> None:
    keeper = _Keeper(program, stop, orphaned)
    triggers = program.triggers()
    due = _data_wait(program, Waiter(context, triggers)) if triggers else _periodic_wait(keeper.deadlines)
    while not stop:
        keeper.run(program.tick if due() else program.idle)


def _data_wait(program: Program, waiter: Waiter) -> Callable[[], bool]:
    """Whether data came within two periods."""
    timeout_ns = min(SLICE_NS, 2 * program.period_ns)
    return lambda: waiter.wait(timeout_ns)


def _periodic_wait(deadlines: Deadlines) -> Callable[[], bool]:
    """Whether the deadline is reached; long sleeps are cut into slices so that a request to stop is heard."""

    def due() -> bool:
        if deadlines.remaining_ns() > SLICE_NS:
            time.sleep(1e-9 * SLICE_NS)
            return False
        deadlines.sleep()
        return True

    return due


class _Keeper:
    """The book-keeping around ticks: pace, memory, once-a-second duties, the parent's life."""

    def __init__(self, program: Program, stop: Stop, orphaned: Callable[[], bool]) -> None:
        self.deadlines = program.deadlines = Deadlines(program.period_ns)
        self._program = program
        self._stop = stop
        self._orphaned = orphaned
        self._pace = Pace(program.period_ns)
        self._ticks = 0
        self._second_ns = time.monotonic_ns()

    def run(self, work: Callable[[], None]) -> None:
        """Do the work that is due and what goes with it."""
        start = time.monotonic_ns()
        work()
        end = time.monotonic_ns()
        if work == self._program.tick:
            self._pace.note(start, end)
            self._ticks += 1
            if self._ticks == SETTLE_TICKS:
                settle_memory()
        if end - self._second_ns >= 1_000_000_000:
            self._second_ns = end
            self._program.every_second(self._pace, self.deadlines.missed)
            if self._orphaned():
                self._stop.ask("parent ended")
